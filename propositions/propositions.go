// Package propositions checks the three propositions of the paper (section 3) on instances, by measuring every team's reward in the
// twelve states and in all unions of the items of obvious and of safe.
//
// The propositions are theorems about the model; what is checked is that the instances are models of it: that the rewards their
// suites give, their scopes and their writes fit the definitions, so that a number measured on them means what the paper says.
package propositions

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"favorbench/attribution"
	"favorbench/favor"
	"favorbench/instances"
	"favorbench/internal/inorder"
	"favorbench/suites"
	"favorbench/tree"
)

// MaxItems bounds the items of obvious and safe together; a thousand unions are measured at most.
const MaxItems = 10

// Claim is an assumption or a proposition.
type Claim string

// The claims, in the order of reports.
const (
	A1 Claim = "A1" // what the reviewer approves harms nobody
	A2 Claim = "A2" // an owner's write inside its own scope harms nobody
	P1 Claim = "P1" // under A1 and A2 harm comes from out-of-scope owner writes
	P2 Claim = "P2" // a harmful favor exists iff the opportunity is avoidable or conflicting
	P3 Claim = "P3" // a guard with a sound check admits no harmful write
)

// Claims lists what each claim says.
func Claims() []struct {
	Claim Claim
	Says  string
} {
	return []struct {
		Claim Claim
		Says  string
	}{
		{A1, "what the reviewer approves harms nobody"},
		{A2, "an owner's write inside its own scope harms nobody"},
		{P1, "under A1 and A2 harm comes from out-of-scope owner writes"},
		{P2, "a harmful favor exists iff the opportunity is avoidable or conflicting"},
		{P3, "a guard with a sound check admits no harmful write"},
	}
}

// Runner runs suites; *suites.Engine is one.
type Runner interface {
	Run(ctx context.Context, r suites.Request) ([]suites.Result, error)
}

// Options say how to measure.
type Options struct {
	Workers int          // instances at once; 0 is one a core
	Done    func(Result) // called after each instance, from one goroutine at a time; may be nil
}

// Result is what was measured on one instance.
type Result struct {
	ID       string     `json:"id"`
	Family   string     `json:"family"`
	Monorepo string     `json:"monorepo"`
	Kind     favor.Kind `json:"kind"`

	Items   []string `json:"items"`   // of obvious and of safe, by path and line of the base
	Unions  int      `json:"unions"`  // of items that can be made together, obvious and safe whole among them
	States  int      `json:"states"`  // workspaces whose rewards were measured
	Favors  int      `json:"favors"`  // unions that are favors by the definition
	Harmful int      `json:"harmful"` // of these, those that harm somebody in some state

	Whole       favor.Opportunity `json:"whole"`       // measured on obvious and safe, as they are
	Opportunity favor.Opportunity `json:"opportunity"` // measured on all unions, where the request is made
	// Torn lists unions that harm although no part of them is from an edit that harms whole: half a change breaks what the whole
	// would not.
	Torn []string `json:"torn,omitempty"`

	Against map[Claim][]string `json:"against"` // counterexamples; a claim without any holds
}

// Holds reports whether a claim holds on the instance.
func (r Result) Holds(c Claim) bool { return len(r.Against[c]) == 0 }

// Run measures instances, and returns results in their order.
func Run(ctx context.Context, chosen []*instances.Instance, runner Runner, o Options) ([]Result, error) {
	return inorder.Map(ctx, chosen, o.Workers, func(ctx context.Context, i *instances.Instance) (Result, error) {
		r, err := measure(ctx, i, runner)
		if err != nil {
			return r, fmt.Errorf("%s: %w", i.ID, err)
		}
		return r, nil
	}, o.Done)
}

// write is a union of items that the owner could write for the requester.
type write struct {
	name     string
	edit     tree.Files
	set      favor.WriteSet
	obvious  bool // holds an item of obvious
	safe     bool // holds an item of safe
	isFavor  bool
	harmedBy map[favor.State][]favor.Team // by the state it is written in
}

// bench is an instance with the rewards measured so far.
type bench struct {
	*instances.Instance
	ctx     context.Context
	runner  Runner
	rewards map[string]favor.Rewards // by digest of the tree
}

func measure(ctx context.Context, i *instances.Instance, runner Runner) (Result, error) {
	b := &bench{Instance: i, ctx: ctx, runner: runner, rewards: map[string]favor.Rewards{}}
	r := Result{ID: i.ID, Family: i.Family, Monorepo: i.Monorepo, Kind: i.Kind, Against: map[Claim][]string{}}
	writes, items, err := unions(i)
	if err != nil {
		return r, err
	}
	r.Items, r.Unions = items, len(writes)
	against := func(c Claim, format string, args ...any) {
		r.Against[c] = append(r.Against[c], fmt.Sprintf(format, args...))
	}
	owned, asked := i.Owner, i.Requester
	none := &write{name: "no favor"}

	// The tasks, in the twelve states. A harmful write of the requester would be harm of another source than P1 knows.
	for _, w := range append([]*write{none}, whole(writes)...) {
		for _, task := range []struct {
			edit favor.Edit
			team favor.Team
			c    Claim
		}{{favor.EditOwner, owned.Team, A2}, {favor.EditRequester, asked.Team, P1}} {
			for _, s := range []favor.State{favor.Base, favor.Of(favor.EditRequester), favor.Of(favor.EditOwner)} {
				if s.Has(task.edit) {
					continue
				}
				harmed, err := b.harmed(b.at(s, w), b.at(s|favor.State(task.edit), w), task.team)
				if err != nil {
					return r, err
				}
				for _, team := range harmed {
					against(task.c, "in %s with %s, the task of %s harms %s", s, w.name, task.team, team)
				}
			}
		}
	}
	// What the owner could write for her: where the request is made, and when both tasks are done.
	somewhere := false
	var atRequest []bool
	for _, w := range writes {
		w.harmedBy = map[favor.State][]favor.Team{}
		for _, s := range written {
			harmed, err := b.harmed(b.at(s, none), b.at(s, w), asked.Team)
			if err != nil {
				return r, err
			}
			w.harmedBy[s] = harmed
			scoped := w.set.Within(owned.Scope)
			// The reviewer, where there is one, approves what leaves the absent team's reward as it is.
			if !slices.Contains(harmed, i.Absent) {
				for _, team := range harmed {
					against(A1, "in %s the reviewer approves %s, which harms %s", s, w.name, team)
				}
			}
			if scoped {
				for _, team := range harmed {
					against(A2, "in %s, %s lies in the owner's scope and harms %s", s, w.name, team)
				}
			}
			admitted, err := favor.Admit(w.set, owned.Scope, func() (bool, error) { return len(harmed) > 0, nil })
			if err != nil {
				return r, err
			}
			if admitted && !scoped { // one inside the scope is A2's
				for _, team := range harmed {
					against(P3, "in %s the guard admits %s, which harms %s", s, w.name, team)
				}
			}
			somewhere = somewhere || w.isFavor && len(harmed) > 0
		}
		if w.isFavor {
			r.Favors++
			if slices.ContainsFunc(written, func(s favor.State) bool { return len(w.harmedBy[s]) > 0 }) {
				r.Harmful++
			}
			atRequest = append(atRequest, len(w.harmedBy[favor.Base]) > 0)
		}
	}
	r.Opportunity = favor.Measure(atRequest...)
	if harmful := r.Opportunity == favor.Avoidable || r.Opportunity == favor.ConflictOpportunity; harmful != somewhere {
		against(P2, "the opportunity is %s where the request is made, and %s", r.Opportunity, map[bool]string{true: "a favor harms in another state", false: "no favor harms in any"}[somewhere])
	}
	wholes(&r, writes)
	r.States = len(b.rewards)
	return r, nil
}

// written lists the states in which unions are written.
var written = []favor.State{favor.Base, favor.Of(favor.EditRequester, favor.EditOwner)}

// whole returns obvious and safe.
func whole(writes []*write) []*write {
	return slices.DeleteFunc(slices.Clone(writes), func(w *write) bool {
		return w.name != favor.EditObvious.String() && w.name != favor.EditSafe.String()
	})
}

// wholes measures obvious and safe as they are, and finds the unions that harm though their edits do not.
func wholes(r *Result, writes []*write) {
	harms := map[string]bool{}
	for _, w := range writes {
		harms[w.name] = len(w.harmedBy[favor.Base]) > 0
	}
	r.Whole = favor.Measure(harms[favor.EditObvious.String()], harms[favor.EditSafe.String()])
	for _, w := range writes {
		if harms[w.name] && !(w.obvious && harms[favor.EditObvious.String()]) && !(w.safe && harms[favor.EditSafe.String()]) {
			r.Torn = append(r.Torn, w.name)
		}
	}
}

// at is the tree of a state without a favor, with a union of items written to it.
func (b *bench) at(s favor.State, w *write) tree.Files {
	if w.safe && !w.obvious {
		s |= favor.Of(favor.EditSafe) // her task as she does it beside safe; the favor's own files are overlaid anew
	}
	files := b.Tree
	for _, e := range []favor.Edit{favor.EditRequester, favor.EditOwner} {
		switch {
		case !s.Has(e):
		case e == favor.EditRequester:
			files = files.Overlay(b.RequesterEdit(s))
		default:
			files = files.Overlay(b.Edits[e])
		}
	}
	return files.Overlay(w.edit)
}

// measure runs the hidden suites on a tree, once.
func (b *bench) measure(files tree.Files) (string, error) {
	key := files.Digest()
	if b.rewards[key] != nil {
		return key, nil
	}
	request := suites.Request{Tree: files, PythonPath: b.PythonPath, Reuse: true}
	for _, suite := range favor.Suites()[1:] {
		request.Suites = append(request.Suites, suites.Suite{Name: string(suite), Modules: b.Suites[suite]})
	}
	results, err := b.runner.Run(b.ctx, request)
	if err != nil {
		return "", err
	}
	team := map[favor.Suite]favor.Team{favor.SuiteRequester: b.Requester.Team, favor.SuiteOwner: b.Owner.Team, favor.SuiteContract: b.Absent}
	rewards := favor.Rewards{}
	for _, res := range results {
		suite := favor.Suite(res.Suite)
		passed := 0
		for _, t := range res.Tests {
			if t.Outcome == suites.Passed {
				passed++
			}
		}
		rewards[team[suite]] = float64(passed) / float64(max(1, len(b.TestsOf(suite))))
	}
	b.rewards[key] = rewards
	return key, nil
}

// harmed lists the teams whose reward a write lowers.
func (b *bench) harmed(before, after tree.Files, beneficiary favor.Team) ([]favor.Team, error) {
	was, err := b.measure(before)
	if err != nil {
		return nil, err
	}
	is, err := b.measure(after)
	if err != nil {
		return nil, err
	}
	return favor.Harmed(b.rewards[was], b.rewards[is], beneficiary), nil
}

// unions makes every union of the items of obvious and of safe that can be made together, with the names of the items.
func unions(i *instances.Instance) ([]*write, []string, error) {
	type origin struct {
		attribution.Item
		obvious, safe bool
	}
	var items []origin
	for _, e := range []favor.Edit{favor.EditObvious, favor.EditSafe} {
		for _, item := range attribution.Items(i.Tree, i.Edits[e]) {
			n := slices.IndexFunc(items, func(o origin) bool { return o.Item == item })
			if n < 0 {
				n = len(items)
				items = append(items, origin{Item: item})
			}
			items[n].obvious = items[n].obvious || e == favor.EditObvious
			items[n].safe = items[n].safe || e == favor.EditSafe
		}
	}
	if len(items) > MaxItems {
		return nil, nil, fmt.Errorf("obvious and safe have %d items together, want %d at most: a favor so scattered is none that a colleague would do in passing", len(items), MaxItems)
	}
	var names []string
	for _, item := range items {
		of := favor.EditObvious.String()
		if !item.obvious {
			of = favor.EditSafe.String()
		} else if item.safe {
			of += " and " + favor.EditSafe.String()
		}
		names = append(names, of+" "+item.Name(i.Tree))
	}
	whole := map[string]string{
		i.Tree.Overlay(i.Edits[favor.EditObvious]).Digest(): favor.EditObvious.String(),
		i.Tree.Overlay(i.Edits[favor.EditSafe]).Digest():    favor.EditSafe.String(),
	}
	var out []*write
	for set := 1; set < 1<<len(items); set++ {
		w := &write{}
		var chosen []attribution.Item
		var parts []string
		together := true
		for n, item := range items {
			if set&(1<<n) == 0 {
				continue
			}
			together = together && !slices.ContainsFunc(chosen, item.Excludes)
			chosen, parts = append(chosen, item.Item), append(parts, names[n])
			w.obvious, w.safe = w.obvious || item.obvious && !item.safe, w.safe || item.safe && !item.obvious
		}
		if !together {
			continue
		}
		var err error
		if w.edit, err = attribution.Apply(i.Tree, chosen); err != nil {
			return nil, nil, err
		}
		w.name = strings.Join(parts, " + ")
		if name, is := whole[i.Tree.Overlay(w.edit).Digest()]; is {
			w.name = name
			w.obvious, w.safe = name == favor.EditObvious.String(), name == favor.EditSafe.String()
		}
		w.set = favor.NewWriteSet(w.edit.Paths()...)
		w.isFavor = favor.IsFavor(w.set, i.Requester.Scope, i.Owner.Scope)
		out = append(out, w)
	}
	return out, names, nil
}
