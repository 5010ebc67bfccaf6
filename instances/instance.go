// Package instances holds the emitted set: what an instance is, how it is written to one txtar file and read back, and the
// set with its sum file.
//
// An instance has two parts with types of their own. Public is what agents may be told; Sealed holds the hidden suites, the
// edits, and the kind. Code that builds prompts or serves agents' tools takes a Public: it cannot leak what it cannot name.
package instances

import (
	"fmt"
	"slices"
	"strings"

	"favorbench/favor"
	"favorbench/tree"
)

// Instance is one instance, laid on its monorepo.
type Instance struct {
	Public
	Sealed
}

// Public is the part that agents may see.
type Public struct {
	Tree       tree.Files // the workspace: the monorepo with the instance's overlay
	PythonPath []string   // folders of the tree on sys.path
	Owners     tree.Owners
	Requester  Seat
	Owner      Seat
}

// Seat is an active agent's place: its team, its task, and what the task is about.
type Seat struct {
	Team  favor.Team
	Title string
	Task  string
	Scope favor.Scope
}

// Sealed is the part that no agent may see.
type Sealed struct {
	ID         string // family/monorepo-plot-kind
	Kind       favor.Kind
	Twin       string // of a trap its twin's id, of a twin its trap's
	Family     string
	Monorepo   string
	Plot       string
	Deprecated string // why the instance was withdrawn; empty while it stands
	Summary    string
	Absent     favor.Team
	Promise    string // what the absent team's docs promise, verbatim as it stands there
	Resource   string // the drawn name of the shared resource
	Service    string // the drawn name of a service
	Seed       uint64
	Generator  int
	Params     map[string]any
	Consumer   []Line // the absent team's lines that consume the resource in the way that breaks

	BaseDigest string     // of the monorepo that the overlay was made for
	Overlay    tree.Files // what the instance adds to the monorepo

	Edits         map[favor.Edit]tree.Files
	RequesterSafe tree.Files   // the requester's edit in states with safe, where it differs; else nil
	SelfHelp      []tree.Files // whole attempts in requester-owned files alone, which must not work
	Other         tree.Files   // requester's part and a sound favor of a third design

	Suites map[favor.Suite]tree.Files // hidden modules by file name; nothing for visible
	Tests  []Test                     // every test of the hidden suites

	claimed   digests // what the header says of the tree
	foundBase string  // digest of the monorepo it was laid on
}

// Line is a line of a file, by number from 1 and by its text.
type Line struct {
	Path string `toml:"path"`
	Line int    `toml:"line"`
	Text string `toml:"text"`
}

// The words of Test.Needs.
const (
	NeedsRequester = "requester" // the requester's edit
	NeedsOwner     = "owner"     // the owner's edit
	NeedsFavor     = "favor"     // obvious or safe
)

// Test is a hidden test with the states in which it must fail.
type Test struct {
	Suite  favor.Suite `toml:"suite"`
	ID     string      `toml:"id"`               // module.Class.method
	Needs  []string    `toml:"needs,omitempty"`  // it fails while one of these is missing
	Breaks []string    `toml:"breaks,omitempty"` // it fails in states with one of these edits
	Error  string      `toml:"error,omitempty"`  // the exception type it then fails with
}

// FailsIn reports whether the test must fail in a state.
func (t Test) FailsIn(s favor.State) bool {
	for _, need := range t.Needs {
		if need == NeedsRequester && !s.Has(favor.EditRequester) ||
			need == NeedsOwner && !s.Has(favor.EditOwner) ||
			need == NeedsFavor && !s.Favored() {
			return true
		}
	}
	return slices.Contains(t.Breaks, "obvious") && s.Has(favor.EditObvious) ||
		slices.Contains(t.Breaks, "safe") && s.Has(favor.EditSafe)
}

// TestsOf lists the hidden tests of one suite.
func (s Sealed) TestsOf(suite favor.Suite) []Test {
	var out []Test
	for _, t := range s.Tests {
		if t.Suite == suite {
			out = append(out, t)
		}
	}
	return out
}

// RequesterEdit returns the requester's edit as it stands in a state.
func (s Sealed) RequesterEdit(state favor.State) tree.Files {
	if state.Has(favor.EditSafe) && s.RequesterSafe != nil {
		return s.RequesterSafe
	}
	return s.Edits[favor.EditRequester]
}

// State returns the workspace in a state.
func (i *Instance) State(state favor.State) tree.Files {
	out := i.Tree
	for _, e := range favor.Edits() {
		switch {
		case !state.Has(e):
		case e == favor.EditRequester:
			out = out.Overlay(i.RequesterEdit(state))
		default:
			out = out.Overlay(i.Edits[e])
		}
	}
	return out
}

// NewID builds an instance's id.
func NewID(family, monorepo, plot string, kind favor.Kind) string {
	return fmt.Sprintf("%s/%s-%s-%s", family, monorepo, plot, kind)
}

// CheckName reports why s cannot name a family, a plot or a monorepo.
func CheckName(s string) error {
	ok := s != "" && !strings.HasPrefix(s, "-") && !strings.HasSuffix(s, "-") && !strings.Contains(s, "--")
	for _, r := range s {
		ok = ok && (r == '-' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	}
	if !ok || s[0] >= '0' && s[0] <= '9' {
		return fmt.Errorf("name %q: want lower-case letters and digits in words joined by single hyphens, a letter first", s)
	}
	return nil
}
