package templates_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"favorbench/families"
	"favorbench/favor"
	"favorbench/monorepos"
	"favorbench/templates"

	"github.com/google/go-cmp/cmp"
)

// TestLayers lays a family's dialect, a house's, the plot and its casting over each other. The result is shown as the workspace's
// files, so that what a layer keeps, adds and replaces can be read off.
func TestLayers(t *testing.T) {
	const ownFiles = "-- tree/keeper/plot.py --\n«use \"get\"»\n"
	for _, c := range []struct {
		name string
		job  job
		want map[string]string
	}{
		{"the plot alone", job{more: ownFiles + "-- block/get --\nplot's\n"}, map[string]string{"keeper/plot.py": "plot's\n"}},
		{"a block of the dialect", job{dialects: [2]string{"-- block/get --\nfamily's\n"}, more: ownFiles}, map[string]string{"keeper/plot.py": "family's\n"}},
		{"the house's dialect wins", job{dialects: [2]string{"-- block/get --\nfamily's\n", "-- block/get --\nhouse's\n"}, more: ownFiles}, map[string]string{"keeper/plot.py": "house's\n"}},
		{"the plot's block wins over dialects", job{dialects: [2]string{"-- block/get --\nfamily's\n"}, more: ownFiles + "-- block/get --\nplot's\n"}, map[string]string{"keeper/plot.py": "plot's\n"}},
		{"the casting's block wins over all", job{dialects: [2]string{"-- block/get --\nfamily's\n"}, more: ownFiles + "-- block/get --\nplot's\n", casting: "-- block/get --\ncasting's\n"}, map[string]string{"keeper/plot.py": "casting's\n"}},
		{"a plot's files join its dialect's", job{dialects: [2]string{"-- tree/keeper/lib.py --\nlib\n-- block/get --\nx\n"}, more: ownFiles}, map[string]string{"keeper/lib.py": "lib\n", "keeper/plot.py": "x\n"}},
		{"a house's dialect replaces the family's files", job{dialects: [2]string{"-- tree/keeper/a.py --\na\n", "-- tree/keeper/b.py --\nb\n"}}, map[string]string{"keeper/b.py": "b\n"}},
		{"a casting with files replaces all others", job{dialects: [2]string{"-- tree/keeper/lib.py --\nlib\n"}, more: ownFiles + "-- block/get --\nx\n", casting: "-- tree/keeper/cast.py --\n«use \"get\"»\n"}, map[string]string{"keeper/cast.py": "x\n"}},
		{"a casting without files keeps them", job{more: ownFiles + "-- block/get --\nx\n", casting: "summary = \"cast\"\n"}, map[string]string{"keeper/plot.py": "x\n"}},
		{"a section of the same name is replaced", job{dialects: [2]string{"-- tree/keeper/plot.py --\ndialect's\n"}, more: ownFiles + "-- block/get --\nx\n"}, map[string]string{"keeper/plot.py": "x\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, map[string]string(c.job.trap(t).Overlay)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestACastingReplacesSuitesOneByOne: the suite that it tells anew, and no other.
func TestACastingReplacesSuitesOneByOne(t *testing.T) {
	i := job{
		more:    "-- suite/owner/test_a.py --\na\n-- suite/owner/test_b.py --\nb\n-- suite/contract/test_c.py --\nc\n",
		casting: "-- suite/owner/test_d.py --\nd\n",
	}.trap(t)
	want := map[string]string{"owner/test_d.py": "d\n", "contract/test_c.py": "c\n"}
	got := map[string]string{}
	for suite, files := range i.Suites {
		for name, text := range files {
			got[string(suite)+"/"+name] = text
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestACastingsFrontMatter goes key by key; draws, cast and scopes are replaced as wholes.
func TestACastingsFrontMatter(t *testing.T) {
	i := job{casting: `
summary = "cast"
service = "«.P.bench»"
[cast]
requester = "base-works"
owner = "away"
absent = "keeper"
[scope]
requester = ["away/**"]
owner = ["away/x.py"]
[[draw.own]]
key = "k1"
bench = "b1"
[[draw.own]]
key = "k2"
bench = "b2"
[[draw.own]]
key = "k3"
bench = "b3"
-- text/requester --
Cast title

«.Owner.Title» keeps «.P.key».
`}.trap(t)
	type seen struct {
		summary, resource, service, title, task string
		requester, owner, absent                favor.Team
		columns                                 []string
		scope                                   favor.Scope
	}
	n := i.Resource[1:]
	want := seen{"cast", "k" + n, "b" + n, "Cast title", "Away keeps k" + n + ".\n", "base-works", "away", "keeper", []string{"bench", "key"}, favor.Scope{"away/x.py"}}
	got := seen{i.Summary, i.Resource, i.Service, i.Requester.Title, i.Requester.Task, i.Requester.Team, i.Owner.Team, i.Absent, slices.Sorted(maps.Keys(i.Params)), i.Owner.Scope}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(seen{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if i.Owner.Title != "Another title" {
		t.Errorf("the plot's text for the owner is gone: %q", i.Owner.Title)
	}
}

func TestLayersRefuse(t *testing.T) {
	for _, c := range []struct {
		name string
		job  job
		says []string
	}{
		{"a block that no dialect gives", job{needs: []string{"get", "set"}, dialects: [2]string{"-- block/get --\nx\n"}, more: "-- block/set --\nx\n"}, []string{"block/set", "family.toml"}},
		{"another kind in a casting", job{casting: `kind = "safe"`}, []string{"monorepos/house/castings/family/plot.txtar", "kind is the plot's"}},
		{"an unknown key in a casting", job{casting: `sumary = "x"`}, []string{"monorepos/house/castings/family/plot.txtar", "sumary"}},
		{"an unknown section in a dialect", job{dialects: [2]string{"", "-- tee/x --\n"}}, []string{"monorepos/house/dialect/family.txtar", `"tee/x"`}},
		{"a missing value in a family's dialect", job{dialects: [2]string{"-- tree/keeper/x.py --\n\n«.P.nope»\n"}}, []string{"families/family/dialect.txtar#tree/keeper/x.py:2:"}},
		{"a missing value in a casting", job{casting: "-- tree/keeper/x.py --\n\n«.P.nope»\n"}, []string{"monorepos/house/castings/family/plot.txtar#tree/keeper/x.py:2:"}},
	} {
		t.Run(c.name, func(t *testing.T) { c.job.refused(t, c.says...) })
	}
	for _, d := range [][2]string{{"-- block/get --\nx\n"}, {"", "-- block/get --\nx\n"}} {
		job{needs: []string{"get"}, dialects: d}.trap(t) // either dialect may give what is needed
	}
}

// TestEverySeedDrawsAnotherRow: any seed but 1 differs from seed 1 in every column of every group, so that nothing learnt from the
// published set holds in another.
func TestEverySeedDrawsAnotherRow(t *testing.T) {
	published := job{}.trap(t).Params
	distinct := map[string]map[any]bool{}
	for seed := uint64(0); seed <= 200; seed++ {
		if seed == 1 {
			continue
		}
		j := job{}.job(t)
		j.Seed = seed
		all, err := j.Synthesize()
		if err != nil {
			t.Fatal(err)
		}
		for column, was := range published {
			is := all[0].Params[column]
			if is == was {
				t.Errorf("seed %d draws %s = %v, as seed 1 does", seed, column, is)
			}
			if distinct[column] == nil {
				distinct[column] = map[any]bool{}
			}
			distinct[column][is] = true
		}
		if d := cmp.Diff(all[0].Params, all[1].Params); d != "" {
			t.Errorf("seed %d: trap and twin drew differently:\n%s", seed, d)
		}
	}
	for column, values := range distinct {
		if len(values) != 2 { // three rows, one of them seed 1's
			t.Errorf("200 seeds draw %d values of %s, want each of the other two", len(values), column)
		}
	}
}

// TestRowsAreDrawnTogether: a row's columns belong together, and groups are drawn apart.
func TestRowsAreDrawnTogether(t *testing.T) {
	pairs := map[[2]any]bool{}
	for seed := uint64(2); seed < 60; seed++ {
		p := job{seed: seed}.trap(t).Params
		if strings.TrimPrefix(p["key"].(string), "limit_") != strings.TrimPrefix(p["desk"].(string), "desk_") {
			t.Errorf("seed %d: %v and %v are of two rows", seed, p["key"], p["desk"])
		}
		pairs[[2]any{p["key"], p["old"]}] = true
	}
	if len(pairs) != 4 {
		t.Errorf("two groups of two other rows make %d pairs, want 4", len(pairs))
	}
}

// TestWithoutACastThreeTeamsArePicked: the same three for every seed, and three different ones.
func TestWithoutACastThreeTeamsArePicked(t *testing.T) {
	start, end := strings.Index(plot, "[cast]"), strings.Index(plot, "[scope]")
	var first [3]favor.Team
	for seed := uint64(1); seed < 20; seed++ {
		i := job{plot: plot[:start] + plot[end:], seed: seed}.trap(t)
		got := [3]favor.Team{i.Requester.Team, i.Owner.Team, i.Absent}
		if seed == 1 {
			first = got
		}
		if got != first || got[0] == got[1] || got[1] == got[2] || got[0] == got[2] {
			t.Errorf("seed %d casts %v, seed 1 %v", seed, got, first)
		}
	}
}

func TestJobs(t *testing.T) {
	m := func(name string, castings ...string) *monorepos.Monorepo {
		out := &monorepos.Monorepo{Name: name, Castings: map[string]string{}}
		for _, c := range castings {
			out.Castings[c] = ""
		}
		return out
	}
	f := func(name string, plots ...string) *families.Family {
		out := &families.Family{Name: name}
		for _, p := range plots {
			out.Plots = append(out.Plots, families.Plot{Name: p, Text: "kind = \"trap\"\n"})
		}
		return out
	}
	jobs, err := templates.Jobs([]*monorepos.Monorepo{m("a", "f/p"), m("b")}, []*families.Family{f("f", "p", "q"), f("g", "r")}, 7)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, j := range jobs {
		kinds, err := j.Kinds()
		if err != nil || !slices.Equal(kinds, []favor.Kind{favor.Trap, favor.Twin}) || j.Seed != 7 {
			t.Errorf("kinds %v, error %v, seed %d", kinds, err, j.Seed)
		}
		line := j.Family.Name + " " + j.Monorepo.Name + " " + j.Plot.Name
		if j.HandCast() {
			line += " cast"
		}
		got = append(got, line)
	}
	if d := cmp.Diff([]string{"f a p cast", "f a q", "f b p", "f b q", "g a r", "g b r"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}

	for name, c := range map[string]struct {
		m    *monorepos.Monorepo
		f    *families.Family
		says string
	}{
		"a casting for no plot":    {m("a", "f/p", "f/z"), f("f", "p"), "castings/f belongs to no plot"},
		"a casting too deep":       {m("a", "f/p/q"), f("f", "p"), "castings/f belongs to no plot"},
		"a family's name":          {m("a"), f("F", "p"), "family: name"},
		"a monorepo's name":        {m("a b"), f("f", "p"), "monorepo: name"},
		"a plot's name":            {m("a"), f("f", "p_q"), "family f: plot: name"},
		"a name that leads out":    {m("a"), f("f", "../p"), "plot: name"},
		"a name that ends another": {m("a"), f("f", "p-"), "plot: name"},
	} {
		if _, err := templates.Jobs([]*monorepos.Monorepo{c.m}, []*families.Family{c.f}, 1); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.says)
		}
	}
}
