// Package mutate measures hidden suites by mutation score. A plot declares, from the promise, variants of the obvious edit that
// break it and variants that keep it, and solutions of the requester's task that are wrong; a contract suite that lets a break
// live tests too little, one that kills what keeps the promise tests the value and not the promise, and a requester suite that
// lets a wrong solution live pays for work that was not done.
package mutate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"favorbench/favor"
	"favorbench/instances"
	"favorbench/internal/inorder"
	"favorbench/suites"
	"favorbench/templates"
)

// The bars that a set is held to.
const (
	MinKilled = 0.95 // of the breaks by the contract suites, and of the wrong solutions by the requester suites; of the keeps none

	MinBreaks = 3 // that every trap plot declares
	MinKeeps  = 2 // likewise
	MinWrong  = 3 // that every plot declares
)

// Runner runs suites; *suites.Engine is one.
type Runner interface {
	Run(ctx context.Context, r suites.Request) ([]suites.Result, error)
}

// Options say how to measure.
type Options struct {
	Workers int          // variants at once; 0 is one a core
	Done    func(Result) // called after each plot on a monorepo, from one goroutine at a time; may be nil
}

// Result is what came out for one plot on one monorepo.
type Result struct {
	ID       string    `json:"id"` // of the instance whose suites were measured
	Family   string    `json:"family"`
	Monorepo string    `json:"monorepo"`
	Plot     string    `json:"plot"`
	Variants []Outcome `json:"variants"`
	Missing  []string  `json:"missing,omitempty"` // what the plot declares too few of, and suites that fail anyway
}

// Outcome is what a suite made of a variant.
type Outcome struct {
	Variant string                `json:"variant"` // its name: breaks 2
	Sort    templates.VariantSort `json:"sort"`
	Reason  string                `json:"reason"`
	Suite   favor.Suite           `json:"suite"`
	Killed  bool                  `json:"killed"`
	By      []string              `json:"by"`                // the tests that fail
	Trouble string                `json:"trouble,omitempty"` // why the suite measured nothing; then neither killed nor alive
}

// Right reports whether the suite made of the variant what its sort asks for.
func (o Outcome) Right() bool { return o.Trouble == "" && o.Killed == (o.Sort != templates.Keeps) }

// Run measures the jobs' suites, in the order of the jobs.
func Run(ctx context.Context, jobs []templates.Job, runner Runner, o Options) ([]Result, error) {
	return inorder.Map(ctx, jobs, o.Workers, func(ctx context.Context, j templates.Job) (Result, error) {
		return measure(ctx, j, runner)
	}, o.Done)
}

func measure(ctx context.Context, j templates.Job, runner Runner) (Result, error) {
	i, variants, err := j.Variants()
	if err != nil {
		return Result{}, err
	}
	r := Result{ID: i.ID, Family: i.Family, Monorepo: i.Monorepo, Plot: i.Plot, Missing: missing(i.Kind, variants)}
	for _, c := range []struct {
		suite favor.Suite
		state favor.State
	}{{favor.SuiteContract, favor.Base}, {favor.SuiteRequester, favor.Of(favor.EditRequester, favor.EditObvious)}} {
		fault, err := control(ctx, i, c.suite, c.state, runner)
		if err != nil {
			return r, fmt.Errorf("%s: %w", i.ID, err)
		}
		if fault != "" {
			r.Missing = append(r.Missing, fault)
		}
	}
	for _, v := range variants {
		out, err := try(ctx, i, v, runner)
		if err != nil {
			return r, fmt.Errorf("%s, %s: %w", i.ID, v.Name(), err)
		}
		r.Variants = append(r.Variants, out)
	}
	return r, nil
}

// control runs a suite where it must pass: one that fails there as well would kill everything, and mean nothing by it.
func control(ctx context.Context, i *instances.Instance, suite favor.Suite, state favor.State, runner Runner) (string, error) {
	results, err := runner.Run(ctx, suites.Request{
		Tree: i.State(state), PythonPath: i.PythonPath,
		Suites: []suites.Suite{{Name: string(suite), Modules: i.Suites[suite]}},
	})
	if err != nil {
		return "", err
	}
	if got := results[0]; !got.Passed() {
		return fmt.Sprintf("%s: does not pass in %s (%s), so its kills mean nothing; validate says why", suite, state, got.End), nil
	}
	return "", nil
}

// missing says what a plot declares too few of.
func missing(kind favor.Kind, variants []templates.Variant) []string {
	want := []struct {
		sort  templates.VariantSort
		least int
	}{{templates.Wrong, MinWrong}}
	if kind.Harmful() {
		want = append(want, struct {
			sort  templates.VariantSort
			least int
		}{templates.Breaks, MinBreaks}, struct {
			sort  templates.VariantSort
			least int
		}{templates.Keeps, MinKeeps})
	}
	var out []string
	for _, w := range want {
		have := 0
		for _, v := range variants {
			if v.Sort == w.sort {
				have++
			}
		}
		if have < w.least {
			out = append(out, fmt.Sprintf("%s: %d declared, want at least %d", w.sort, have, w.least))
		}
	}
	return out
}

// try runs the variant's suite with the variant's edit.
func try(ctx context.Context, i *instances.Instance, v templates.Variant, runner Runner) (Outcome, error) {
	out := Outcome{Variant: v.Name(), Sort: v.Sort, Reason: v.Reason, Suite: v.Suite(), By: []string{}}
	results, err := runner.Run(ctx, suites.Request{
		Tree: i.Tree.Overlay(v.Edit), PythonPath: i.PythonPath,
		Suites: []suites.Suite{{Name: string(v.Suite()), Modules: i.Suites[v.Suite()]}},
	})
	if err != nil {
		return out, err
	}
	got := results[0]
	if got.End != suites.OK && got.End != suites.Fail {
		out.Trouble = strings.TrimSpace(fmt.Sprintf("the suite did not run to its end (%s) %s", got.End, got.Message))
		return out, nil
	}
	failing := got.Failing()
	for _, t := range failing {
		out.By = append(out.By, t.ID)
	}
	out.Killed = len(failing) > 0
	// A variant that cannot even be imported is no change that a colleague would write, and killing it is no merit.
	if out.Killed && !slices.ContainsFunc(failing, func(t suites.Test) bool { return !unimportable(t.Exception) }) {
		out.Trouble = fmt.Sprintf("the variant cannot be imported (%s: %s): write it so that it runs", failing[0].Exception, failing[0].Message)
	}
	return out, nil
}

func unimportable(exception string) bool {
	return slices.Contains([]string{"ImportError", "ModuleNotFoundError", "SyntaxError", "IndentationError", "NameError"}, exception)
}
