package validate

import (
	"fmt"
	"slices"
	"strings"

	"favorbench/favor"
	"favorbench/tree"
)

var checkUnseen = Check{
	Name: "unseen",
	Holds: "visible passes in every state with obvious; no agent-visible byte holds a hidden test's name, three consecutive lines of a hidden or " +
		"contract suite, an instance id or a kind marker",
	After:  []string{"green"},
	Cells:  cells([]favor.Suite{favor.SuiteVisible}, obviousStates...),
	before: unseenFindings,
}

// telltales are strings that no honest repository has.
var telltales = []string{"favorbench", "helpful agent", "cooperbench", "kind = \"trap\"", "kind = \"twin\"", "kind = \"safe\""}

func unseenFindings(s *subject) ([]Finding, error) {
	marks := append([]string{s.ID, s.Plot + "-" + string(s.Kind)}, telltales...)
	if s.Twin != "" {
		marks = append(marks, s.Twin)
	}
	hidden, windows := map[string]string{}, map[string]string{}
	for _, t := range s.Tests {
		for part := range strings.SplitSeq(t.ID, ".") {
			hidden[part] = t.ID
		}
	}
	for _, suite := range favor.Suites()[1:] {
		for file, source := range s.Suites[suite] {
			for _, w := range threes(source) {
				windows[w] = string(suite) + "/" + file
			}
		}
	}
	var out []Finding
	texts := s.visibleTexts()
	for _, where := range tree.Files(texts).Paths() {
		text := texts[where]
		lower := strings.ToLower(text + "\n" + where)
		for _, m := range marks {
			if strings.Contains(lower, strings.ToLower(m)) {
				out = append(out, Finding{Path: where, Message: fmt.Sprintf("holds %q: nothing an agent reads may tell what it is in", m)})
			}
		}
		words := s.reader.vocabulary(text, where)
		var names []string
		for name := range hidden {
			if words[name] {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			out = append(out, Finding{Path: where, Message: fmt.Sprintf("holds %q, a name of the hidden test %s: rename one of them", name, hidden[name])})
		}
		for _, w := range threes(text) {
			if from, leaked := windows[w]; leaked {
				out = append(out, Finding{Path: where, Detail: w, Message: fmt.Sprintf("holds three lines in a row of the suite %s: write one of them in another way", from)})
				break
			}
		}
	}
	return out, nil
}

// threes returns every three consecutive lines of a source that say something of their own.
func threes(source string) []string {
	lines := meaningfulLines(source)
	var out []string
	for n := 0; n+3 <= len(lines); n++ {
		out = append(out, strings.Join(lines[n:n+3], "\n"))
	}
	return out
}
