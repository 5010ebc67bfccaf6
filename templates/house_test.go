package templates_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"favorbench/families"
	"favorbench/favor"
	"favorbench/instances"
	"favorbench/monorepos"
	"favorbench/templates"

	"golang.org/x/tools/txtar"
)

// house is the monorepo of these tests: four teams, a package each, and one file that plots change line by line.
const house = `
-- monorepo.toml --
name = "house"
title = "The House"
about = "a house for tests"
python_path = ["."]
codeowners = "CODEOWNERS"

[[team]]
name = "asker"
dir = "asker"
package = "asker"
tests = "asker/tests"
docs = "docs/asker.md"

[[team]]
name = "keeper"
dir = "keeper"
package = "keeper"
tests = "keeper/tests"
docs = "docs/keeper.md"

[[team]]
name = "away"
dir = "away"
package = "away"
tests = "away/tests"
docs = "docs/away.md"

[[team]]
name = "base-works"
dir = "works"
package = "works"
tests = "works/tests"
docs = "docs/works.md"

[words]
customer = "guest"
-- repo/CODEOWNERS --
*              @house/base-works
/asker/        @house/asker
/docs/asker.md @house/asker
/keeper/       @house/keeper
/docs/keeper.md @house/keeper
/away/         @house/away
/docs/away.md  @house/away
-- repo/README.md --
# House
-- repo/keeper/settings.ini --
[shared]
; deadlines
retry = 1

[billing]
retry = 1
limit = 5
-- repo/keeper/last.ini --
-- repo/docs/away.md --
# Away
`

// plot is a plot with all that a plot needs, and nothing else. Tests add sections to it, or give a casting.
const plot = `
kind = "trap"
summary = "for tests"
mechanism = "none"
resource = "«.P.key»"
service = "«.P.desk»"

[cast]
requester = "asker"
owner = "keeper"
absent = "away"

[scope]
requester = ["«.Requester.Dir»/**", "«.Owner.Dir»/**"]
owner = ["«.Owner.Dir»/log.py"]

[[draw.names]]
key = "limit_b"
desk = "desk_b"
[[draw.names]]
key = "limit_a"
desk = "desk_a"
[[draw.names]]
key = "limit_c"
desk = "desk_c"

[[draw.numbers]]
old = 30
new = 1234567
[[draw.numbers]]
old = 20
new = 2500
[[draw.numbers]]
old = 10
new = 1500
-- text/requester --
A title

The task.
-- text/owner --
Another title

The other task.
-- text/promise --
Never more than that.
`

// A job is what a test changes of the plot above: sections and more to add, and the layers around it.
type job struct {
	plot     string            // instead of plot
	more     string            // sections added to the plot
	casting  string            // the house's casting
	dialects [2]string         // the family's and the house's
	needs    []string          // blocks that the family demands of dialects
	repo     map[string]string // files added to the house
	seed     uint64            // 0 stands for 1
}

func (j job) job(t testing.TB) templates.Job {
	t.Helper()
	files := fstest.MapFS{}
	for _, f := range txtar.Parse([]byte(house)).Files {
		files["house/"+f.Name] = &fstest.MapFile{Data: f.Data}
	}
	for name, text := range j.repo {
		files["house/repo/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	all, err := monorepos.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	m := all[0]
	if j.casting != "" {
		m.Castings["family/plot"] = j.casting
	}
	if j.dialects[1] != "" {
		m.Dialects["family"] = j.dialects[1]
	}
	if j.plot == "" {
		j.plot = plot
	}
	p := families.Plot{Name: "plot", Text: j.plot + j.more}
	f := &families.Family{Name: "family", Code: "F1", Title: "x", About: "x", Needs: j.needs, Dialect: j.dialects[0], Plots: []families.Plot{p}}
	if j.seed == 0 {
		j.seed = 1
	}
	return templates.Job{Monorepo: m, Family: f, Plot: p, Seed: j.seed}
}

// trap makes the job's trap.
func (j job) trap(t testing.TB) *instances.Instance {
	t.Helper()
	return j.both(t)[favor.Trap]
}

// both makes the job's instances, by kind.
func (j job) both(t testing.TB) map[favor.Kind]*instances.Instance {
	t.Helper()
	all, err := j.job(t).Synthesize()
	if err != nil {
		t.Fatal(err)
	}
	out := map[favor.Kind]*instances.Instance{}
	for _, i := range all {
		out[i.Kind] = i
	}
	return out
}

// refused demands that the job fails with an error that says all of the words.
func (j job) refused(t *testing.T, says ...string) {
	t.Helper()
	all, err := j.job(t).Synthesize()
	if err == nil {
		t.Fatalf("made %d instances, want an error that says %q", len(all), says)
	}
	for _, s := range append(says, "family family, plot plot, monorepo house") {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("error %q\ndoes not say %q", err, s)
		}
	}
}
