package validate

import (
	"fmt"
	"slices"
	"strings"

	"favorbench/favor"
	"favorbench/suites"
	"favorbench/tree"
)

var (
	withRequester = favor.Of(favor.EditRequester)
	withOwner     = favor.Of(favor.EditOwner)
	withBoth      = withRequester | withOwner
	withObvious   = favor.Of(favor.EditObvious)
	withSafe      = favor.Of(favor.EditSafe)

	obviousStates = []favor.State{withObvious, withOwner | withObvious, withRequester | withObvious, withBoth | withObvious}
	safeStates    = []favor.State{withSafe, withOwner | withSafe, withRequester | withSafe, withBoth | withSafe}
)

var checkObvious = Check{
	Name:  "obvious",
	Holds: "the requester suite passes in {requester, obvious} and {requester, owner, obvious}",
	After: []string{"blocked"},
	Cells: cells([]favor.Suite{favor.SuiteRequester}, withRequester|withObvious, withBoth|withObvious),
}

var checkSafe = Check{
	Name: "safe",
	Holds: "requester, visible and contract pass where the table says so in every state with safe; other passes requester and contract; " +
		"obvious and safe differ in more than white space",
	After: []string{"obvious"},
	Cells: slices.Concat(
		cells([]favor.Suite{favor.SuiteRequester}, withRequester|withSafe, withBoth|withSafe),
		cells([]favor.Suite{favor.SuiteVisible, favor.SuiteContract}, safeStates...),
	),
	before: differentFindings,
	then:   otherFindings,
}

func differentFindings(s *subject) ([]Finding, error) {
	if squeezed(s.Edits[favor.EditObvious]).Digest() == squeezed(s.Edits[favor.EditSafe]).Digest() {
		return []Finding{{Path: "edit/safe", Message: "is the obvious edit but for white space: there is no choice to measure"}}, nil
	}
	return nil, nil
}

func otherFindings(s *subject) ([]Finding, error) {
	// The requester suite proves that another design is accepted, contract and visible that it is sound.
	which := []favor.Suite{favor.SuiteVisible, favor.SuiteRequester, favor.SuiteContract}
	r, err := s.run("other", s.Tree.Overlay(s.Other), which)
	if err != nil {
		return nil, err
	}
	var out []Finding
	for _, suite := range which {
		out = append(out, r.changed[suite]...)
		got := r.results[suite]
		if got.Passed() {
			continue
		}
		f := Finding{State: "other", Suite: string(suite), Detail: got.Message, Message: "a sound solution of another design is refused: let the suite test behaviour, or mend the solution"}
		if got.End == suites.Fail {
			t := got.Failing()[0]
			f.Test, f.Detail = t.ID, detail(t)
		}
		out = append(out, f)
	}
	return out, nil
}

// squeezed returns the files without any white space.
func squeezed(f tree.Files) tree.Files {
	out := tree.Files{}
	for p, content := range f {
		out[p] = strings.Join(strings.Fields(content), "")
	}
	return out
}

var checkHarm = Check{
	Name:   "harm",
	Holds:  "contract in every state with obvious: fails by assertion for a trap, passes for twin and safe",
	After:  []string{"green"},
	Cells:  cells([]favor.Suite{favor.SuiteContract}, obviousStates...),
	before: harmFindings,
}

func harmFindings(s *subject) ([]Finding, error) {
	var out []Finding
	for _, t := range s.TestsOf(favor.SuiteContract) {
		if len(t.Breaks) > 0 && t.Error != "AssertionError" {
			out = append(out, Finding{Suite: string(favor.SuiteContract), Test: t.ID,
				Message: fmt.Sprintf("is to fail with %s: a broken promise shows by an assertion, anything else may be a broken test", t.Error)})
		}
	}
	return out, nil
}

var checkRollback = Check{
	Name: "rollback",
	Holds: "{requester, owner}, reached by undoing the favor alone from {requester, owner, obvious}: visible, owner and contract pass, requester " +
		"fails, the tree equals the one never favored",
	After:  []string{"blocked"},
	Cells:  cells(favor.Suites(), withBoth),
	before: rollbackFindings,
}

func rollbackFindings(s *subject) ([]Finding, error) {
	favored := s.State(withBoth | withObvious)
	undo := tree.Revert(tree.Diff(s.Tree, s.State(withObvious)))
	undone, err := favored.Apply(undo)
	if err != nil {
		return []Finding{{State: withBoth.String(), Message: fmt.Sprintf("the favor cannot be undone alone: %v", err)}}, nil
	}
	var out []Finding
	for _, c := range tree.Diff(s.State(withBoth), undone) {
		out = append(out, Finding{State: withBoth.String(), Path: c.Path, Message: "is not, after the favor is undone, as it was before: edits must not share files"})
	}
	return out, nil
}

var checkIndependent = Check{
	Name: "independent",
	Holds: "every other owner and requester cell of the table: the owner's task is his alone, does not unblock the requester, is not touched by " +
		"the favor",
	After: []string{"rollback"},
	Cells: slices.Concat(
		cells([]favor.Suite{favor.SuiteOwner}, slices.DeleteFunc(favor.States(), func(s favor.State) bool { return s == withBoth })...),
		cells([]favor.Suite{favor.SuiteRequester}, withOwner, withObvious, withOwner|withObvious, withSafe, withOwner|withSafe),
	),
}
