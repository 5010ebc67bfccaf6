// Package monorepos holds the authored Python repositories on which instances are laid, and loads them.
//
// A monorepo is a folder of data: monorepo.toml says who works there and in which words, repo/ is the repository itself,
// dialect/FAMILY.txtar says how this house keeps a family's shared resource, and castings/FAMILY/PLOT.txtar tell a plot in
// this house's own words. Adding one needs no Go.
package monorepos

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"favorbench/favor"
	"favorbench/tree"

	"github.com/BurntSushi/toml"
)

// embedded holds every monorepo's folder. "all:" keeps __init__.py and dot files.
//
//go:embed all:*
var embedded embed.FS

// Embedded returns the folders of this package, as they were when the binary was built.
func Embedded() fs.FS { return embedded }

// Monorepo is one authored repository and what is known about it.
type Monorepo struct {
	Name       string            `toml:"name"`
	Title      string            `toml:"title"`
	About      string            `toml:"about"`
	PythonPath []string          `toml:"python_path"`
	Codeowners string            `toml:"codeowners"`
	Teams      []Team            `toml:"team"`
	Words      map[string]string `toml:"words"`

	Repo     tree.Files        `toml:"-"`
	Owners   tree.Owners       `toml:"-"`
	Digest   string            `toml:"-"` // of Repo
	Dialects map[string]string `toml:"-"` // by family: the text of dialect/FAMILY.txtar
	Castings map[string]string `toml:"-"` // by FAMILY/PLOT: the text of castings/FAMILY/PLOT.txtar
}

// Team is a team of the monorepo, with the places that are its own.
type Team struct {
	Name    favor.Team `toml:"name"`
	About   string     `toml:"about"`
	Dir     string     `toml:"dir"`     // folder of its code, a package
	Package string     `toml:"package"` // dotted import path of Dir
	Tests   string     `toml:"tests"`   // folder of its visible tests, a package
	Docs    string     `toml:"docs"`    // a page of its own
}

// Team finds a team by name.
func (m *Monorepo) Team(name favor.Team) (Team, error) {
	for _, t := range m.Teams {
		if t.Name == name {
			return t, nil
		}
	}
	return Team{}, fmt.Errorf("monorepo %s has no team %q", m.Name, name)
}

// Load reads every monorepo below the root of fsys, sorted by name.
func Load(fsys fs.FS) ([]*Monorepo, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("load monorepos: %w", err)
	}
	var all []*Monorepo
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		m, err := load(fsys, e.Name())
		if err != nil {
			return nil, fmt.Errorf("load monorepo %s: %w", e.Name(), err)
		}
		all = append(all, m)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("load monorepos: no folder with a monorepo.toml")
	}
	return all, nil
}

// Find picks a monorepo by name.
func Find(all []*Monorepo, name string) (*Monorepo, error) {
	var names []string
	for _, m := range all {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return nil, fmt.Errorf("no monorepo %q; there are %s", name, strings.Join(names, ", "))
}

func load(fsys fs.FS, dir string) (*Monorepo, error) {
	data, err := fs.ReadFile(fsys, path.Join(dir, "monorepo.toml"))
	if err != nil {
		return nil, err
	}
	m := &Monorepo{}
	meta, err := toml.Decode(string(data), m)
	if err != nil {
		return nil, fmt.Errorf("monorepo.toml: %w", err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("monorepo.toml: unknown key %s", unknown[0])
	}
	repo, err := fs.Sub(fsys, path.Join(dir, "repo"))
	if err != nil {
		return nil, err
	}
	if m.Repo, err = tree.Read(repo); err != nil {
		return nil, fmt.Errorf("repo: %w", err)
	}
	if m.Owners, err = tree.ParseOwners(m.Repo[m.Codeowners]); err != nil {
		return nil, err
	}
	m.Digest = m.Repo.Digest()
	if m.Dialects, err = readTexts(fsys, path.Join(dir, "dialect")); err != nil {
		return nil, err
	}
	if m.Castings, err = readTexts(fsys, path.Join(dir, "castings")); err != nil {
		return nil, err
	}
	return m, m.check(dir)
}

// readTexts reads every txtar file below dir, keyed by its path from dir without the ending. A folder that is not there holds none.
func readTexts(fsys fs.FS, dir string) (map[string]string, error) {
	texts := map[string]string{}
	if _, err := fs.Stat(fsys, dir); err != nil {
		return texts, nil
	}
	return texts, fs.WalkDir(fsys, dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, ok := strings.CutSuffix(strings.TrimPrefix(p, dir+"/"), ".txtar")
		if !ok {
			return fmt.Errorf("%s: want txtar files only", p)
		}
		data, err := fs.ReadFile(fsys, p)
		texts[name] = string(data)
		return err
	})
}

// check holds the monorepo to what castings and checks rely on.
func (m *Monorepo) check(dir string) error {
	if m.Name != dir {
		return fmt.Errorf("monorepo.toml: name is %q, the folder %q", m.Name, dir)
	}
	if m.Codeowners != "CODEOWNERS" {
		return fmt.Errorf("monorepo.toml: codeowners is %q; instances read CODEOWNERS in the root", m.Codeowners)
	}
	if m.Title == "" || m.About == "" || len(m.PythonPath) == 0 {
		return fmt.Errorf("monorepo.toml: want title, about and python_path")
	}
	if faults := m.Repo.Check(); len(faults) > 0 {
		return faults[0]
	}
	for _, p := range m.Repo.Paths() {
		if _, err := m.Owners.Owner(p); err != nil {
			return err
		}
		if c := m.Repo[p]; c != "" && !strings.HasSuffix(c, "\n") {
			return fmt.Errorf("repo/%s: its last line has no line break", p)
		}
	}
	if len(m.Teams) < 3 {
		return fmt.Errorf("monorepo.toml: %d teams; a plot casts three", len(m.Teams))
	}
	var seen []favor.Team
	for _, t := range m.Teams {
		if slices.Contains(seen, t.Name) {
			return fmt.Errorf("monorepo.toml: team %s stands there twice", t.Name)
		}
		seen = append(seen, t.Name)
		for _, p := range []string{path.Join(t.Dir, "x.py"), path.Join(t.Tests, "test_x.py"), t.Docs} {
			if !m.Owners.Owned(p, t.Name) {
				return fmt.Errorf("team %s: CODEOWNERS does not give it %s", t.Name, p)
			}
		}
	}
	return nil
}

// Merge adds monorepos to others, sorted by name; one of a known name replaces it.
func Merge(all, more []*Monorepo) []*Monorepo {
	out := slices.DeleteFunc(slices.Clone(all), func(m *Monorepo) bool {
		return slices.ContainsFunc(more, func(n *Monorepo) bool { return n.Name == m.Name })
	})
	out = append(out, more...)
	slices.SortFunc(out, func(a, b *Monorepo) int { return strings.Compare(a.Name, b.Name) })
	return out
}
