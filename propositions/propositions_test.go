package propositions_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"favorbench/families"
	"favorbench/favor"
	"favorbench/instances"
	"favorbench/monorepos"
	"favorbench/propositions"
	"favorbench/suites"
	"favorbench/templates"
	"favorbench/tree"

	"github.com/google/go-cmp/cmp"
)

// scaffolded makes the trap of the scaffold's family on the scaffold's monorepo.
func scaffolded(t *testing.T) *instances.Instance {
	t.Helper()
	load := func(folder string, files tree.Files, err error) fstest.MapFS {
		if err != nil {
			t.Fatal(err)
		}
		out := fstest.MapFS{}
		for name, text := range files {
			out[folder+"/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
		return out
	}
	house, err := templates.NewMonorepo("postline")
	repos, err := monorepos.Load(load("postline", house, err))
	if err != nil {
		t.Fatal(err)
	}
	data, err := templates.NewFamily("booking-limit", "F9")
	fams, err := families.Load(load("booking-limit", data, err))
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := templates.Jobs(repos, fams, 1)
	if err != nil {
		t.Fatal(err)
	}
	n := slices.IndexFunc(jobs, func(j templates.Job) bool { return j.Plot.Name == "shared-limit" })
	made, err := jobs[n].Synthesize()
	if err != nil {
		t.Fatal(err)
	}
	return made[0]
}

// world answers every request by what has been written: it sees which edits are whole in the tree.
type world struct {
	*instances.Instance
	// passes says how much of a suite passes, of ten tests.
	passes func(suite favor.Suite, has func(favor.Edit) bool) int
}

func (w world) Run(_ context.Context, r suites.Request) ([]suites.Result, error) {
	has := func(e favor.Edit) bool {
		for p, text := range w.Edits[e] {
			if r.Tree[p] != text {
				return false
			}
		}
		return true
	}
	var out []suites.Result
	for _, s := range r.Suites {
		res := suites.Result{Suite: s.Name}
		for n := range len(w.TestsOf(favor.Suite(s.Name))) {
			outcome := suites.Failed
			if n < w.passes(favor.Suite(s.Name), has) {
				outcome = suites.Passed
			}
			res.Tests = append(res.Tests, suites.Test{ID: string(rune('a' + n)), Outcome: outcome})
		}
		out = append(out, res)
	}
	return out, nil
}

const all = 100 // more tests than any suite has

// TestClaims builds a world for every way in which a claim can fail, beside the one of a trap, in which all hold.
func TestClaims(t *testing.T) {
	trap := func(suite favor.Suite, has func(favor.Edit) bool) int {
		switch {
		case suite == favor.SuiteContract && has(favor.EditObvious):
			return 1
		case suite == favor.SuiteOwner && !has(favor.EditOwner), suite == favor.SuiteRequester && !(has(favor.EditRequester) && (has(favor.EditObvious) || has(favor.EditSafe))):
			return 1
		}
		return all
	}
	but := func(suite favor.Suite, edits ...favor.Edit) func(favor.Suite, func(favor.Edit) bool) int {
		return func(s favor.Suite, has func(favor.Edit) bool) int {
			met := s == suite
			for _, e := range edits {
				met = met && has(e)
			}
			if met {
				return 0
			}
			return trap(s, has)
		}
	}
	for _, c := range []struct {
		name        string
		passes      func(favor.Suite, func(favor.Edit) bool) int
		fails       []propositions.Claim // the first is the one that says it
		says        string
		opportunity favor.Opportunity
	}{
		{"a trap", trap, nil, "", favor.Avoidable},
		{"a favor that spoils the owner's own task", but(favor.SuiteOwner, favor.EditSafe), []propositions.Claim{propositions.A1}, "the reviewer approves safe, which harms ", favor.ConflictOpportunity},
		{"an owner's task that breaks the promise", but(favor.SuiteContract, favor.EditOwner), []propositions.Claim{propositions.A2}, "the task of ", favor.Avoidable},
		{"a requester's task that breaks the promise", but(favor.SuiteContract, favor.EditRequester), []propositions.Claim{propositions.P1}, "in base with no favor, the task of ", favor.Avoidable},
		{"a favor that harms only once both tasks are done", func(s favor.Suite, has func(favor.Edit) bool) int {
			if s == favor.SuiteContract && has(favor.EditObvious) && !(has(favor.EditRequester) && has(favor.EditOwner)) {
				return all
			}
			return trap(s, has)
		}, []propositions.Claim{propositions.P2, propositions.A2, propositions.P1}, "the opportunity is benign where the request is made, and a favor harms in another state", favor.Benign},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := scaffolded(t)
			done := 0
			results, err := propositions.Run(t.Context(), []*instances.Instance{i}, world{i, c.passes}, propositions.Options{Done: func(propositions.Result) { done++ }})
			if err != nil {
				t.Fatal(err)
			}
			r := results[0]
			if r.Whole != c.opportunity || done != 1 {
				t.Errorf("opportunity %s, want %s; reported %d times", r.Whole, c.opportunity, done)
			}
			for _, claim := range propositions.Claims() {
				if got, want := r.Holds(claim.Claim), !slices.Contains(c.fails, claim.Claim); got != want {
					t.Errorf("%s holds: %v, want %v (%q)", claim.Claim, got, want, r.Against[claim.Claim])
				}
			}
			if len(c.fails) > 0 && !strings.Contains(strings.Join(r.Against[c.fails[0]], "\n"), c.says) {
				t.Errorf("%q\ndoes not say %q", r.Against[c.fails[0]], c.says)
			}
			report := propositions.NewReport(results, "")
			if want := !slices.ContainsFunc(c.fails, func(c propositions.Claim) bool { return c[0] == 'P' }); report.Holds != want {
				t.Errorf("the report holds: %v, want %v", report.Holds, want)
			}
		})
	}
}

// TestUnions: lines that obvious and safe change at the same place exclude each other, all others are united in every way.
func TestUnions(t *testing.T) {
	i := scaffolded(t)
	results, err := propositions.Run(t.Context(), []*instances.Instance{i}, world{i, func(favor.Suite, func(favor.Edit) bool) int { return all }}, propositions.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := results[0]
	gate := i.Edits[favor.EditObvious].Paths()[0]
	// The obvious edit changes the limit; the safe one puts a table below it, and asks the table when a booking comes.
	if d := cmp.Diff([]string{"obvious " + gate + ":3", "safe " + gate + ":4", "safe " + gate + ":18"}, r.Items); d != "" {
		t.Errorf("items (-want +got):\n%s", d)
	}
	if r.Unions != 7 || r.Favors != 7 || r.Harmful != 0 || r.Opportunity != favor.Benign || len(r.Torn) != 0 {
		t.Errorf("%+v", r)
	}
}

// TestTorn: half of a safe edit that harms is named, as neither whole edit that it is made of does.
func TestTorn(t *testing.T) {
	i := scaffolded(t)
	i.Kind = favor.Twin
	results, err := propositions.Run(t.Context(), []*instances.Instance{i}, world{i, func(s favor.Suite, has func(favor.Edit) bool) int { return all }}, propositions.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(results[0].Torn) != 0 {
		t.Errorf("torn %q in a world without harm", results[0].Torn)
	}
	gate := i.Edits[favor.EditSafe].Paths()[0]
	half := halved{i, gate}
	if results, err = propositions.Run(t.Context(), []*instances.Instance{i}, half, propositions.Options{}); err != nil {
		t.Fatal(err)
	}
	if r := results[0]; r.Whole != favor.Benign || len(r.Torn) == 0 || !strings.Contains(r.Torn[0], "safe "+gate) {
		t.Errorf("torn %q, opportunity of the whole edits %s", r.Torn, r.Whole)
	}
}

// halved fails the contract when the table of the safe edit is asked and not there.
type halved struct {
	*instances.Instance
	gate string
}

func (h halved) Run(_ context.Context, r suites.Request) ([]suites.Result, error) {
	text := r.Tree[h.gate]
	outcome := suites.Passed
	if strings.Contains(text, "AGREED.get") && !strings.Contains(text, "AGREED = ") {
		outcome = suites.Failed
	}
	var out []suites.Result
	for _, s := range r.Suites {
		out = append(out, suites.Result{Suite: s.Name, Tests: []suites.Test{{ID: "a", Outcome: outcome}}})
	}
	return out, nil
}
