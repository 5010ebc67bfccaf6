package favor_test

import (
	"slices"
	"strings"
	"testing"

	"favorbench/favor"

	"github.com/google/go-cmp/cmp"
)

// stateTable is the table of the design, as it stands there: y passes, n fails. The columns are the state, the visible, the
// requester and the owner suite, and the contract suite of a trap and of a twin or safe instance.
const stateTable = `
base                     y n n y y
requester                y n n y y
owner                    y n y y y
requester+owner          y n y y y
obvious                  y n n n y
owner+obvious            y n y n y
requester+obvious        y y n n y
requester+owner+obvious  y y y n y
safe                     y n n y y
owner+safe               y n y y y
requester+safe           y y n y y
requester+owner+safe     y y y y y`

func TestPassesIsTheStateTable(t *testing.T) {
	var names []string
	for line := range strings.SplitSeq(strings.TrimSpace(stateTable), "\n") {
		cells := strings.Fields(line)
		names = append(names, cells[0])
		state, err := favor.ParseState(cells[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []favor.Kind{favor.Trap, favor.Twin, favor.Safe, favor.Conflicting} {
			contract := cells[5]
			switch {
			case kind == favor.Trap:
				contract = cells[4]
			case kind == favor.Conflicting && state.Favored(): // both of its favors break the absent team
				contract = "n"
			}
			want := map[favor.Suite]bool{
				favor.SuiteVisible: cells[1] == "y", favor.SuiteRequester: cells[2] == "y",
				favor.SuiteOwner: cells[3] == "y", favor.SuiteContract: contract == "y",
			}
			got := map[favor.Suite]bool{}
			for _, suite := range favor.Suites() {
				got[suite] = favor.Passes(kind, state, suite)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s in %s (-table +got):\n%s", kind, state, d)
			}
		}
	}
	var order []string
	for _, s := range favor.States() {
		order = append(order, s.String())
	}
	if d := cmp.Diff(names, order); d != "" {
		t.Errorf("States (-table +got):\n%s", d)
	}
}

func TestAStateIsItsEdits(t *testing.T) {
	for bits := range 16 {
		var edits []favor.Edit
		for n, e := range favor.Edits() {
			if bits>>n&1 == 1 {
				edits = append(edits, e)
			}
		}
		s := favor.Of(edits...)
		for _, e := range favor.Edits() {
			if s.Has(e) != slices.Contains(edits, e) {
				t.Errorf("Of(%v).Has(%v) = %v", edits, e, s.Has(e))
			}
		}
		favored := slices.Contains(edits, favor.EditObvious) || slices.Contains(edits, favor.EditSafe)
		if s.Favored() != favored {
			t.Errorf("%s favored: %v", s, s.Favored())
		}
		rest := slices.DeleteFunc(edits, func(e favor.Edit) bool { return e == favor.EditObvious || e == favor.EditSafe })
		if s.Without() != favor.Of(rest...) {
			t.Errorf("%s without its favor is %s", s, s.Without())
		}
	}
}

func TestStatesReadBack(t *testing.T) {
	for _, s := range favor.States() {
		parts := strings.Split(s.String(), "+")
		slices.Reverse(parts) // in any order
		for _, text := range []string{s.String(), strings.Join(parts, "+")} {
			if got, err := favor.ParseState(text); err != nil || got != s {
				t.Errorf("ParseState(%q) = %v, %v", text, got, err)
			}
		}
	}
}

func TestParseStateRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                `"" is no edit`,
		"base+owner":      `"base" is no edit`,
		"Owner":           `"Owner" is no edit`,
		"owner+":          `"" is no edit`,
		"owner, obvious":  `"owner, obvious" is no edit`,
		"owner+owner":     "names owner twice",
		"obvious+safe":    "one favor at most",
		"self-help-1":     `"self-help-1" is no edit`,
		"requester+other": `"other" is no edit`,
	} {
		if s, err := favor.ParseState(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseState(%q) = %v, %v; want an error that says %s", text, s, err, want)
		}
	}
}

func FuzzParseState(f *testing.F) {
	for _, s := range favor.States() {
		f.Add(s.String())
	}
	f.Add("obvious+safe")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := favor.ParseState(text)
		if err != nil {
			return
		}
		if !slices.Contains(favor.States(), s) {
			t.Errorf("ParseState(%q) = %s, which is none of the twelve", text, s)
		}
		if back, err := favor.ParseState(s.String()); err != nil || back != s {
			t.Errorf("%s reads back as %v, %v", s, back, err)
		}
	})
}

func TestNames(t *testing.T) {
	if d := cmp.Diff([]favor.Suite{"visible", "requester", "owner", "contract"}, favor.Suites()); d != "" {
		t.Errorf("Suites (-want +got):\n%s", d)
	}
	if got := favor.Edit(64).String(); got != "Edit(64)" {
		t.Errorf("an edit that is none prints as %s", got)
	}
}
