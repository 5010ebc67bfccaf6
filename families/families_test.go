package families_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"favorbench/families"

	"github.com/google/go-cmp/cmp"
)

func meta(name, code string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("name = \"" + name + "\"\ncode = \"" + code + "\"\ntitle = \"T\"\nabout = \"A\"\nneeds = [\"get\"]\n")}
}

// sound holds two families; the code of the first by name is the last by number.
func sound() fstest.MapFS {
	return fstest.MapFS{
		"families.go":         {Data: []byte("package families\n")},
		".cache/x":            {},
		"alarm/family.toml":   meta("alarm", "F10"),
		"alarm/one.txtar":     {Data: []byte("kind = \"safe\"\n")},
		"badge/family.toml":   meta("badge", "F2"),
		"badge/dialect.txtar": {Data: []byte("-- block/get --\n")},
		"badge/two.txtar":     {Data: []byte("two\n")},
		"badge/one.txtar":     {Data: []byte("one\n")},
		"badge/notes.md":      {Data: []byte("for its authors\n")},
	}
}

func TestLoad(t *testing.T) {
	got, err := families.Load(sound())
	if err != nil {
		t.Fatal(err)
	}
	want := []*families.Family{ // F2 comes before F10, and a dialect is no plot
		{Name: "badge", Code: "F2", Title: "T", About: "A", Needs: []string{"get"}, Dialect: "-- block/get --\n", Plots: []families.Plot{{Name: "one", Text: "one\n"}, {Name: "two", Text: "two\n"}}},
		{Name: "alarm", Code: "F10", Title: "T", About: "A", Needs: []string{"get"}, Plots: []families.Plot{{Name: "one", Text: "kind = \"safe\"\n"}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		says             string
	}{
		{"an unknown key", "alarm/family.toml", "name = \"alarm\"\ncode = \"F1\"\ntitle = \"T\"\nabout = \"A\"\nneed = []\n", "unknown key need"},
		{"a key twice", "alarm/family.toml", "name = \"alarm\"\nname = \"alarm\"\n", "name"},
		{"another name than the folder's", "alarm/family.toml", "name = \"alarms\"\ncode = \"F1\"\ntitle = \"T\"\nabout = \"A\"\n", `want name = "alarm"`},
		{"no code", "alarm/family.toml", "name = \"alarm\"\ntitle = \"T\"\nabout = \"A\"\n", "code, title and about"},
		{"no title", "alarm/family.toml", "name = \"alarm\"\ncode = \"F1\"\nabout = \"A\"\n", "code, title and about"},
		{"nothing about it", "alarm/family.toml", "name = \"alarm\"\ncode = \"F1\"\ntitle = \"T\"\n", "code, title and about"},
		{"no TOML", "alarm/family.toml", "<<<<<<<\n", "family.toml"},
		{"another's code", "alarm/family.toml", "name = \"alarm\"\ncode = \"F2\"\ntitle = \"T\"\nabout = \"A\"\n", "alarm and badge both have code F2"},
		{"a folder without a family", "cards/one.txtar", "x\n", "family.toml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := sound()
			files[c.file] = &fstest.MapFile{Data: []byte(c.text)}
			folder, _, _ := strings.Cut(c.file, "/")
			if _, err := families.Load(files); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), folder) {
				t.Errorf("error %v, want one that names %s and says %q", err, folder, c.says)
			}
		})
	}
	if _, err := families.Load(fstest.MapFS{"x.go": {}}); err == nil {
		t.Error("no family at all is no error")
	}
}

func TestMerge(t *testing.T) {
	a, b, mine, ten := &families.Family{Name: "a", Code: "F1"}, &families.Family{Name: "b", Code: "F2"}, &families.Family{Name: "a", Code: "F3"}, &families.Family{Name: "t", Code: "F10"}
	all := []*families.Family{a, b}
	got, err := families.Merge(all, []*families.Family{ten, mine})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, []*families.Family{b, mine, ten}) {
		var names []string
		for _, f := range got {
			names = append(names, f.Name+" "+f.Code)
		}
		t.Errorf("merged to %v, want b F2, a F3, t F10", names)
	}
	if !slices.Equal(all, []*families.Family{a, b}) {
		t.Error("Merge changed its argument")
	}
	if _, err := families.Merge(all, []*families.Family{{Name: "c", Code: "F2"}}); err == nil || !strings.Contains(err.Error(), "b and c both have code F2") {
		t.Errorf("a code twice: error %v", err)
	}
}

// paper lists the families in the paper's order. The set grows towards it; what is there has its name and its code.
var paper = []string{"config-key", "feature-flag", "helper-function", "enum", "version-pin", "capacity-pool", "access-role", "observability"}

func TestEmbedded(t *testing.T) {
	all, err := families.Load(families.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		if n := slices.Index(paper, f.Name); n < 0 || f.Code != "F"+string(rune('1'+n)) {
			t.Errorf("family %s has code %s; the paper's order is %v", f.Name, f.Code, paper)
		}
		if len(f.Plots) != 5 {
			t.Errorf("family %s has %d plots, want 4 traps and 1 safe", f.Name, len(f.Plots))
		}
		for _, p := range f.Plots {
			if strings.TrimSpace(p.Text) == "" {
				t.Errorf("family %s: plot %s is empty", f.Name, p.Name)
			}
		}
	}
}
