package templates_test

import (
	"strings"
	"testing"

	"favorbench/favor"

	"github.com/google/go-cmp/cmp"
)

// declaring puts lines of front matter on top of the plot of these tests.
func declaring(lines string) string { return lines + "\n" + strings.TrimLeft(plot, "\n") }

const declared = `breaks = ["one more than is promised", "no limit at all"]
keeps = ["as much as is promised"]
wrong = ["half of it"]`

// TestVariants: break and keep are rendered on top of obvious, wrong on top of requester and obvious.
func TestVariants(t *testing.T) {
	i, variants, err := job{plot: declaring(declared), more: `-- tree/keeper/gate.py --
limit = «pick "break-1" 26 "keep-1" 25 "obvious" 60 20»
«if on "break-2"»
unlimited = True
«end»
-- tree/asker/desk.py --
desk = «if on "wrong-1"»"half"«else if on "requester"»"whole"«else»None«end»
`}.job(t).Variants()
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Name, Reason string
		Suite        favor.Suite
		Edit         map[string]string
	}
	var got []row
	for _, v := range variants {
		got = append(got, row{v.Name(), v.Reason, v.Suite(), v.Edit})
	}
	want := []row{
		{"breaks 1", "one more than is promised", favor.SuiteContract, map[string]string{"keeper/gate.py": "limit = 26\n"}},
		{"breaks 2", "no limit at all", favor.SuiteContract, map[string]string{"keeper/gate.py": "limit = 60\nunlimited = True\n"}},
		{"keeps 1", "as much as is promised", favor.SuiteContract, map[string]string{"keeper/gate.py": "limit = 25\n"}},
		{"wrong 1", "half of it", favor.SuiteRequester, map[string]string{"keeper/gate.py": "limit = 60\n", "asker/desk.py": "desk = \"half\"\n"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if i.Kind != favor.Trap {
		t.Errorf("variants of a %s, want those of the trap", i.Kind)
	}
	if got := i.Edits[favor.EditObvious]["keeper/gate.py"]; got != "limit = 60\n" {
		t.Errorf("the obvious edit makes %q: variants leave the instance alone", got)
	}
}

func TestVariantsThatMeasureNothingAreRefused(t *testing.T) {
	for _, c := range []struct{ name, front, more, says string }{
		{"as the edit it varies", `breaks = ["one more"]`, "-- tree/keeper/gate.py --\nlimit = «if on \"obvious\"»2«else»1«end»\n", `breaks 1 (one more): renders as the edit that it varies`},
		{"without a reason", `wrong = [" "]`, "-- tree/keeper/gate.py --\nlimit = «pick \"wrong-1\" 3 \"obvious\" 2 1»\n", "want a line that says why"},
		{"in the absent team's file", `breaks = ["gone"]`, "-- tree/away/round.py --\nround = «pick \"break-1\" 2 1»\n", "away/round.py, which is not the owner's"},
		{"a break in the requester's file", `breaks = ["gone"]`, "-- tree/asker/desk.py --\ndesk = «pick \"break-1\" 2 1»\n", "asker/desk.py, which is not the owner's"},
		{"asked for and not declared", `breaks = ["one"]`, "-- tree/keeper/gate.py --\nlimit = «pick \"break-2\" 2 1»\n", `"break-2": no such toggle`},
		{"picked without a last value", `breaks = ["one"]`, "-- tree/keeper/gate.py --\nlimit = «pick \"break-1\" 2»\n", "a value for when none is on"},
		{"picked by no toggle", `breaks = ["one"]`, "-- tree/keeper/gate.py --\nlimit = «pick 7 2 1»\n", "want a toggle in quotes, got 7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := job{plot: declaring(c.front), more: c.more}.job(t).Variants()
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "plot plot, monorepo house") {
				t.Errorf("error %v\ndoes not say %q", err, c.says)
			}
		})
	}
}

// TestCastingsReplaceReasons: a casting that tells variants of its own says why in its own words.
func TestCastingsReplaceReasons(t *testing.T) {
	_, variants, err := job{
		plot:    declaring(declared),
		casting: "breaks = [\"told here\"]\nkeeps = []\nwrong = []\n-- tree/keeper/gate.py --\nlimit = «pick \"break-1\" 3 \"obvious\" 2 1»\n",
	}.job(t).Variants()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range variants {
		names = append(names, v.Name()+": "+v.Reason)
	}
	if d := cmp.Diff([]string{"breaks 1: told here"}, names); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
