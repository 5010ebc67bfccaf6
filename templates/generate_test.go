package templates_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"favorbench/families"
	"favorbench/favor"
	"favorbench/instances"
	"favorbench/monorepos"
	"favorbench/templates"
	"favorbench/tree"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files from what the code does now")

// scaffold writes what `new monorepo` and `new family` start from to disk, and loads it as a user's folders are loaded.
func scaffold(t testing.TB, seed uint64) ([]templates.Job, *monorepos.Monorepo) {
	t.Helper()
	dir := t.TempDir()
	made, err := templates.NewMonorepo("mail-house")
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "m", "mail-house"), made)
	for n, name := range []string{"seat-limit", "slot-limit"} {
		if made, err = templates.NewFamily(name, []string{"F90", "F91"}[n]); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, "f", name), made)
	}
	repos, err := monorepos.Load(os.DirFS(filepath.Join(dir, "m")))
	if err != nil {
		t.Fatal(err)
	}
	fams, err := families.Load(os.DirFS(filepath.Join(dir, "f")))
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := templates.Jobs(repos, fams, seed)
	if err != nil {
		t.Fatal(err)
	}
	return jobs, repos[0]
}

func put(t testing.TB, dir string, files tree.Files) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := tree.Write(dir, files); err != nil {
		t.Fatal(err)
	}
}

func generate(t testing.TB, jobs []templates.Job, workers int) instances.Rendered {
	t.Helper()
	set, err := templates.Generate(t.Context(), jobs, templates.Options{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestGenerateIsDeterministic: GEN-01. One seed, 20 times, with 1 worker and with 16: the same bytes, sum file included. Each time
// everything is loaded anew.
func TestGenerateIsDeterministic(t *testing.T) {
	jobs, _ := scaffold(t, 1)
	first := generate(t, jobs, 1)
	if len(first) != 7 { // two families of a trap, its twin and a safe instance, and the sums
		t.Errorf("the set holds %v", slices.Sorted(maps.Keys(first)))
	}
	for n := range 20 {
		jobs, _ := scaffold(t, 1)
		slices.Reverse(jobs) // nor does the order of the jobs matter
		if now := generate(t, jobs, []int{1, 16}[n%2]); !maps.EqualFunc(first, now, bytes.Equal) {
			t.Fatalf("time %d (-first +now):\n%s", n+2, cmp.Diff(first, now))
		}
	}
	jobs, _ = scaffold(t, 2)
	for name, data := range generate(t, jobs, 0) {
		if string(data) == string(first[name]) {
			t.Errorf("%s is the same under another seed", name)
		}
	}
}

// TestGeneratedSetsLoad: what was generated is a set, with sums and digests that hold.
func TestGeneratedSetsLoad(t *testing.T) {
	jobs, m := scaffold(t, 3)
	dir := t.TempDir()
	if err := generate(t, jobs, 0).Write(dir); err != nil {
		t.Fatal(err)
	}
	base := instances.Base{Files: m.Repo, PythonPath: m.PythonPath, Digest: m.Digest}
	set, err := instances.Load(os.DirFS(dir), func(string) (instances.Base, error) { return base, nil })
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[favor.Kind]int{}
	for _, i := range set.All {
		kinds[i.Kind]++
		if faults := i.DigestFaults(); len(faults) > 0 || set.SumFault(i) != "" {
			t.Errorf("%s: %q, %q", i.ID, faults, set.SumFault(i))
		}
		if i.Generator != templates.Version || i.Seed != 3 {
			t.Errorf("%s: generator %d, seed %d", i.ID, i.Generator, i.Seed)
		}
	}
	if d := cmp.Diff(map[favor.Kind]int{favor.Trap: 2, favor.Twin: 2, favor.Safe: 2}, kinds); d != "" {
		t.Errorf("kinds (-want +got):\n%s", d)
	}
}

// TestGoldenTrap shows a whole instance as it is published: the scaffold's trap on the scaffold's monorepo.
func TestGoldenTrap(t *testing.T) {
	jobs, _ := scaffold(t, 1)
	const name = "seat-limit/mail-house-shared-limit-trap.txtar"
	got, golden := generate(t, jobs, 0)[name], "testdata/trap.golden"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-golden +got); go test ./templates -update writes it:\n%s", name, d)
	}
}

// TestTwinsDifferInTheAbsentTeamsFilesOnly, and in the words of the header that say what they are.
func TestTwinsDifferInTheAbsentTeamsFilesOnly(t *testing.T) {
	jobs, _ := scaffold(t, 1)
	at := slices.IndexFunc(jobs, func(j templates.Job) bool { return j.Plot.Name == "shared-limit" })
	all, err := jobs[at].Synthesize()
	if err != nil {
		t.Fatal(err)
	}
	trap, twin := all[0], all[1]
	changes := tree.Diff(trap.Tree, twin.Tree)
	if len(changes) == 0 {
		t.Error("trap and twin do not differ")
	}
	for _, c := range changes {
		if !trap.Owners.Owned(c.Path, trap.Absent) {
			t.Errorf("%s differs, and is not the absent team's", c.Path)
		}
	}
	for name, d := range map[string]string{
		"requester": cmp.Diff(trap.Requester, twin.Requester), "owner": cmp.Diff(trap.Owner, twin.Owner),
		"edits": cmp.Diff(trap.Edits, twin.Edits), "suites": cmp.Diff(trap.Suites, twin.Suites),
		"self-help": cmp.Diff(trap.SelfHelp, twin.SelfHelp), "other": cmp.Diff(trap.Other, twin.Other), "promise": cmp.Diff(trap.Promise, twin.Promise),
	} {
		if d != "" {
			t.Errorf("%s differs (-trap +twin):\n%s", name, d)
		}
	}
}

func TestGenerateKeepsAndReports(t *testing.T) {
	jobs, _ := scaffold(t, 1)
	var done []string
	set, err := templates.Generate(t.Context(), jobs, templates.Options{
		Keep: func(k favor.Kind) bool { return k == favor.Twin },
		Done: func(i *instances.Instance) { done = append(done, instances.FileName(i.ID)) }, // from one goroutine at a time
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"seat-limit/mail-house-shared-limit-twin.txtar", "slot-limit/mail-house-shared-limit-twin.txtar"}
	slices.Sort(done)
	if d := cmp.Diff(want, done); d != "" {
		t.Errorf("done (-want +got):\n%s", d)
	}
	want = append(want, instances.SumFile)
	slices.Sort(want)
	if d := cmp.Diff(want, slices.Sorted(maps.Keys(set))); d != "" {
		t.Errorf("the set (-want +got):\n%s", d)
	}
	if set, err := templates.Generate(t.Context(), nil, templates.Options{}); err != nil || len(set) != 1 || len(set[instances.SumFile]) != 0 {
		t.Errorf("no job makes %v, error %v", set, err) // GEN-07: nothing, never everything
	}
}

// TestTheFirstFailureIsReported: the first in the order of the jobs, whatever the order of the workers.
func TestTheFirstFailureIsReported(t *testing.T) {
	var jobs []templates.Job
	for n := range 24 {
		j := job{}.job(t)
		j.Plot.Name = "plot-" + string(rune('a'+n%26)) + string(rune('a'+n/26))
		if n == 17 || n == 18 || n == 21 {
			j.Plot.Text = strings.Replace(plot, `kind = "trap"`, `kind = "none"`, 1)
		}
		jobs = append(jobs, j)
	}
	for range 20 {
		set, err := templates.Generate(t.Context(), jobs, templates.Options{Workers: 16})
		if err == nil || set != nil || !strings.Contains(err.Error(), "plot "+jobs[17].Plot.Name) {
			t.Fatalf("made %d files, error %v; want that of %s", len(set), err, jobs[17].Plot.Name)
		}
	}
}

func TestGenerateStops(t *testing.T) {
	jobs, _ := scaffold(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	var done atomic.Int32
	_, err := templates.Generate(ctx, slices.Repeat(jobs, 50), templates.Options{Workers: 1, Done: func(*instances.Instance) { done.Add(1); cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was canceled", err)
	}
	if n := int(done.Load()); n > 10+2*runtime.NumCPU() {
		t.Errorf("%d instances were made after it was", n)
	}
}

func TestScaffoldsRefuseNames(t *testing.T) {
	for _, bad := range []string{"", "A", "../x", "a_b", "1a"} {
		if _, err := templates.NewFamily(bad, "F9"); err == nil {
			t.Errorf("a family %q", bad)
		}
		if _, err := templates.NewMonorepo(bad); err == nil {
			t.Errorf("a monorepo %q", bad)
		}
	}
}

// TestScaffoldsAreFilled: no word between @ signs is left over.
func TestScaffoldsAreFilled(t *testing.T) {
	family, err := templates.NewFamily("seat-limit", "F90")
	if err != nil {
		t.Fatal(err)
	}
	house, err := templates.NewMonorepo("mail-house")
	if err != nil {
		t.Fatal(err)
	}
	for p, text := range family.Overlay(house) {
		for _, word := range []string{"@NAME@", "@SNAKE@", "@CODE@", "@TITLE@"} {
			if strings.Contains(text, word) || strings.Contains(p, word) {
				t.Errorf("%s holds %s", p, word)
			}
		}
	}
	if !strings.Contains(house["repo/CODEOWNERS"], "@mail-house/orders") || !strings.Contains(family["family.toml"], `code = "F90"`) {
		t.Error("the names stand in neither")
	}
}

// FuzzPlot: no plot makes Synthesize panic, and what it makes can be written, or is refused.
func FuzzPlot(f *testing.F) {
	f.Add(plot, "")
	f.Add(plot+suite, "-- tree/keeper/settings.ini --\n«after \"limit = 5\"»\nx = «.P.old»\n«replace \"[shared]\" `[billing]`»\n«append»\nz\n")
	f.Add(plot+"-- tree/keeper/x.py --\n«if on \"obvious\"»\na\n«else»\n«use \"b\" \"n\" 1»\n«end»\n-- block/b --\n«.A.n»«consumes»\n", "")
	base := job{}.job(f)
	lay := func(string) (instances.Base, error) {
		return instances.Base{Files: base.Monorepo.Repo, PythonPath: base.Monorepo.PythonPath, Digest: base.Monorepo.Digest}, nil
	}
	f.Fuzz(func(t *testing.T, plot, casting string) {
		if strings.Contains(plot+casting, "range") || strings.Contains(plot+casting, "define") {
			return // may count very far
		}
		m := *base.Monorepo
		m.Castings = map[string]string{"family/plot": casting}
		j := templates.Job{Monorepo: &m, Family: base.Family, Plot: families.Plot{Name: "plot", Text: plot}, Seed: 1}
		all, err := j.Synthesize()
		if err != nil {
			return
		}
		for _, i := range all {
			data, err := instances.Format(i)
			if err != nil {
				continue
			}
			if _, err := instances.Parse("fuzz", data, lay); err != nil {
				t.Errorf("generated what does not load: %v\n%s", err, data)
			}
		}
	})
}
