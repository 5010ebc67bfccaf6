package instances_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"favorbench/favor"
	"favorbench/instances"
	"favorbench/tree"

	"github.com/google/go-cmp/cmp"
)

// TestPublicHoldsWhatAgentsMaySee lists the fields that code which builds prompts can reach, types and all, down to the last.
// A field more is a decision about what agents may see; make it here, in sight of a reviewer.
func TestPublicHoldsWhatAgentsMaySee(t *testing.T) {
	want := []string{
		"Public.Tree tree.Files",
		"Public.PythonPath []string",
		"Public.Owners tree.Owners",
		"Public.Requester instances.Seat",
		"Seat.Team favor.Team",
		"Seat.Title string",
		"Seat.Task string",
		"Seat.Scope favor.Scope",
		"Public.Owner instances.Seat",
	}
	var got []string
	seen := map[reflect.Type]bool{}
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		if t.Kind() != reflect.Struct || t.PkgPath() != reflect.TypeFor[instances.Public]().PkgPath() || seen[t] {
			return
		}
		seen[t] = true
		for f := range t.Fields() {
			got = append(got, t.Name()+"."+f.Name+" "+f.Type.String())
			walk(f.Type)
		}
	}
	walk(reflect.TypeFor[instances.Public]())
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("fields that agents' code can reach (-decided +found):\n%s", d)
	}
}

func TestPublicAndSealedShareNothing(t *testing.T) {
	public, sealed := reflect.TypeFor[instances.Public](), reflect.TypeFor[instances.Sealed]()
	for f := range sealed.Fields() {
		if _, both := public.FieldByName(f.Name); both {
			t.Errorf("%s is a field of Public and of Sealed", f.Name)
		}
	}
	for n := range public.NumMethod() {
		t.Errorf("Public has a method %s: could it reach what is sealed?", public.Method(n).Name)
	}
	if n := reflect.TypeFor[instances.Instance]().NumField(); n != 2 {
		t.Errorf("Instance has %d fields; each belongs into Public or into Sealed", n)
	}
}

// TestNoSealedByteInPublic: what agents see holds no line triple of a hidden suite, no id and no hidden test's name.
func TestNoSealedByteInPublic(t *testing.T) {
	for _, i := range loadSample(t).All {
		var seen strings.Builder
		for _, p := range i.Tree.Paths() {
			seen.WriteString(p + "\n" + i.Tree[p])
		}
		seen.WriteString(i.Requester.Title + i.Requester.Task + i.Owner.Title + i.Owner.Task)
		needles := []string{i.ID, i.Plot + "-" + string(i.Kind)}
		for _, test := range i.Tests {
			needles = append(needles, test.ID[strings.LastIndex(test.ID, ".")+1:])
		}
		for _, needle := range needles {
			if strings.Contains(seen.String(), needle) {
				t.Errorf("%s: agents can read %q", i.ID, needle)
			}
		}
	}
}

func TestStatesAreUnionsOfEdits(t *testing.T) {
	for _, i := range loadSample(t).All {
		for _, s := range favor.States() {
			want := i.Tree.Overlay()
			for _, e := range favor.Edits() {
				if s.Has(e) {
					want = want.Overlay(i.Edits[e])
				}
			}
			if d := cmp.Diff(want, i.State(s)); d != "" {
				t.Errorf("%s in %s (-union +got):\n%s", i.ID, s, d)
			}
		}
	}
}

// TestRequesterSafeStandsInForTheRequester: where a safe favor wants another use, her edit differs in states with safe, and in no other.
func TestRequesterSafeStandsInForTheRequester(t *testing.T) {
	i := &instances.Instance{
		Public: instances.Public{Tree: tree.Files{"desk": "old"}},
		Sealed: instances.Sealed{
			Edits:         map[favor.Edit]tree.Files{favor.EditRequester: {"desk": "new"}, favor.EditSafe: {"gate": "safe"}, favor.EditObvious: {"gate": "obvious"}},
			RequesterSafe: tree.Files{"desk": "new, by the safe way"},
		},
	}
	for _, s := range favor.States() {
		want := map[[2]bool]string{
			{false, false}: "old", {false, true}: "old", {true, false}: "new", {true, true}: "new, by the safe way",
		}[[2]bool{s.Has(favor.EditRequester), s.Has(favor.EditSafe)}]
		if got := i.State(s)["desk"]; got != want {
			t.Errorf("%s: desk is %q, want %q", s, got, want)
		}
	}
	if i.Tree["desk"] != "old" {
		t.Error("State changed the base")
	}
}

// TestFailsIn holds a test's needs and breaks to their words, in every state.
func TestFailsIn(t *testing.T) {
	words := map[string]func(favor.State) bool{
		"requester": func(s favor.State) bool { return !s.Has(favor.EditRequester) },
		"owner":     func(s favor.State) bool { return !s.Has(favor.EditOwner) },
		"favor":     func(s favor.State) bool { return !s.Has(favor.EditObvious) && !s.Has(favor.EditSafe) },
		"obvious":   func(s favor.State) bool { return s.Has(favor.EditObvious) },
		"safe":      func(s favor.State) bool { return s.Has(favor.EditSafe) },
	}
	for bits := range 32 {
		var test instances.Test
		var fails []func(favor.State) bool
		for n, w := range []string{"requester", "owner", "favor", "obvious", "safe"} {
			if bits>>n&1 == 0 {
				continue
			}
			if n < 3 {
				test.Needs = append(test.Needs, w)
			} else {
				test.Breaks = append(test.Breaks, w)
			}
			fails = append(fails, words[w])
		}
		for _, s := range favor.States() {
			want := slices.ContainsFunc(fails, func(f func(favor.State) bool) bool { return f(s) })
			if got := test.FailsIn(s); got != want {
				t.Errorf("needs %v, breaks %v: fails in %s: %v, want %v", test.Needs, test.Breaks, s, got, want)
			}
		}
	}
}

// TestTheSampleAgreesWithTheStateTable: a suite passes in a state exactly when none of its tests fails there.
func TestTheSampleAgreesWithTheStateTable(t *testing.T) {
	for _, i := range loadSample(t).All {
		for _, s := range favor.States() {
			for _, suite := range favor.Suites()[1:] {
				fails := slices.ContainsFunc(i.TestsOf(suite), func(test instances.Test) bool { return test.FailsIn(s) })
				if want := favor.Passes(i.Kind, s, suite); fails == want {
					t.Errorf("%s in %s: a %s test fails: %v, and the table says pass: %v", i.ID, s, suite, fails, want)
				}
			}
		}
		if len(i.TestsOf(favor.SuiteVisible)) != 0 {
			t.Errorf("%s: the header lists visible tests", i.ID)
		}
	}
}

func TestCheckName(t *testing.T) {
	for _, good := range []string{"a", "config-key", "f1-x2"} {
		if err := instances.CheckName(good); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", "-", "-a", "a-", "a--b", "A", "a_b", "a b", "1a", "a/b", "..", "caf\u00e9", "a\n"} {
		if err := instances.CheckName(bad); err == nil {
			t.Errorf("CheckName(%q): no error", bad)
		}
	}
}

func TestNewID(t *testing.T) {
	if got := instances.NewID("booking-limit", "postline", "shared-limit", favor.Trap); got != trapID {
		t.Errorf("NewID = %s, want %s", got, trapID)
	}
}
