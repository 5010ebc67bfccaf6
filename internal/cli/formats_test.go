package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"favorbench/audit"
	"favorbench/favor"
	"favorbench/mutate"
	"favorbench/propositions"
	"favorbench/validate"
)

// TestJUnit reads back what WriteJUnit makes of results with every status and with texts that XML does not like.
func TestJUnit(t *testing.T) {
	nasty := "a < b & \"c\" ]]> \x00 \x1b[31m \ufffe é\nsecond line"
	results := []validate.Result{
		{ID: "f/m-p-trap", Kind: favor.Trap, Checks: []validate.Outcome{
			{Check: "tree", Status: validate.Holds},
			{Check: "green", Status: validate.Fails, Findings: []validate.Finding{{State: "base", Message: nasty, Detail: nasty}, {Message: "second"}}},
			{Check: "harm", Status: validate.NotReached, Because: "green"},
		}},
		{ID: "f/m-p-twin", Kind: favor.Twin, Checks: []validate.Outcome{{Check: "tree", Status: validate.Holds}}},
	}
	var first, second bytes.Buffer
	report := validate.NewReport(results, 0, "Python 3")
	for _, out := range []*bytes.Buffer{&first, &second} {
		if err := report.WriteJUnit(out); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the same report gives other bytes")
	}
	all, faults := readJUnit(first.Bytes())
	for _, fault := range faults {
		t.Error(fault)
	}
	if want := (junitCounts{Tests: 4, Failures: 1, Skipped: 1}); all != want {
		t.Errorf("%+v, want %+v", all, want)
	}
	for _, want := range []string{"a &lt; b &amp;", "second line", "not reached, as green fails"} {
		if !strings.Contains(first.String(), want) {
			t.Errorf("no %q in:\n%s", want, &first)
		}
	}
}

// TestFormatsPage holds docs/formats.md to name every key of the JSON outputs and of an instance's header.
func TestFormatsPage(t *testing.T) {
	page, err := os.ReadFile(docFile("formats.md"))
	if err != nil {
		t.Fatal(err)
	}
	// Code spans are cut at what separates keys in them.
	named := map[string]bool{}
	for _, span := range regexp.MustCompile("`[^`\n]+`").FindAllString(string(page), -1) {
		for _, key := range regexp.MustCompile(`[a-z_0-9]+`).FindAllString(span, -1) {
			named[key] = true
		}
	}
	for _, v := range []any{generated{}, listed{}, shown{}, shownSeat{}, shownLine{}, shownTest{}, validate.Report{}, validate.Result{}, validate.Outcome{}, validate.Finding{},
		mutate.Report{}, mutate.Result{}, mutate.Outcome{}, mutate.Score{}, audited{}, audit.Finding{}, propositions.Report{}, propositions.Result{}, propositions.Group{}} {
		typ := reflect.TypeOf(v)
		for n := range typ.NumField() {
			f := typ.Field(n)
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case f.Anonymous || !f.IsExported():
			case key == "":
				t.Errorf("%s.%s has no json tag", typ, f.Name)
			case !named[key]:
				t.Errorf("docs/formats.md does not name %q of %s", key, typ)
			}
		}
	}

	dir := t.TempDir()
	for _, line := range []string{
		"new monorepo postline --dir m", "new family booking-limit --dir f",
		"generate --families f --monorepos m --family booking-limit --monorepo postline --out set",
	} {
		cmd := exec.Command("favorbench", strings.Fields(line)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, "set", "booking-limit", "postline-shared-limit-trap.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(string(data), "\n-- ")
	keys, params := 0, false
	for line := range strings.SplitSeq(header, "\n") {
		if strings.HasPrefix(line, "[") {
			params = line == "[params]"
		}
		if m := regexp.MustCompile(`^\[*([a-z_]+)(\]| = )`).FindStringSubmatch(line); m != nil && (!params || strings.HasPrefix(line, "[")) {
			keys++
			if !named[m[1]] {
				t.Errorf("docs/formats.md does not name %q of an instance's header", m[1])
			}
		}
	}
	if keys < 30 {
		t.Errorf("found %d keys in the header, want more: is it still TOML?\n%s", keys, header)
	}
}
