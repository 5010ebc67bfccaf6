package validate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"favorbench/favor"
	"favorbench/instances"
	"favorbench/suites"
	"favorbench/tree"
)

// subject is an instance on the bench, with the states that have been run so far.
type subject struct {
	*instances.Instance
	ctx       context.Context
	set       *instances.Set
	runner    Runner
	repeats   []Runner
	reuse     bool
	reader    *reader
	states    map[string]*stateRun
	suiteRuns int
}

// stateRun holds the results of a state's suites.
type stateRun struct {
	results map[favor.Suite]suites.Result
	changed map[favor.Suite][]Finding // outcomes that changed between repetitions
}

// state runs the four suites in a state of the table, once.
func (s *subject) state(st favor.State) (*stateRun, error) {
	return s.run(st.String(), s.State(st), favor.Suites())
}

// run runs suites on a tree and keeps the results under a name.
func (s *subject) run(name string, files tree.Files, which []favor.Suite) (*stateRun, error) {
	if done := s.states[name]; done != nil {
		return done, nil
	}
	request := suites.Request{Tree: files, PythonPath: s.PythonPath, Reuse: s.reuse}
	for _, suite := range which {
		request.Suites = append(request.Suites, suites.Suite{Name: string(suite), Modules: s.Suites[suite]})
	}
	if name == favor.Base.String() {
		for _, line := range s.Consumer {
			request.Trace = append(request.Trace, line.Path)
		}
		slices.Sort(request.Trace)
		request.Trace = slices.Compact(request.Trace)
	}
	first, err := s.runner.Run(s.ctx, request)
	if err != nil {
		return nil, fmt.Errorf("state %s: %w", name, err)
	}
	r := &stateRun{results: map[favor.Suite]suites.Result{}, changed: map[favor.Suite][]Finding{}}
	for _, result := range first {
		r.results[favor.Suite(result.Suite)] = result
	}
	for n, again := range s.repeats {
		request.Shuffle, request.Trace, request.Reuse = int64(n+1), nil, false
		results, err := again.Run(s.ctx, request)
		if err != nil {
			return nil, fmt.Errorf("state %s, repetition %d: %w", name, n+1, err)
		}
		for _, result := range results {
			suite := favor.Suite(result.Suite)
			r.changed[suite] = append(r.changed[suite], changes(name, n+1, r.results[suite], result)...)
		}
	}
	s.suiteRuns += len(which) * (1 + len(s.repeats))
	if s.states == nil {
		s.states = map[string]*stateRun{}
	}
	s.states[name] = r
	return r, nil
}

// changes lists what differs between two runs of a suite in the same state.
func changes(state string, repetition int, first, again suites.Result) []Finding {
	var out []Finding
	note := func(test, before, after string) {
		if before != after {
			out = append(out, Finding{State: state, Suite: first.Suite, Test: test, Flaky: true,
				Message: fmt.Sprintf("was %s at first and %s in repetition %d, under another hash seed and order of tests: let the test fix its own inputs and order", before, after, repetition)})
		}
	}
	outcome := func(t suites.Test) string { return strings.TrimSpace(string(t.Outcome) + " " + t.Exception) }
	before := map[string]string{}
	for _, t := range first.Tests {
		before[t.ID] = outcome(t)
	}
	for _, t := range again.Tests {
		note(t.ID, before[t.ID], outcome(t))
	}
	if len(out) == 0 {
		note("", string(first.End), string(again.End))
	}
	return out
}

// cell holds the instance to one cell of the state table.
func (s *subject) cell(c Cell) ([]Finding, error) {
	r, err := s.state(c.State)
	if err != nil {
		return nil, err
	}
	if flaky := r.changed[c.Suite]; len(flaky) > 0 {
		return flaky, nil
	}
	return s.compare(c.State, c.Suite, r.results[c.Suite]), nil
}

// compare holds a suite's result in a state to the state table and to the header, which names the tests that fail there and
// by which exception.
func (s *subject) compare(st favor.State, suite favor.Suite, got suites.Result) []Finding {
	finding := func(test, detail, format string, args ...any) Finding {
		return Finding{State: st.String(), Suite: string(suite), Test: test, Message: fmt.Sprintf(format, args...), Detail: detail}
	}
	if got.End != suites.OK && got.End != suites.Fail {
		return []Finding{finding("", got.Message, "the suite did not run to its end (%s): mend what stops it", got.End)}
	}
	must := map[string]instances.Test{} // the tests that must fail here
	for _, t := range s.TestsOf(suite) {
		if t.FailsIn(st) {
			must[t.ID] = t
		}
	}
	pass := favor.Passes(s.Kind, st, suite)
	var out []Finding
	if pass && len(must) > 0 {
		out = append(out, finding("", "", "the state table says that the suite passes here, and the header says that %d of its tests fail", len(must)))
	}
	if !pass && len(must) == 0 {
		out = append(out, finding("", "", "the state table says that the suite fails here, and the header names no test that does"))
	}
	for _, t := range got.Tests {
		want, fails := must[t.ID]
		switch {
		case t.Outcome == suites.Passed && fails:
			out = append(out, finding(t.ID, "", "passes, and must fail here with %s", want.Error))
		case t.Outcome != suites.Passed && !fails:
			out = append(out, finding(t.ID, detail(t), "must pass here, and is %s%s", t.Outcome, by(t)))
		case fails && (t.Outcome != suites.Failed && t.Outcome != suites.Errored || t.Exception != want.Error):
			out = append(out, finding(t.ID, detail(t), "must fail here with %s, and is %s%s: a failure for another reason proves nothing", want.Error, t.Outcome, by(t)))
		}
	}
	return out
}

func by(t suites.Test) string {
	if t.Exception == "" {
		return ""
	}
	return " with " + t.Exception
}

func detail(t suites.Test) string {
	return strings.TrimSpace(t.Message + "\n" + strings.Join(t.Frames, "\n"))
}

// opportunity measures what the favors come to, from the contract suite where both agents have done their work.
func (s *subject) opportunity() favor.Opportunity {
	both := favor.Of(favor.EditRequester, favor.EditOwner)
	var harmed []bool
	for _, e := range []favor.Edit{favor.EditObvious, favor.EditSafe} {
		r := s.states[(both | favor.Of(e)).String()]
		if r == nil {
			return favor.Unmeasured
		}
		harmed = append(harmed, !r.results[favor.SuiteContract].Passed())
	}
	return favor.Measure(harmed...)
}
