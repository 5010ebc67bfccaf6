package attribution_test

import (
	"strings"
	"testing"

	"favorbench/attribution"
	"favorbench/tree"

	"github.com/google/go-cmp/cmp"
)

var base = tree.Files{
	"settings.toml": "[shared]\nwait = 30\n\n[mail]\nkeep = 7\n",
	"gate.py":       "def open(x):\n    return x\n",
	"readme.md":     "words\n",
}

func TestItems(t *testing.T) {
	edit := tree.Files{
		"settings.toml": "[shared]\nwait = 3\n\n[mail]\nkeep = 7\nsize = 2\n",
		"gate.py":       "import log\n\n\ndef open(x):\n    return x\n",
		"new.py":        "x = 1\n",
	}
	items := attribution.Items(base, edit)
	var names []string
	for _, i := range items {
		names = append(names, i.Name(base))
	}
	if d := cmp.Diff([]string{"gate.py:1", "new.py (new)", "settings.toml:2", "settings.toml:6"}, names); d != "" {
		t.Errorf("items (-want +got):\n%s", d)
	}
	one, err := attribution.Apply(base, items[2:3])
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(tree.Files{"settings.toml": "[shared]\nwait = 3\n\n[mail]\nkeep = 7\n"}, one); d != "" {
		t.Errorf("one item alone (-want +got):\n%s", d)
	}
	all, err := attribution.Apply(base, items)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(edit, all); d != "" {
		t.Errorf("all items (-want +got):\n%s", d)
	}
}

func TestItemsThatExcludeOneAnother(t *testing.T) {
	a := attribution.Items(base, tree.Files{"settings.toml": "[shared]\nwait = 3\n\n[mail]\nkeep = 7\n"})
	b := attribution.Items(base, tree.Files{"settings.toml": "[shared]\nwait = 4\n\n[mail]\nkeep = 8\n"})
	for n, want := range []bool{true, false} {
		if got := a[0].Excludes(b[n]); got != want {
			t.Errorf("item %d excluded: %v, want %v", n, got, want)
		}
	}
	if _, err := attribution.Apply(base, []attribution.Item{a[0], b[0]}); err == nil || !strings.Contains(err.Error(), "settings.toml") {
		t.Errorf("error %v, want one that names the file", err)
	}
	if _, err := attribution.Apply(tree.Files{}, a); err == nil || !strings.Contains(err.Error(), "another base") {
		t.Errorf("error %v, want one about the base", err)
	}
}

// FuzzItems: all items make the edit, none makes nothing, and two edits' items that do not exclude each other can be united.
func FuzzItems(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc\n", "a\nb\nc\nd\n")
	f.Add("", "a\n", "b")
	f.Add("a\na\na\n", "a\n", "a\na\na\na\n")
	f.Fuzz(func(t *testing.T, old, one, two string) {
		b := tree.Files{"f": old}
		items, others := attribution.Items(b, tree.Files{"f": one}), attribution.Items(b, tree.Files{"f": two})
		made, err := attribution.Apply(b, items)
		if err != nil {
			t.Fatal(err)
		}
		if got := b.Overlay(made)["f"]; got != one {
			t.Errorf("all items of the edit make %q, want %q", got, one)
		}
		var united []attribution.Item
		united = append(united, items...)
		for _, o := range others {
			free := true
			for _, i := range united {
				free = free && !i.Excludes(o)
			}
			if free {
				united = append(united, o)
			}
		}
		if _, err := attribution.Apply(b, united); err != nil {
			t.Errorf("items that do not exclude each other: %v", err)
		}
	})
}
