package mutate_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"favorbench/families"
	"favorbench/favor"
	"favorbench/monorepos"
	"favorbench/mutate"
	"favorbench/suites"
	"favorbench/templates"
	"favorbench/tree"

	"github.com/google/go-cmp/cmp"
)

// scaffolded is the scaffold's family on the scaffold's monorepo: a trap plot with eight variants and a safe one with three.
func scaffolded(t *testing.T) []templates.Job {
	t.Helper()
	house, err := templates.NewMonorepo("postline")
	if err != nil {
		t.Fatal(err)
	}
	data, err := templates.NewFamily("booking-limit", "F9")
	if err != nil {
		t.Fatal(err)
	}
	load := func(folder string, files map[string]string) fstest.MapFS {
		out := fstest.MapFS{}
		for name, text := range files {
			out[folder+"/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
		return out
	}
	repos, err := monorepos.Load(load("postline", house))
	if err != nil {
		t.Fatal(err)
	}
	fams, err := families.Load(load("booking-limit", data))
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := templates.Jobs(repos, fams, 1)
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

// verdict answers each request by what stands in the tree.
type verdict func(suite string, tree map[string]string) suites.Result

func (v verdict) Run(_ context.Context, r suites.Request) ([]suites.Result, error) {
	return []suites.Result{v(r.Suites[0].Name, r.Tree)}, nil
}

func treeOf(files map[string]string) string { return tree.Files(files).Digest() }

func failing(exception string) suites.Result {
	return suites.Result{End: suites.Fail, Tests: []suites.Test{{ID: "m.C.test", Outcome: suites.Failed, Exception: exception, Message: "so it is"}}}
}

// TestBars: the outcome of a run follows from what the suites make of each sort of variant.
func TestBars(t *testing.T) {
	solved := map[string]bool{} // trees with the requester's edit and obvious
	for _, j := range scaffolded(t) {
		i, _, err := j.Variants()
		if err != nil {
			t.Fatal(err)
		}
		solved[treeOf(i.State(favor.Of(favor.EditRequester, favor.EditObvious)))] = true
	}
	sound := func(suite string, tree map[string]string) suites.Result {
		if suite == "requester" && solved[treeOf(tree)] {
			return suites.Result{End: suites.OK}
		}
		gate := tree["foundation/booking_limit_gate.py"] + tree["orders/booking_limit_gate.py"] + tree["accounts/booking_limit_gate.py"] + tree["stock/booking_limit_gate.py"]
		if suite == "contract" && !strings.Contains(gate, "night") && !strings.Contains(gate, "= 1000000") && !strings.Contains(gate, "= 26") &&
			!strings.Contains(gate, "= 41") && !strings.Contains(gate, "= 16\n") && !strings.Contains(gate, "= 71") {
			return suites.Result{End: suites.OK}
		}
		return failing("AssertionError")
	}
	for _, c := range []struct {
		name   string
		runner verdict
		passes bool
		scores map[templates.VariantSort]mutate.Score
		says   string // of the first offender
	}{
		{"sound suites", sound, true, map[templates.VariantSort]mutate.Score{templates.Breaks: {Killed: 3}, templates.Keeps: {Alive: 2}, templates.Wrong: {Killed: 6}}, ""},
		{"suites that fail whatever comes", func(string, map[string]string) suites.Result { return failing("AssertionError") }, false,
			map[templates.VariantSort]mutate.Score{templates.Breaks: {Killed: 3}, templates.Keeps: {Killed: 2}, templates.Wrong: {Killed: 6}}, "keeps 1"},
		{"suites that pass whatever comes", func(string, map[string]string) suites.Result { return suites.Result{End: suites.OK} }, false,
			map[templates.VariantSort]mutate.Score{templates.Breaks: {Alive: 3}, templates.Keeps: {Alive: 2}, templates.Wrong: {Alive: 6}}, "wrong 1"},
		{"variants that cannot be imported", func(string, map[string]string) suites.Result { return failing("ImportError") }, false,
			map[templates.VariantSort]mutate.Score{templates.Breaks: {Troubled: 3}, templates.Keeps: {Troubled: 2}, templates.Wrong: {Troubled: 6}}, "wrong 1"},
		{"suites that do not end", func(string, map[string]string) suites.Result { return suites.Result{End: suites.Timeout} }, false,
			map[templates.VariantSort]mutate.Score{templates.Breaks: {Troubled: 3}, templates.Keeps: {Troubled: 2}, templates.Wrong: {Troubled: 6}}, "wrong 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			done := 0
			results, err := mutate.Run(t.Context(), scaffolded(t), c.runner, mutate.Options{Done: func(mutate.Result) { done++ }})
			if err != nil {
				t.Fatal(err)
			}
			r := mutate.NewReport(results, 1, "")
			got := map[templates.VariantSort]mutate.Score{}
			for sort, s := range r.Scores {
				got[sort] = *s
			}
			if d := cmp.Diff(c.scores, got); d != "" {
				t.Errorf("scores (-want +got):\n%s", d)
			}
			if r.Passes != c.passes || done != len(results) {
				t.Errorf("passes %v, want %v; %d of %d reported", r.Passes, c.passes, done, len(results))
			}
			first := ""
			for _, o := range r.Offenders() {
				for _, v := range o.Variants {
					if first == "" {
						first = v.Variant
					}
				}
			}
			if first != c.says {
				t.Errorf("first offender %q, want %q", first, c.says)
			}
		})
	}
}

// TestASuiteThatFailsAnywayMeasuresNothing: its kills look like merit, so it is run where it must pass as well.
func TestASuiteThatFailsAnywayMeasuresNothing(t *testing.T) {
	always := verdict(func(string, map[string]string) suites.Result { return failing("AssertionError") })
	results, err := mutate.Run(t.Context(), scaffolded(t), always, mutate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		want := []string{
			"contract: does not pass in base (failed), so its kills mean nothing; validate says why",
			"requester: does not pass in requester+obvious (failed), so its kills mean nothing; validate says why",
		}
		if d := cmp.Diff(want, r.Missing); d != "" {
			t.Errorf("%s (-want +got):\n%s", r.ID, d)
		}
	}
}

// TestAFewSurvivorsAreAllowed: the bar is a share of the set, but what is below it is named all the same.
func TestAFewSurvivorsAreAllowed(t *testing.T) {
	var all []mutate.Outcome
	for n := range 40 {
		all = append(all, mutate.Outcome{Sort: templates.Breaks, Killed: n >= 2})
	}
	r := mutate.NewReport([]mutate.Result{{ID: "a", Variants: all}}, 1, "")
	if !r.Passes || len(r.Offenders()[0].Variants) != 2 {
		t.Errorf("38 of 40: passes %v, offenders %v", r.Passes, r.Offenders())
	}
	all[5].Killed = false
	if mutate.NewReport([]mutate.Result{{Variants: all}}, 1, "").Passes {
		t.Error("37 of 40 pass")
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := mutate.Run(ctx, scaffolded(t), failer{}, mutate.Options{})
	if err == nil || !strings.Contains(err.Error(), "booking-limit/postline-shared-limit") {
		t.Errorf("error %v, want one that names the instance", err)
	}
}

type failer struct{}

func (failer) Run(ctx context.Context, _ suites.Request) ([]suites.Result, error) {
	return nil, ctx.Err()
}
