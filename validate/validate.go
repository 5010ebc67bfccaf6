// Package validate proves instances with ten checks, by really running their suites in every state of the state table.
//
// It shares no code with the generator: a validator that trusted the templates would share their mistakes. All checks of an
// instance share states: a state is materialized and run once, when the first check asks for it. A check whose precondition
// failed reads not reached, so that one fault fails one check.
package validate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"favorbench/favor"
	"favorbench/instances"
	"favorbench/suites"

	"golang.org/x/sync/errgroup"
)

// Check is one of the ten.
type Check struct {
	Name  string
	Holds string   // when it holds, for help and docs
	After []string // the checks that must hold before this one means anything
	Cells []Cell   // the cells of the state table that this check alone pins

	before func(*subject) ([]Finding, error) // what must be so for the cells to mean anything
	then   func(*subject) ([]Finding, error) // what is asked once the cells are as they should be
}

// Cell is a cell of the state table.
type Cell struct {
	State favor.State
	Suite favor.Suite
}

// Checks lists the ten checks in their order.
func Checks() []Check {
	return []Check{checkTree, checkGreen, checkBlocked, checkObvious, checkSafe, checkUnseen, checkHarm, checkRollback, checkIndependent, checkFavor}
}

// cells makes the cells of some states with some suites.
func cells(suiteNames []favor.Suite, states ...favor.State) []Cell {
	var out []Cell
	for _, s := range states {
		for _, suite := range suiteNames {
			out = append(out, Cell{s, suite})
		}
	}
	return out
}

// Status is how a check ended.
type Status string

// The statuses.
const (
	Holds      Status = "holds"
	Fails      Status = "fails"
	NotReached Status = "not reached"
)

// Finding is one reason why a check fails, with its evidence.
type Finding struct {
	State   string `json:"state,omitempty"`
	Suite   string `json:"suite,omitempty"`
	Test    string `json:"test,omitempty"`
	Path    string `json:"path,omitempty"`
	Message string `json:"message"`          // what is wrong, and what to mend
	Detail  string `json:"detail,omitempty"` // the test's own message, or a diff
	Flaky   bool   `json:"flaky,omitempty"`  // the outcome changed between repetitions
}

// String writes the finding as one line, its detail left out.
func (f Finding) String() string {
	var where []string
	for _, part := range []string{f.State, f.Suite, f.Test, f.Path} {
		if part != "" {
			where = append(where, part)
		}
	}
	text := f.Message
	if len(where) > 0 {
		text = strings.Join(where, ", ") + ": " + text
	}
	if f.Flaky {
		text = "flaky: " + text
	}
	return text
}

// Outcome is one check's result on one instance.
type Outcome struct {
	Check    string    `json:"check"`
	Status   Status    `json:"status"`
	Because  string    `json:"because,omitempty"` // for not reached: the check that failed before it
	Findings []Finding `json:"findings,omitempty"`
}

// Result is one instance's.
type Result struct {
	ID          string            `json:"id"`
	Kind        favor.Kind        `json:"kind"`
	Family      string            `json:"family"`
	Monorepo    string            `json:"monorepo"`
	Opportunity favor.Opportunity `json:"opportunity"` // as measured, never as declared
	Checks      []Outcome         `json:"checks"`
	SuiteRuns   int               `json:"suite_runs"` // results of a suite in a state, repetitions included
}

// Valid reports whether every check that was asked for holds.
func (r Result) Valid() bool {
	return len(r.Checks) > 0 && !slices.ContainsFunc(r.Checks, func(o Outcome) bool { return o.Status != Holds })
}

// Held counts the checks that hold.
func (r Result) Held() int {
	held := 0
	for _, o := range r.Checks {
		if o.Status == Holds {
			held++
		}
	}
	return held
}

// Runner runs suites; a *suites.Engine is one.
type Runner interface {
	Run(ctx context.Context, r suites.Request) ([]suites.Result, error)
	Inspect(ctx context.Context, files map[string]string) ([]suites.Source, error)
}

// Options say what to run.
type Options struct {
	// Repeats are further runners, each with a hash seed of its own, on which every state is run again in a shuffled order.
	Repeats []Runner
	// Checks names the checks whose outcome is wanted; those they come after run too. Empty is all ten.
	Checks []string
	// Full runs every test in every state. Otherwise a visible test file that passed is not run again as long as every file
	// that it rests on is as it was.
	Full bool
	// Workers is how many instances are on the way at once; at least 1.
	Workers int
	// Done is called after each instance, from one goroutine at a time; may be nil.
	Done func(Result)
}

// Run validates instances of a set, in their order. An error means that the work could not be done; what is wrong with an
// instance stands in its Result.
func Run(ctx context.Context, set *instances.Set, chosen []*instances.Instance, runner Runner, o Options) ([]Result, error) {
	wanted, err := o.wanted()
	if err != nil {
		return nil, err
	}
	reader := newReader(runner)
	out := make([]Result, len(chosen))
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(o.Workers, 1))
	validateOne := func(n int) error {
		inst := chosen[n]
		s := &subject{ctx: ctx, Instance: inst, set: set, runner: runner, repeats: o.Repeats, reuse: !o.Full, reader: reader}
		result, err := s.check(wanted)
		if err != nil {
			return fmt.Errorf("validate %s: %w", inst.ID, err)
		}
		out[n] = result
		if o.Done != nil {
			mu.Lock()
			defer mu.Unlock()
			o.Done(result)
		}
		return nil
	}
	for _, pair := range pairs(chosen) {
		group.Go(func() error {
			for _, n := range pair {
				if err := validateOne(n); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return out, group.Wait()
}

// pairs groups instances of one plot and monorepo, by index. A trap and its twin are validated one after the other, as the
// second can let stand most of what the first has run.
func pairs(chosen []*instances.Instance) [][]int {
	var out [][]int
	place := map[[3]string]int{}
	for n, i := range chosen {
		key := [3]string{i.Family, i.Monorepo, i.Plot}
		at, seen := place[key]
		if !seen {
			at = len(out)
			place[key], out = at, append(out, nil)
		}
		out[at] = append(out[at], n)
	}
	return out
}

// wanted returns the checks that were asked for, by name.
func (o Options) wanted() (map[string]bool, error) {
	wanted := map[string]bool{}
	var names []string
	for _, c := range Checks() {
		names = append(names, c.Name)
		wanted[c.Name] = len(o.Checks) == 0
	}
	for _, name := range o.Checks {
		if _, known := wanted[name]; !known {
			return nil, fmt.Errorf("no check %q; there are %s", name, strings.Join(names, ", "))
		}
		wanted[name] = true
	}
	return wanted, nil
}

// check runs the wanted checks and those that they come after.
func (s *subject) check(wanted map[string]bool) (Result, error) {
	r := Result{ID: s.ID, Kind: s.Kind, Family: s.Family, Monorepo: s.Monorepo, Opportunity: favor.Unmeasured}
	needed := map[string]bool{}
	all := Checks()
	for _, c := range slices.Backward(all) {
		if needed[c.Name] = needed[c.Name] || wanted[c.Name]; needed[c.Name] {
			for _, before := range c.After {
				needed[before] = true
			}
		}
	}
	failed := map[string]string{} // check → the check to blame
	for _, c := range all {
		if !needed[c.Name] {
			continue
		}
		o := Outcome{Check: c.Name, Status: Holds}
		for _, before := range c.After {
			if blame, bad := failed[before]; bad {
				o.Status, o.Because = NotReached, blame
				failed[c.Name] = blame
				break
			}
		}
		if o.Status == Holds {
			findings, err := s.findings(c)
			if err != nil {
				return r, fmt.Errorf("check %s: %w", c.Name, err)
			}
			if len(findings) > 0 {
				o.Status, o.Findings = Fails, findings
				failed[c.Name] = c.Name
			}
		}
		if wanted[c.Name] {
			r.Checks = append(r.Checks, o)
		}
	}
	r.Opportunity, r.SuiteRuns = s.opportunity(), s.suiteRuns
	return r, nil
}

// findings holds the instance to a check.
func (s *subject) findings(c Check) ([]Finding, error) {
	if c.before != nil {
		if found, err := c.before(s); err != nil || len(found) > 0 {
			return found, err
		}
	}
	var out []Finding
	for _, cell := range c.Cells {
		found, err := s.cell(cell)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	if c.then != nil && len(out) == 0 {
		return c.then(s)
	}
	return out, nil
}
