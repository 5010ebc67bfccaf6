// Package families holds the task families and their plots, and loads them.
//
// A family is a folder of data: family.toml says what is shared and which dialect blocks the plots need, dialect.txtar is the
// dialect for houses that have none of their own, and every other txtar file is a plot. Adding one needs no Go.
package families

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

//go:embed all:*
var embedded embed.FS

// Embedded returns the folders of this package, as they were when the binary was built.
func Embedded() fs.FS { return embedded }

// Family is one of the kinds of shared resource that plots turn on.
type Family struct {
	Name  string   `toml:"name"`
	Code  string   `toml:"code"` // F1 to F8 in the paper's order; later families go on from there
	Title string   `toml:"title"`
	About string   `toml:"about"` // what is shared, what an obvious edit does, what a safe one looks like
	Needs []string `toml:"needs"` // the blocks a dialect must give

	Dialect string `toml:"-"` // the text of dialect.txtar; empty where there is none
	Plots   []Plot `toml:"-"` // sorted by name
}

// Plot is the text of a plot's txtar file.
type Plot struct {
	Name string
	Text string
}

// Load reads every family below the root of fsys, sorted by code.
func Load(fsys fs.FS) ([]*Family, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("load families: %w", err)
	}
	var all []*Family
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		f, err := load(fsys, e.Name())
		if err != nil {
			return nil, fmt.Errorf("load family %s: %w", e.Name(), err)
		}
		all = append(all, f)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("load families: no folder with a family.toml")
	}
	return inOrder(all)
}

func load(fsys fs.FS, dir string) (*Family, error) {
	data, err := fs.ReadFile(fsys, path.Join(dir, "family.toml"))
	if err != nil {
		return nil, err
	}
	f := &Family{}
	meta, err := toml.Decode(string(data), f)
	if err != nil {
		return nil, fmt.Errorf("family.toml: %w", err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("family.toml: unknown key %s", unknown[0])
	}
	if f.Name != dir || f.Code == "" || f.Title == "" || f.About == "" {
		return nil, fmt.Errorf("family.toml: want name = %q, and code, title and about", dir)
	}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".txtar")
		if !ok {
			continue
		}
		data, err := fs.ReadFile(fsys, path.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if name == "dialect" {
			f.Dialect = string(data)
		} else {
			f.Plots = append(f.Plots, Plot{name, string(data)})
		}
	}
	return f, nil
}

// Merge adds families to others; one of a known name replaces it.
func Merge(all, more []*Family) ([]*Family, error) {
	out := slices.DeleteFunc(slices.Clone(all), func(f *Family) bool {
		return slices.ContainsFunc(more, func(m *Family) bool { return m.Name == f.Name })
	})
	return inOrder(append(out, more...))
}

// inOrder sorts families by code, F2 before F10, and refuses two of one code.
func inOrder(all []*Family) ([]*Family, error) {
	slices.SortFunc(all, func(a, b *Family) int {
		return cmp.Or(cmp.Compare(len(a.Code), len(b.Code)), strings.Compare(a.Code, b.Code), strings.Compare(a.Name, b.Name))
	})
	for n := 1; n < len(all); n++ {
		if all[n].Code == all[n-1].Code {
			return nil, fmt.Errorf("load families: %s and %s both have code %s", all[n-1].Name, all[n].Name, all[n].Code)
		}
	}
	return all, nil
}
