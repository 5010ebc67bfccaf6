package instances

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSumsReadBack(t *testing.T) {
	sums := map[string]string{"b/x": "h1:2", "a/y": "h1:1+/=", "a/x": "h1:3"}
	data := FormatSums(sums)
	if d := cmp.Diff("a/x h1:3\na/y h1:1+/=\nb/x h1:2\n", string(data)); d != "" {
		t.Errorf("FormatSums (-want +got):\n%s", d)
	}
	got, err := parseSums(data)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(sums, got); d != "" {
		t.Errorf("read back (-want +got):\n%s", d)
	}
	if got, err := parseSums(nil); err != nil || len(got) != 0 {
		t.Errorf("no line at all: %v, %v", got, err)
	}
}

func TestParseSumsRefuses(t *testing.T) {
	for name, line := range map[string]string{
		"an id twice":           "a/x h1:2",
		"no digest":             "a/y",
		"another digest":        "a/y h2:1",
		"no id":                 " h1:1",
		"two blanks":            "a/y  h1:1",
		"something behind":      "a/y h1:1 h1:2",
		"a blank at the end":    "a/y h1:1 ",
		"a tab":                 "a/y\th1:1",
		"an empty line":         "",
		"a mark of a merge":     "<<<<<<< ours",
		"a line without an end": strings.Repeat("x", 1<<17),
	} {
		_, err := parseSums([]byte("a/x h1:1\n" + line + "\nb/z h1:1\n"))
		if err == nil || len(line) < 1000 && !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: error %v, want one that names line 2", name, err)
		}
	}
}

// FuzzParseSums: what parses is written so that it parses to the same.
func FuzzParseSums(f *testing.F) {
	f.Add([]byte("a/x h1:1\nb/y h1:2\n"))
	f.Add([]byte("a/x h1:1\r\n"))
	f.Add([]byte(" h1:"))
	f.Fuzz(func(t *testing.T, data []byte) {
		sums, err := parseSums(data)
		if err != nil {
			return
		}
		back, err := parseSums(FormatSums(sums))
		if err != nil || !maps.Equal(sums, back) {
			t.Errorf("%q reads back as %q, error %v", sums, back, err)
		}
	})
}
