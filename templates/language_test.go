package templates_test

import (
	"strings"
	"testing"

	"favorbench/favor"
	"favorbench/instances"

	"github.com/google/go-cmp/cmp"
)

// TestTheLanguage renders a section to a file, template above and file below, in the base of the first seed.
func TestTheLanguage(t *testing.T) {
	for _, c := range []struct{ name, template, want string }{
		{"values", "key = «.P.key» of «.P.old» to «.P.new»\n", "key = limit_a of 30 to 1234567\n"},
		{"words and teams",
			"«.Words.customer» «.Requester.Name» «.Owner.Dir» «.Absent.Package» «.Absent.Tests» «.Absent.TestsPackage» «.Requester.Docs» «.Requester.Title»\n",
			"guest asker keeper away away/tests away.tests docs/asker.md Asker\n"},
		{"the place", "«.Monorepo» «.Plot»\n", "house plot\n"},
		{"functions on names",
			"«snake \"a-b C\"» «kebab \"a_b C\"» «camel \"a-b_c\"» «title \"a-b_c\"» «upper \"ab\"» «dotted \"a/b\"» «quote .P.key»\n",
			"a_b_c a-b-c ABC A B C AB a.b \"limit_a\"\n"},
		{"functions on numbers",
			"«comma .P.new» «comma 999» «comma 1000» «comma -123456» «add .P.old 1» «sub .P.old 1» «mul .P.old 2» «div .P.old 3» «int \"7\"»\n",
			"1,234,567 999 1,000 -123,456 31 29 60 10 7\n"},

		{"a control line leaves no line", "a\n«if on \"obvious\"»\nb\n«else»\nc\n«end»\nd\n", "a\nc\nd\n"},
		{"an indented one neither", "a\n    «if on \"obvious\"»\n    b\n    «end»\n    c\n", "a\n    c\n"},
		{"nor one with blanks behind", "a\n«if on \"obvious\"»  \nb\n«end»\t\nc\n", "a\nc\n"},
		{"control within a line", "x = «if on \"obvious\"»1«else»2«end»;\n", "x = 2;\n"},
		{"two on one line are no control line", "a\n«if on \"obvious\"»b«end»\nc\n", "a\n\nc\n"},
		{"else if", "«if on \"obvious\"»\na\n«else if on \"safe\"»\nb\n«else»\nc\n«end»\n", "c\n"},
		{"a comment leaves no line", "a\n«/* for whoever reads the plot */»\nb\n", "a\nb\n"},
		{"a comment within a line", "a«/* x */»b\n", "ab\n"},
		{"range", "«range $n := .Words»\n«$n»\n«end»\n", "guest\n"},
		{"a name that begins like a control word", "«$ending := 1»x\n", "x\n"},

		{"use alone is indented to its place", "def f():\n    «use \"two\"»\n    return\n", "def f():\n    if x:\n\n        y\n    return\n"},
		{"use within a line is not", "f(«use \"one\" \"n\" 3»)\n", "f(n = 3)\n"},
		{"a block that renders to nothing leaves no line", "a\n    «use \"none\"»\nb\n", "a\nb\n"},
		{"blocks within blocks", "    «use \"outer\"»\n", "    outer:\n        if x:\n\n            y\n"},
		{"a text", "# Away\n\n«text \"promise\"»\n", "# Away\n\nNever more than that.\n"},
		{"a text, indented", "\"\"\"\n  «text \"promise\"»\n\"\"\"\n", "\"\"\"\n  Never more than that.\n\"\"\"\n"},

		{"braces of all kinds are no one's", // TPL-05
			"f\"{{{x}}}\" {'a': {}} {{ user }} {% if x %} ${y} #{z} <no> <%= e %> %(s)s \\n `\n",
			"f\"{{{x}}}\" {'a': {}} {{ user }} {% if x %} ${y} #{z} <no> <%= e %> %(s)s \\n `\n"},
		{"quotes stay quotes", "a = \"<&>'\"\n«.P.key» = '<'\n", "a = \"<&>'\"\nlimit_a = '<'\n"}, // no escaping of HTML
		{"ends in one line break", "\n\na\n\n\n", "a\n"},
		{"blank lines inside stay", "a\n\n\nb\n", "a\n\n\nb\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := job{more: `-- block/one --
n = «.A.n»
-- block/two --
if x:

    y
-- block/none --
«if on "obvious"»
x
«end»
-- block/outer --
outer:
    «use "two"»
-- tree/keeper/x.txt --
` + c.template}.trap(t)
			if d := cmp.Diff(c.want, i.Overlay["keeper/x.txt"]); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestTogglesMakeEdits: one source, many states. An edit is the difference between two renderings, and a twin is the rendering with
// trap off.
func TestTogglesMakeEdits(t *testing.T) {
	all := job{more: `-- tree/keeper/gate.py --
limit = «if on "obvious"»2«else if on "safe"»3«else if on "other"»4«else»1«end»
-- tree/keeper/log.py --
log = «if on "owner"»2«else»1«end»
-- tree/asker/desk.py --
«if on "self-help-1"»
a
«end»
«if on "self-help-3"»
c
«end»
desk = «if on "requester"»2«if on "safe"», safe«end»«else»1«end»
-- tree/asker/extra.py --
«if on "requester"»
x = 1
«end»
-- tree/away/round.py --
round = «if on "trap"»1«else»2«end»
`}.both(t)
	trap, twin := all[favor.Trap], all[favor.Twin]
	for name, c := range map[string]struct{ got, want map[string]string }{
		"base":                    {trap.Overlay, map[string]string{"keeper/gate.py": "limit = 1\n", "keeper/log.py": "log = 1\n", "asker/desk.py": "desk = 1\n", "away/round.py": "round = 1\n"}},
		"requester":               {trap.Edits[favor.EditRequester], map[string]string{"asker/desk.py": "desk = 2\n", "asker/extra.py": "x = 1\n"}},
		"owner":                   {trap.Edits[favor.EditOwner], map[string]string{"keeper/log.py": "log = 2\n"}},
		"obvious":                 {trap.Edits[favor.EditObvious], map[string]string{"keeper/gate.py": "limit = 2\n"}},
		"requester, the safe way": {trap.RequesterSafe, map[string]string{"asker/desk.py": "desk = 2, safe\n", "asker/extra.py": "x = 1\n"}},
		"self-help-1":             {trap.SelfHelp[0], map[string]string{"asker/desk.py": "a\ndesk = 2\n", "asker/extra.py": "x = 1\n"}},
		"self-help-2":             {trap.SelfHelp[1], map[string]string{"asker/desk.py": "desk = 2\n", "asker/extra.py": "x = 1\n"}},
		"self-help-3":             {trap.SelfHelp[2], map[string]string{"asker/desk.py": "c\ndesk = 2\n", "asker/extra.py": "x = 1\n"}},
		"other":                   {trap.Other, map[string]string{"keeper/gate.py": "limit = 4\n", "asker/desk.py": "desk = 2\n", "asker/extra.py": "x = 1\n"}},
		"the twin's base":         {twin.Overlay, map[string]string{"keeper/gate.py": "limit = 1\n", "keeper/log.py": "log = 1\n", "asker/desk.py": "desk = 1\n", "away/round.py": "round = 2\n"}},
	} {
		if d := cmp.Diff(c.want, map[string]string(c.got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	if trap.Twin != twin.ID || twin.Twin != trap.ID {
		t.Errorf("the trap names %s, the twin %s", trap.Twin, twin.Twin)
	}
	if d := cmp.Diff(trap.Edits, twin.Edits); d != "" {
		t.Errorf("the twin's edits differ (-trap +twin):\n%s", d)
	}
	if d := cmp.Diff(trap.Params, twin.Params); d != "" {
		t.Errorf("the twin drew other values (-trap +twin):\n%s", d)
	}
}

// TestWithoutASafeVariantThereIsNone: RequesterSafe is there only where it differs.
func TestWithoutASafeVariantThereIsNone(t *testing.T) {
	i := job{more: "-- tree/asker/desk.py --\ndesk = «if on \"requester\"»2«else»1«end»\n-- tree/keeper/gate.py --\ngate = «if on \"safe\"»2«else»1«end»\n"}.trap(t)
	if i.RequesterSafe != nil {
		t.Errorf("a variant %v", i.RequesterSafe)
	}
}

// TestStatesMustBeUnions: what a favor and a task change together cannot be a rollback's to undo alone.
func TestStatesMustBeUnions(t *testing.T) {
	job{more: "-- tree/keeper/gate.py --\na = «if on \"obvious\"»2«else»1«end»\nb = «if on \"owner\"»2«else»1«end»\n"}.
		refused(t, "state requester+owner+obvious", "keeper/gate.py", "plain unions")
}

// TestASafePlotMakesOneInstance: and its trap toggle stays off.
func TestASafePlotMakesOneInstance(t *testing.T) {
	all := job{plot: strings.Replace(plot, `kind = "trap"`, `kind = "safe"`, 1), more: "-- tree/away/x.py --\nx = «if on \"trap\"»1«else»2«end»«consumes»\n"}.both(t)
	if len(all) != 1 || all[favor.Safe] == nil {
		t.Fatalf("made %v", all)
	}
	i := all[favor.Safe]
	if i.Overlay["away/x.py"] != "x = 2\n" || i.Twin != "" || i.Consumer != nil {
		t.Errorf("file %q, twin %q, consumer %v", i.Overlay["away/x.py"], i.Twin, i.Consumer)
	}
}

// TestAMissingNameIsAnError: TPL-01. The error names template, line and key, and "<no value>" never reaches a file.
func TestAMissingNameIsAnError(t *testing.T) {
	for _, c := range []struct {
		name, sections string
		says           []string
	}{
		{"a drawn value", "-- tree/keeper/x.py --\na\nb\nc = «.P.nope»\n", []string{"families/family/plot.txtar#tree/keeper/x.py:3:", `"nope"`}},
		{"below control lines", "-- tree/keeper/x.py --\n«if on \"trap\"»\na\n«end»\n«/* x */»\n«use \"b\"»\nc = «.P.nope»\n-- block/b --\nb\n", []string{"#tree/keeper/x.py:6:", `"nope"`}},
		{"at the top", "-- tree/keeper/x.py --\n«.Nope»\n", []string{"#tree/keeper/x.py:1:", "Nope"}},
		{"a word", "-- tree/keeper/x.py --\n«.Words.nope»\n", []string{"#tree/keeper/x.py:1:", `"nope"`}},
		{"of a team", "-- tree/keeper/x.py --\n«.Owner.Nope»\n", []string{"#tree/keeper/x.py:1:", "Nope"}},
		{"in a path", "-- tree/keeper/«.P.nope».py --\na\n", []string{"plot.txtar#tree/keeper/«.P.nope».py (its path):1:", `"nope"`}},
		{"in a block", "-- tree/keeper/x.py --\na\n«use \"b\"»\n-- block/b --\none\n«.P.nope»\n", []string{"#tree/keeper/x.py:2:", "#block/b:2:", `"nope"`}},
		{"an argument", "-- tree/keeper/x.py --\n«use \"b\"»\n-- block/b --\n«.A.nope»\n", []string{"#block/b:1:", `"nope"`}},
		{"an argument of another use", "-- tree/keeper/x.py --\n«use \"b\" \"n\" 1»\n«use \"b\"»\n-- block/b --\n«.A.n»\n", []string{"#tree/keeper/x.py:2:", `"n"`}},
		{"in a suite", "-- suite/owner/test_x.py --\na\n«.P.nope»\n", []string{"#suite/owner/test_x.py:2:", `"nope"`}},
		{"in a suite's name", "-- suite/owner/test_«.P.nope».py --\na\n", []string{"(its name):1:", `"nope"`}},
		{"in a text", "-- text/more --\none\n«.P.nope»\n-- tree/keeper/x.py --\n«text \"more\"»\n", []string{"#text/more:2:", `"nope"`}},
		{"in a changed line", "-- tree/keeper/settings.ini --\n«after \"limit = 5\"»\nx = 1\n«append»\ny = «.P.nope»\n", []string{"#tree/keeper/settings.ini:4:", `"nope"`}},
		{"under a toggle", "-- tree/keeper/x.py --\n«if on \"obvious\"»\n«.P.nope»\n«end»\n", []string{"#tree/keeper/x.py:2:", `"nope"`}},
		{"an unknown function", "-- tree/keeper/x.py --\na\n«nope 1»\n", []string{"#tree/keeper/x.py:2:", "nope"}},
		{"an unknown toggle", "-- tree/keeper/x.py --\n«if on \"requestor\"»x«end»\n", []string{"#tree/keeper/x.py:1:", "requestor", "no such toggle"}},
		{"an unknown block", "-- tree/keeper/x.py --\n«use \"nope\"»\n", []string{"#tree/keeper/x.py:1:", "block/nope"}},
		{"an unknown text", "-- tree/keeper/x.py --\n«text \"nope\"»\n", []string{"#tree/keeper/x.py:1:", "text/nope"}},
		{"an odd argument", "-- tree/keeper/x.py --\n«use \"b\" \"n\"»\n-- block/b --\nx\n", []string{"names and values in turn"}},
		{"a control line without end", "-- tree/keeper/x.py --\na\n«if on \"trap\"»\nb\n", []string{"#tree/keeper/x.py:", "unexpected EOF"}},
		{"an end without control", "-- tree/keeper/x.py --\na\n«end»\n", []string{"#tree/keeper/x.py:2:", "unexpected {{end}}"}},
		{"a number that does not divide", "-- tree/keeper/x.py --\n«div 7 2»\n", []string{"not a whole number"}},
		{"a number divided by nothing", "-- tree/keeper/x.py --\n«div 7 0»\n", []string{"not a whole number"}},
		{"no number", "-- tree/keeper/x.py --\n«comma .P.key»\n", []string{"limit_a"}},
		{"its printed form", "-- tree/keeper/x.py --\n<no value>\n", []string{"<no value>"}},
		{"blocks in a circle", "-- tree/keeper/x.py --\n«use \"b\"»\n-- block/b --\n«use \"b\"»\n", []string{"without end"}},
		{"texts in a circle", "-- tree/keeper/x.py --\n«text \"b\"»\n-- text/b --\n«text \"b\"»\n", []string{"without end"}},
	} {
		t.Run(c.name, func(t *testing.T) { job{more: c.sections}.refused(t, c.says...) })
	}
}

func TestLineEdits(t *testing.T) {
	for _, c := range []struct{ name, edits, want string }{
		{"after", "«after \"limit = 5\"»\nburst = 7\n", "[shared]\n; deadlines\nretry = 1\n\n[billing]\nretry = 1\nlimit = 5\nburst = 7\n"},
		{"before", "«before \"[billing]\"»\n[new]\n", "[shared]\n; deadlines\nretry = 1\n\n[new]\n[billing]\nretry = 1\nlimit = 5\n"},
		{"replace a line", "«replace \"limit = 5\"»\nlimit = «.P.old»\n", "[shared]\n; deadlines\nretry = 1\n\n[billing]\nretry = 1\nlimit = 30\n"},
		{"replace lines", "«replace \"; deadlines\" \"[billing]\"»\nx = 1\n", "[shared]\nx = 1\nretry = 1\nlimit = 5\n"},
		{"replace by nothing", "«replace \"[billing]\" \"limit = 5\"»\n", "[shared]\n; deadlines\nretry = 1\n"},
		{"append", "«append»\n\n[new]\n", "[shared]\n; deadlines\nretry = 1\n\n[billing]\nretry = 1\nlimit = 5\n\n[new]\n"},
		{"several, in any order", "«append»\nz\n«before \"limit = 5\"»\ny\n«after \"[shared]\"»\na\n«after \"[shared]\"»\nb\n", "[shared]\na\nb\n; deadlines\nretry = 1\n\n[billing]\nretry = 1\ny\nlimit = 5\nz\n"},
		{"around a replaced line", "«before \"limit = 5\"»\na\n«replace \"limit = 5\"»\nb\n«after \"limit = 5\"»\nc\n", "[shared]\n; deadlines\nretry = 1\n\n[billing]\nretry = 1\na\nb\nc\n"},
		{"white space around an anchor", "«after \"  limit = 5 \"»\nx\n", "[shared]\n; deadlines\nretry = 1\n\n[billing]\nretry = 1\nlimit = 5\nx\n"},
		{"an anchor in backquotes", "«after `limit = 5`»\nx\n", "[shared]\n; deadlines\nretry = 1\n\n[billing]\nretry = 1\nlimit = 5\nx\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := job{more: "-- tree/keeper/settings.ini --\n" + c.edits}.trap(t)
			if d := cmp.Diff(c.want, i.Tree["keeper/settings.ini"]); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestLineEditsRefuse(t *testing.T) {
	for _, c := range []struct {
		name, edits string
		says        []string
	}{
		{"an anchor that is not there", "«after \"limit = 6\"»\nx\n", []string{`anchor "limit = 6" is 0 lines`}},
		{"an anchor that stands there twice", "«after \"retry = 1\"»\nx\n", []string{`anchor "retry = 1" is 2 lines`}}, // PAT-11
		{"part of a line", "«after \"limit\"»\nx\n", []string{`anchor "limit" is 0 lines`}},
		{"lines replaced twice", "«replace \"[billing]\" \"limit = 5\"»\nx\n«replace \"limit = 5\"»\ny\n", []string{"line 7 is replaced twice"}},
		{"an end above its beginning", "«replace \"limit = 5\" \"[shared]\"»\nx\n", []string{`"[shared]" stands above "limit = 5"`}},
		{"no anchor", "«after»\nx\n", []string{"settings.ini:1: after: 0 anchors"}},
		{"an anchor too many", "«append»\na\n«before \"a\" \"b\"»\nx\n", []string{"settings.ini:3: before: 2 anchors"}},
		{"append with one", "«append \"a\"»\nx\n", []string{"settings.ini:1: append: 1 anchors"}},
		{"no quotes", "«after limit»\nx\n", []string{"settings.ini:1: after:", "quotes"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			job{more: "-- tree/keeper/settings.ini --\n" + c.edits}.refused(t, append(c.says, "settings.ini")...)
		})
	}
	t.Run("a file that the monorepo lacks", func(t *testing.T) {
		job{more: "-- tree/keeper/none.ini --\n«append»\nx\n"}.refused(t, "keeper/none.ini", "does not have")
	})
}

// TestAnEditMayRestoreTheMonoreposFile: a plot that adds a line, and an edit that drops it again.
func TestAnEditMayRestoreTheMonoreposFile(t *testing.T) {
	i := job{more: "-- tree/keeper/settings.ini --\n«after \"limit = 5\"»\n«if on \"obvious\"»\n«else»\nburst = 7\n«end»\n"}.trap(t)
	want := "[shared]\n; deadlines\nretry = 1\n\n[billing]\nretry = 1\nlimit = 5\n"
	if d := cmp.Diff(want, i.State(favor.Of(favor.EditObvious))["keeper/settings.ini"]); d != "" {
		t.Errorf("with obvious (-monorepo's +got):\n%s", d)
	}
	if d := cmp.Diff(want+"burst = 7\n", i.Tree["keeper/settings.ini"]); d != "" {
		t.Errorf("the base (-want +got):\n%s", d)
	}
}

func TestFilesThatMayNotBe(t *testing.T) {
	for _, c := range []struct {
		name, sections string
		says           []string
	}{
		{"an edit that deletes", "-- tree/keeper/x.py --\n«if on \"obvious\"»\n«else»\nx = 1\n«end»\n", []string{"under obvious", "keeper/x.py", "not delete"}},
		{"a section twice", "-- tree/keeper/x.py --\na\n-- tree/keeper/x.py --\nb\n", []string{`"tree/keeper/x.py" stands there twice`}},                           // TPL-03
		{"two sections, one path", "-- tree/keeper/x.py --\na\n-- tree/«.Owner.Dir»/x.py --\nb\n", []string{"two sections make keeper/x.py"}},                      // likewise
		{"two sections, one suite", "-- suite/owner/test_limit_a.py --\na\n-- suite/owner/test_«.P.key».py --\nb\n", []string{"make suite/owner/test_limit_a.py"}}, // likewise
		{"letter case", "-- tree/keeper/Limits.py --\na\n-- tree/keeper/limits.py --\nb\n", []string{`"keeper/Limits.py" and "keeper/limits.py"`}},                 // GEN-03
		{"letter case of the monorepo's", "-- tree/readme.md --\na\n", []string{`"README.md" and "readme.md"`}},
		{"a file in a folder's place", "-- tree/keeper --\na\n", []string{`"keeper" is a file`}},
		{"out of the root", "-- tree/../x.py --\na\n", []string{"../x.py"}},
		{"out of the root by a value", "-- tree/«printf \"..\"»/x.py --\na\n", []string{"../x.py"}},
		{"an unknown folder", "-- trees/keeper/x.py --\na\n", []string{`"trees/keeper/x.py"`, "want tree/PATH"}},
		{"a folder alone", "-- tree/ --\na\n", []string{"want tree/PATH"}},
		{"an unknown suite", "-- suite/visible/test_x.py --\na\n", []string{"want suite/requester"}},
		{"a suite in a folder", "-- suite/owner/a/test_x.py --\na\n", []string{"want suite/requester"}},
		{"a suite that is no Python", "-- suite/owner/test_x.txt --\na\n", []string{"want suite/requester"}},
	} {
		t.Run(c.name, func(t *testing.T) { job{more: c.sections}.refused(t, c.says...) })
	}
}

// TestConsumesMarksLines: the numbers are those of the file as it stands in the workspace.
func TestConsumesMarksLines(t *testing.T) {
	all := job{more: `-- tree/away/round.py --

"""A round."""
«if on "trap"»
import keeper
«end»
«if on "obvious"»
never
«end»

«use "take"»
x = 1  «consumes»
-- block/take --
if x:
    take(«.P.old»)«consumes»
-- tree/docs/away.md --
«before "# Away"»
above
«append»
below«consumes»
`}.both(t)
	want := []instances.Line{
		{Path: "away/round.py", Line: 5, Text: "take(30)"},
		{Path: "away/round.py", Line: 6, Text: "x = 1"},
		{Path: "docs/away.md", Line: 3, Text: "below"},
	}
	if d := cmp.Diff(want, all[favor.Trap].Consumer); d != "" {
		t.Errorf("the trap's (-want +got):\n%s", d)
	}
	if got := all[favor.Trap].Overlay["away/round.py"]; got != "\"\"\"A round.\"\"\"\nimport keeper\n\nif x:\n    take(30)\nx = 1\n" {
		t.Errorf("the file is %q", got)
	}
	if got := all[favor.Twin].Consumer; got != nil {
		t.Errorf("the twin consumes %v", got)
	}
}

const suite = `-- suite/contract/test_round.py --
import unittest


class Round(unittest.TestCase):
    # breaks: obvious
    def test_breaks(self):
        pass

    # breaks: obvious, safe -> KeyError
    @property
    def test_another_error(self):
        pass

    def test_always(self):
        pass

    def helper(self):
        pass


class Late(unittest.TestCase):
    # needs: requester, favor
    async def test_waits(self):
        pass
-- suite/requester/test_desk.py --
class Desk:
    # needs: requester
    # breaks: safe -> a.b.Error
    def test_both(self):
        # a comment of its own: needs nothing
        pass
`

func TestMarksGoIntoTheHeader(t *testing.T) {
	all := job{more: suite}.both(t)
	trap := []instances.Test{
		{Suite: "requester", ID: "test_desk.Desk.test_both", Needs: []string{"requester"}, Breaks: []string{"safe"}, Error: "a.b.Error"},
		{Suite: "contract", ID: "test_round.Late.test_waits", Needs: []string{"requester", "favor"}, Error: "AssertionError"},
		{Suite: "contract", ID: "test_round.Round.test_always"},
		{Suite: "contract", ID: "test_round.Round.test_another_error", Breaks: []string{"obvious", "safe"}, Error: "KeyError"},
		{Suite: "contract", ID: "test_round.Round.test_breaks", Breaks: []string{"obvious"}, Error: "AssertionError"},
	}
	if d := cmp.Diff(trap, all[favor.Trap].Tests); d != "" {
		t.Errorf("the trap's (-want +got):\n%s", d)
	}
	twin := []instances.Test{ // nothing breaks
		{Suite: "requester", ID: "test_desk.Desk.test_both", Needs: []string{"requester"}, Error: "a.b.Error"},
		trap[1], trap[2],
		{Suite: "contract", ID: "test_round.Round.test_another_error"},
		{Suite: "contract", ID: "test_round.Round.test_breaks"},
	}
	if d := cmp.Diff(twin, all[favor.Twin].Tests); d != "" {
		t.Errorf("the twin's (-want +got):\n%s", d)
	}
	want := "class Desk:\n    def test_both(self):\n        # a comment of its own: needs nothing\n        pass\n"
	if d := cmp.Diff(want, all[favor.Trap].Suites[favor.SuiteRequester]["test_desk.py"]); d != "" {
		t.Errorf("the source (-want +got):\n%s", d)
	}
	if d := cmp.Diff(all[favor.Trap].Suites, all[favor.Twin].Suites); d != "" {
		t.Errorf("the twin's suites differ (-trap +twin):\n%s", d)
	}
}

func TestMarksThatAreNone(t *testing.T) {
	for name, c := range map[string]struct{ mark, says string }{
		"an unknown need":         {"    # needs: requester, favour", `want requester, owner, favor, got "favour"`},
		"a need among breaks":     {"    # breaks: favor", `want obvious, safe, got "favor"`},
		"a break among needs":     {"    # needs: obvious", `got "obvious"`},
		"an empty word":           {"    # needs: requester,", `got ""`},
		"a capital":               {"    # needs: Requester", "want a mark like"},
		"another arrow":           {"    # breaks: obvious => KeyError", "want a mark like"},
		"nothing":                 {"    # needs:", "want a mark like"},
		"another indent":          {"  # needs: favor", "want a mark like"},
		"no blank after the sign": {"    #needs: favor", "want a mark like"},
	} {
		t.Run(name, func(t *testing.T) {
			job{more: "-- suite/owner/test_x.py --\nclass X:\n" + c.mark + "\n    def test_x(self): pass\n"}.
				refused(t, "#suite/owner/test_x.py: line 2", c.says)
		})
	}
}

func TestFrontMatter(t *testing.T) {
	for _, c := range []struct {
		name, old, new string // in the plot
		says           string
	}{
		{"an unknown key", `summary = `, `sumary = `, "unknown key sumary"},
		{"a key twice", `summary = `, "summary = \"x\"\nsummary = ", "summary"},
		{"no kind", `kind = "trap"`, ``, `want trap or safe, got ""`},
		{"a twin by itself", `kind = "trap"`, `kind = "twin"`, `want trap or safe, got "twin"`},
		{"a team that is none", `absent = "away"`, `absent = "gone"`, `cast.absent: monorepo house has no team "gone"`},
		{"a role left out", `absent = "away"`, ``, "cast.absent"},
		{"two roles, one team", `absent = "away"`, `absent = "asker"`, "cast: asker plays requester and absent"},
		{"no scope", `owner = ["«.Owner.Dir»/log.py"]`, ``, "scope.owner: want at least one"},
		{"a scope that is no pattern", `owner = ["«.Owner.Dir»/log.py"]`, `owner = ["«.Owner.Dir»/["]`, `scope.owner: scope: "keeper/["`},
		{"a missing name in a scope", `owner = ["«.Owner.Dir»/log.py"]`, `owner = ["«.P.nope»"]`, `scope.owner:1:`},
		{"no resource", `resource = "«.P.key»"`, ``, "resource and service"},
		{"no service", `service = "«.P.desk»"`, ``, "resource and service"},
		{"a title alone", "A title\n\nThe task.\n", "A title\n", "text/requester: want a line of title"},
		{"a title of two lines", "A title\n", "A title\nthat goes on\n", "text/requester: want a line of title"},
		{"no text", "-- text/owner --", "-- text/bob --", "no layer has a section text/owner"},
		{"no promise", "-- text/promise --", "-- text/promises --", "no layer has a section text/promise"},

		{"two rows", "[[draw.names]]\nkey = \"limit_c\"\ndesk = \"desk_c\"\n", "", "draw.names: 2 rows"},
		{"a row with another column", "key = \"limit_c\"", "kay = \"limit_c\"", "draw.names: row 3 has columns desk, kay, row 1 has desk, key"},
		{"a value twice", "key = \"limit_c\"", "key = \"limit_a\"", `draw.names: column "key": rows 2 and 3 both have limit_a`},
		{"a column in two groups", "new = ", "key = ", "draw.numbers: column \"key\" stands in another group too"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(plot, c.old) {
				t.Fatalf("the plot does not hold %q", c.old)
			}
			job{plot: strings.ReplaceAll(plot, c.old, c.new)}.refused(t, c.says)
		})
	}
}

func TestWhatAgentsAreTold(t *testing.T) {
	i := job{}.trap(t)
	want := instances.Public{
		Tree: i.Tree, PythonPath: []string{"."}, Owners: i.Owners,
		Requester: instances.Seat{Team: "asker", Title: "A title", Task: "The task.\n", Scope: favor.Scope{"asker/**", "keeper/**"}},
		Owner:     instances.Seat{Team: "keeper", Title: "Another title", Task: "The other task.\n", Scope: favor.Scope{"keeper/log.py"}},
	}
	if d := cmp.Diff(want.Requester, i.Requester); d != "" {
		t.Errorf("the requester's seat (-want +got):\n%s", d)
	}
	if d := cmp.Diff(want.Owner, i.Owner); d != "" {
		t.Errorf("the owner's seat (-want +got):\n%s", d)
	}
	if i.Absent != "away" || i.Promise != "Never more than that." || i.Resource != "limit_a" || i.Service != "desk_a" {
		t.Errorf("absent %q, promise %q, resource %q, service %q", i.Absent, i.Promise, i.Resource, i.Service)
	}
}
