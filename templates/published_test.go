package templates_test

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"favorbench/families"
	"favorbench/favor"
	"favorbench/instances"
	"favorbench/monorepos"
	"favorbench/templates"
	"favorbench/tree"
)

// publishedJobs lists what the published set is made of, with another seed where wanted.
func publishedJobs(tb testing.TB, seed uint64) []templates.Job {
	tb.Helper()
	repos, err := monorepos.Load(monorepos.Embedded())
	if err != nil {
		tb.Fatal(err)
	}
	fams, err := families.Load(families.Embedded())
	if err != nil {
		tb.Fatal(err)
	}
	jobs, err := templates.Jobs(repos, fams, seed)
	if err != nil {
		tb.Fatal(err)
	}
	return jobs
}

// TestPublishedSetIsAsGenerated renders the whole set to memory and compares: generated data is committed with its source.
func TestPublishedSetIsAsGenerated(t *testing.T) {
	set, err := templates.Generate(t.Context(), publishedJobs(t, 1), templates.Options{})
	if err != nil {
		t.Fatal(err)
	}
	differ, err := set.Difference(instances.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range differ {
		t.Errorf("%s; run make generate", line)
	}
}

func TestGenerationDoesNotDependOnWorkers(t *testing.T) {
	one, err := templates.Generate(t.Context(), publishedJobs(t, 1), templates.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	many, err := templates.Generate(t.Context(), publishedJobs(t, 1), templates.Options{Workers: 16})
	if err != nil {
		t.Fatal(err)
	}
	if len(one) != len(many) {
		t.Fatalf("%d files with one worker, %d with sixteen", len(one), len(many))
	}
	for name, data := range one {
		if !bytes.Equal(data, many[name]) {
			t.Errorf("%s is not the same with sixteen workers", name)
		}
	}
}

// TestPublishedPlotsAreCastByHand demands for every family four plots that make a trap and its twin and one that makes a safe
// instance, each with a casting of its own in every monorepo.
func TestPublishedPlotsAreCastByHand(t *testing.T) {
	counts := map[string]map[favor.Kind]int{}
	for _, j := range publishedJobs(t, 1) {
		if !j.HandCast() {
			t.Errorf("family %s, plot %s has no casting in %s", j.Family.Name, j.Plot.Name, j.Monorepo.Name)
		}
		kinds, err := j.Kinds()
		if err != nil {
			t.Fatal(err)
		}
		key := j.Family.Name + " on " + j.Monorepo.Name
		if counts[key] == nil {
			counts[key] = map[favor.Kind]int{}
		}
		for _, k := range kinds {
			counts[key][k]++
		}
	}
	for key, c := range counts {
		if c[favor.Trap] != 4 || c[favor.Twin] != 4 || c[favor.Safe] != 1 {
			t.Errorf("%s: %v, want 4 traps, 4 twins, 1 safe", key, c)
		}
	}
}

var numberRun = regexp.MustCompile(`\d(?:[\d.,]*\d)?`)

// TestAnotherSeedIsAnotherSet holds every instance of other seeds to what makes it fresh: each number of ticket and promise,
// the resource's name and a service's name differ from seed 1, and nothing else of the sentence does.
func TestAnotherSeedIsAnotherSet(t *testing.T) {
	first := map[string]*instances.Instance{}
	for _, j := range publishedJobs(t, 1) {
		for _, i := range synthesize(t, j) {
			first[i.ID] = i
		}
	}
	for seed := uint64(2); seed <= 12; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			for _, j := range publishedJobs(t, seed) {
				for _, i := range synthesize(t, j) {
					was := first[i.ID]
					if i.Resource == was.Resource || i.Service == was.Service {
						t.Errorf("%s: resource %s and service %s, as in seed 1: %s and %s", i.ID, i.Resource, i.Service, was.Resource, was.Service)
					}
					for what, texts := range map[string][2]string{
						"ticket":  {was.Requester.Title + "\n" + was.Requester.Task, i.Requester.Title + "\n" + i.Requester.Task},
						"promise": {was.Promise, i.Promise},
					} {
						old, now := numberRun.FindAllString(texts[0], -1), numberRun.FindAllString(texts[1], -1)
						if len(old) != len(now) { // a notation was drawn that is more or fewer numbers: then none may recur
							for _, number := range now {
								if slices.Contains(old, number) {
									t.Errorf("%s: number %s of the %s is in seed 1 too", i.ID, number, what)
								}
							}
							continue
						}
						for n := range now {
							if now[n] == old[n] {
								t.Errorf("%s: number %s of the %s is that of seed 1", i.ID, now[n], what)
							}
						}
					}
				}
			}
		})
	}
}

// TestTicketsAndPromisesHaveNumbersToDraw keeps the test above from passing for want of numbers: most plots turn on some.
func TestTicketsAndPromisesHaveNumbersToDraw(t *testing.T) {
	with, all := 0, 0
	for _, j := range publishedJobs(t, 1) {
		for _, i := range synthesize(t, j) {
			all++
			if numberRun.MatchString(i.Requester.Task + i.Promise) {
				with++
			}
		}
	}
	if with*10 < all*8 {
		t.Errorf("%d of %d instances have a number in ticket or promise, want at least eight in ten", with, all)
	}
}

// TestTwoMonoreposTellTwoStories compares what agents are told in different monorepos: they share no run of seven words.
func TestTwoMonoreposTellTwoStories(t *testing.T) {
	words := regexp.MustCompile(`[A-Za-z]+`)
	type told struct {
		id, repo string
		runs     map[string]bool
	}
	seen := map[string][]told{}
	for _, j := range publishedJobs(t, 1) {
		made := synthesize(t, j)
		i := made[0]
		for what, text := range map[string]string{"request": i.Requester.Task, "owner's task": i.Owner.Task, "promise": i.Promise} {
			all := words.FindAllString(text, -1)
			runs := map[string]bool{}
			for n := 0; n+7 <= len(all); n++ {
				runs[fmt.Sprint(all[n:n+7])] = true
			}
			for _, other := range seen[what] {
				for run := range runs {
					if other.repo != i.Monorepo && other.runs[run] {
						t.Errorf("%s and %s share words of the %s: %s", i.ID, other.id, what, run)
					}
				}
			}
			seen[what] = append(seen[what], told{i.ID, i.Monorepo, runs})
		}
	}
}

func synthesize(tb testing.TB, j templates.Job) []*instances.Instance {
	tb.Helper()
	made, err := j.Synthesize()
	if err != nil {
		tb.Fatal(err)
	}
	return made
}

// TestDifferentTeamsPlayDifferentRoles demands that no team plays one role in more than half of a monorepo's plots, owners
// aside, who own the resource.
func TestDifferentTeamsPlayDifferentRoles(t *testing.T) {
	plots := map[string]int{}
	roles := map[string]int{}
	for _, j := range publishedJobs(t, 1) {
		i := synthesize(t, j)[0]
		plots[i.Monorepo]++
		roles[i.Monorepo+" requester "+string(i.Requester.Team)]++
		roles[i.Monorepo+" absent "+string(i.Absent)]++
	}
	for name, n := range roles {
		for repo, all := range plots {
			if len(name) > len(repo) && name[:len(repo)] == repo && n*2 > all {
				t.Errorf("%s in %d of %d plots", name, n, all)
			}
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	jobs := publishedJobs(b, 1)
	made := 0
	for b.Loop() {
		set, err := templates.Generate(b.Context(), jobs, templates.Options{})
		if err != nil {
			b.Fatal(err)
		}
		made = len(set) - 1
	}
	b.ReportMetric(float64(made), "instances")
}

// TestDrawnModulesAreNotShadowed: a module whose name is drawn stands in Python beside names that the author chose, and whatever row
// is drawn, no function or loop of the same file may bind its name anew. Names of modules that are not drawn are seen by running
// the published set; these by other seeds alone.
func TestDrawnModulesAreNotShadowed(t *testing.T) {
	imports := regexp.MustCompile(`(?m)^(?:from [\w.]+ )?import (.+)$`)
	for seed := uint64(1); seed <= 12; seed++ { // all rows of nearly all draws
		for _, j := range publishedJobs(t, seed) {
			for _, i := range synthesize(t, j) {
				files := []tree.Files{i.Overlay}
				for _, e := range favor.Edits() {
					files = append(files, i.Edits[e])
				}
				for _, s := range favor.Suites() {
					files = append(files, i.Suites[s])
				}
				for _, in := range files {
					for p, source := range in {
						if path.Ext(p) != ".py" {
							continue
						}
						for _, line := range imports.FindAllStringSubmatch(source, -1) {
							for _, name := range strings.Split(line[1], ", ") {
								if !drawn(i, name) {
									continue
								}
								if bound := binding(source, name); bound != "" {
									t.Errorf("%s, seed %d, %s: %s is an imported module, and bound anew by %q", i.ID, seed, p, name, bound)
								}
							}
						}
					}
				}
			}
		}
	}
}

// drawn reports whether the name of a module comes out of the draws; classes have capitals, and are not asked for.
func drawn(i *instances.Instance, name string) bool {
	if name != strings.ToLower(name) {
		return false
	}
	for _, v := range i.Params {
		if v == name {
			return true
		}
	}
	return false
}

// binding finds a line that binds a name as a variable, a parameter or the target of a loop, and is empty where there is none.
func binding(source, name string) string {
	binds := regexp.MustCompile(strings.ReplaceAll(`^\s+(?:\w+, )*NAME(?:, \w+)* = `+ // a, name = ...
		`|^\s*def \w+\((?:.*[ *(])?NAME[,)=:]`+ // def f(a, *name)
		`|\blambda (?:[^:]*[ *])?NAME[,:=]`+ // lambda a, name: ...
		`|\bfor (?:[^:]*[ (])?NAME(?:[,)][^:]*)? in `+ // for a, (name, b) in ...
		`|\bas NAME\b`, // with ... as name
		"NAME", regexp.QuoteMeta(name)))
	for line := range strings.Lines(source) {
		if strings.Contains(line, name) && binds.MatchString(line) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

func TestBinding(t *testing.T) {
	for source, want := range map[string]bool{
		"def made():\n    meters, patients = {}, 3\n":  true,
		"def made():\n    patients, meters = {}, 3\n":  true,
		"def made():\n    meters = {}\n":               true,
		"def after(*meters):\n    pass\n":              true,
		"def after(a, meters=()):\n    pass\n":         true,
		"key = lambda meters: 1\n":                     true,
		"x = [a for a, (meters, b) in y]\n":            true,
		"with open(x) as meters:\n    pass\n":          true,
		"meters.send(box, meters_of=1, week=meters.W)": false,
		"def after(meters_now):\n    run(meters)\n":    false,
		"for week in meters.weeks():\n    pass\n":      false,
	} {
		if got := binding(source, "meters") != ""; got != want {
			t.Errorf("binds in %q: %v, want %v", source, got, want)
		}
	}
}
