package monorepos_test

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"favorbench/families"
	"favorbench/monorepos"
	"favorbench/tree"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// sound is the smallest monorepo that loads. Each fault below is one change of it.
const sound = `
-- monorepo.toml --
name = "house"
title = "The House"
about = "a house for tests"
python_path = [".", "lib"]
codeowners = "CODEOWNERS"

[[team]]
name = "asker"
about = "asks"
dir = "asker"
package = "asker"
tests = "asker/tests"
docs = "docs/asker.md"

[[team]]
name = "keeper"
about = "keeps"
dir = "lib/keeper"
package = "keeper"
tests = "lib/keeper/tests"
docs = "docs/keeper.md"

[[team]]
name = "works"
about = "works"
dir = "works"
package = "works"
tests = "works/tests"
docs = "docs/works.md"

[words]
customer = "guest"
-- repo/CODEOWNERS --
* @house/works
/asker/ @house/asker
/docs/asker.md @house/asker
/lib/keeper/ @house/keeper
/docs/keeper.md @house/keeper
-- repo/.gitignore --
*.pyc
-- repo/asker/__init__.py --
-- repo/docs/asker.md --
# Asker
-- dialect/config-key.txtar --
dialect
-- castings/config-key/raised-cap.txtar --
casting
-- castings/enum/renumbered.txtar --
another
`

// files lays a monorepo's text out as a folder, after a change of it.
func files(change func(fstest.MapFS)) fstest.MapFS {
	out := fstest.MapFS{"monorepos.go": {Data: []byte("package monorepos\n")}, ".cache/x": {}}
	for _, f := range txtar.Parse([]byte(sound)).Files {
		out["house/"+f.Name] = &fstest.MapFile{Data: f.Data}
	}
	if change != nil {
		change(out)
	}
	return out
}

// replace changes one text of a file.
func replace(name, old, new string) func(fstest.MapFS) {
	return func(f fstest.MapFS) {
		text := string(f["house/"+name].Data)
		if !strings.Contains(text, old) {
			panic(fmt.Sprintf("%s does not hold %q", name, old))
		}
		f["house/"+name] = &fstest.MapFile{Data: []byte(strings.Replace(text, old, new, 1))}
	}
}

func add(name, text string) func(fstest.MapFS) {
	return func(f fstest.MapFS) { f["house/"+name] = &fstest.MapFile{Data: []byte(text)} }
}

func drop(name string) func(fstest.MapFS) {
	return func(f fstest.MapFS) { delete(f, "house/"+name) }
}

func TestLoad(t *testing.T) {
	all, err := monorepos.Load(files(nil))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 1 {
		t.Fatalf("%d monorepos, want the one folder that holds one", len(all))
	}
	m := all[0]
	if d := cmp.Diff([]string{".gitignore", "CODEOWNERS", "asker/__init__.py", "docs/asker.md"}, m.Repo.Paths()); d != "" {
		t.Errorf("repo (-want +got):\n%s", d)
	}
	if d := cmp.Diff(map[string]string{"config-key": "dialect\n"}, m.Dialects); d != "" {
		t.Errorf("dialects (-want +got):\n%s", d)
	}
	if d := cmp.Diff(map[string]string{"config-key/raised-cap": "casting\n", "enum/renumbered": "another\n"}, m.Castings); d != "" {
		t.Errorf("castings (-want +got):\n%s", d)
	}
	if m.Digest != m.Repo.Digest() || m.Words["customer"] != "guest" || !slices.Equal(m.PythonPath, []string{".", "lib"}) {
		t.Errorf("digest %s, words %v, python path %v", m.Digest, m.Words, m.PythonPath)
	}
	team, err := m.Team("keeper")
	want := monorepos.Team{Name: "keeper", About: "keeps", Dir: "lib/keeper", Package: "keeper", Tests: "lib/keeper/tests", Docs: "docs/keeper.md"}
	if d := cmp.Diff(want, team); d != "" || err != nil {
		t.Errorf("team, error %v (-want +got):\n%s", err, d)
	}
	if _, err := m.Team("gone"); err == nil || !strings.Contains(err.Error(), `no team "gone"`) {
		t.Errorf("a team that is none: %v", err)
	}
	if !m.Owners.Owned("asker/new.py", "asker") {
		t.Error("the owners are not those of CODEOWNERS")
	}
}

// TestDialectsAndCastingsMayBeMissing: a monorepo to start with has neither.
func TestDialectsAndCastingsMayBeMissing(t *testing.T) {
	all, err := monorepos.Load(files(func(f fstest.MapFS) {
		for name := range f {
			if strings.HasPrefix(name, "house/dialect/") || strings.HasPrefix(name, "house/castings/") {
				delete(f, name)
			}
		}
	}))
	if err != nil || len(all[0].Dialects)+len(all[0].Castings) != 0 {
		t.Errorf("error %v", err)
	}
}

func TestLoadRefuses(t *testing.T) {
	const meta = "monorepo.toml"
	for _, c := range []struct {
		name   string
		change func(fstest.MapFS)
		says   string
	}{
		{"an unknown key", replace(meta, "title =", "tilte ="), "unknown key tilte"},
		{"an unknown key of a team", replace(meta, "package =", "pakage ="), "unknown key team.pakage"},
		{"a key twice", replace(meta, "title =", "title = \"x\"\ntitle ="), "title"},
		{"another name than the folder's", replace(meta, `name = "house"`, `name = "home"`), `name is "home", the folder "house"`},
		{"no metadata", drop(meta), "monorepo.toml"},
		{"no title", replace(meta, `title = "The House"`, ""), "want title, about and python_path"},
		{"no python path", replace(meta, `[".", "lib"]`, "[]"), "want title, about and python_path"},
		{"owners in another file", replace(meta, `"CODEOWNERS"`, `"docs/CODEOWNERS"`), "instances read CODEOWNERS"},
		{"no owners", drop("repo/CODEOWNERS"), "no rule of CODEOWNERS"},
		{"a path without an owner", replace("repo/CODEOWNERS", "* @house/works", "/works/ @house/works\n/docs/works.md @house/works"), ".gitignore"},
		{"two owners", replace("repo/CODEOWNERS", "@house/works", "@house/works @house/asker"), "CODEOWNERS line 1"},
		{"two teams", replace(meta, "[[team]]\nname = \"works\"\nabout = \"works\"\ndir = \"works\"\npackage = \"works\"\ntests = \"works/tests\"\ndocs = \"docs/works.md\"\n", ""), "2 teams"},
		{"a team twice", replace(meta, `name = "keeper"`, `name = "asker"`), "team asker stands there twice"},
		{"a folder of another team", replace(meta, `dir = "works"`, `dir = "asker"`), "team works: CODEOWNERS does not give it asker/x.py"},
		{"tests of another team", replace(meta, `tests = "works/tests"`, `tests = "asker/tests"`), "does not give it asker/tests/test_x.py"},
		{"docs of another team", replace(meta, `docs = "docs/works.md"`, `docs = "docs/asker.md"`), "does not give it docs/asker.md"},
		{"two paths in one", add("repo/Asker/__init__.py", ""), "letter case"},
		{"a last line without end", add("repo/README.md", "# House"), "README.md: its last line has no line break"},
		{"a link", func(f fstest.MapFS) { f["house/repo/l"] = &fstest.MapFile{Mode: fs.ModeSymlink} }, "repo"},
		{"a file that is no casting", add("castings/enum/notes.md", "x\n"), "notes.md: want txtar files only"},
		{"a file that is no dialect", add("dialect/enum.toml", "x\n"), "enum.toml: want txtar files only"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := monorepos.Load(files(c.change))
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "house") {
				t.Errorf("error %v, want one that names house and says %q", err, c.says)
			}
		})
	}
	if _, err := monorepos.Load(fstest.MapFS{"x.go": {}}); err == nil {
		t.Error("no monorepo at all is no error")
	}
}

func TestMergeReplacesByName(t *testing.T) {
	a, b, c, b2 := &monorepos.Monorepo{Name: "a"}, &monorepos.Monorepo{Name: "b"}, &monorepos.Monorepo{Name: "c"}, &monorepos.Monorepo{Name: "b", Title: "mine"}
	all := []*monorepos.Monorepo{b, c}
	got := monorepos.Merge(all, []*monorepos.Monorepo{b2, a})
	if want := []*monorepos.Monorepo{a, b2, c}; !slices.Equal(got, want) {
		t.Errorf("merged to %v", names(got))
	}
	if !slices.Equal(all, []*monorepos.Monorepo{b, c}) {
		t.Error("Merge changed its argument")
	}
}

func names(all []*monorepos.Monorepo) []string {
	var out []string
	for _, m := range all {
		out = append(out, m.Name)
	}
	return out
}

func TestFind(t *testing.T) {
	all := []*monorepos.Monorepo{{Name: "a"}, {Name: "b"}}
	if m, err := monorepos.Find(all, "b"); err != nil || m != all[1] {
		t.Errorf("Find(b) = %v, %v", m, err)
	}
	if _, err := monorepos.Find(all, "c"); err == nil || !strings.Contains(err.Error(), "there are a, b") {
		t.Errorf("Find(c): error %v", err)
	}
}

var testDef = regexp.MustCompile(`(?m)^\s*(async )?def test_`)

// TestEmbedded holds every published monorepo to what makes it a repository rather than a stage set.
func TestEmbedded(t *testing.T) {
	all, err := monorepos.Load(monorepos.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSorted(names(all)) {
		t.Errorf("monorepos come as %v", names(all))
	}
	fams, err := families.Load(families.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	plots, known := map[string]bool{}, map[string]bool{}
	for _, f := range fams {
		known[f.Name] = true
		for _, p := range f.Plots {
			plots[f.Name+"/"+p.Name] = true
		}
	}
	for _, m := range all {
		t.Run(m.Name, func(t *testing.T) {
			modules, lines, tests := 0, 0, 0
			for p, text := range m.Repo {
				if at := strings.IndexFunc(text, func(r rune) bool { return r > '~' || r < ' ' && r != '\n' && r != '\t' }); at >= 0 {
					t.Errorf("%s line %d: a character that is not ASCII", p, 1+strings.Count(text[:at], "\n"))
				}
				if path.Ext(p) != ".py" {
					continue
				}
				if strings.HasPrefix(path.Base(p), "test_") || strings.Contains("/"+p, "/tests/") {
					tests += len(testDef.FindAllString(text, -1))
				} else {
					modules++
					lines += strings.Count(text, "\n")
				}
			}
			if modules < 25 || lines < 1500 || tests < 80 {
				t.Errorf("%d modules of %d lines with %d tests, want at least 25, 1,500 and 80", modules, lines, tests)
			}
			if len(m.Teams) < 6 {
				t.Errorf("%d teams, want at least 6", len(m.Teams))
			}
			for _, want := range []string{"README.md", "CODEOWNERS", "CHANGELOG.md"} {
				if m.Repo[want] == "" {
					t.Errorf("there is no %s", want)
				}
			}
			for _, team := range m.Teams {
				if m.Repo[team.Docs] == "" {
					t.Errorf("team %s: there is no %s", team.Name, team.Docs)
				}
				if team.About == "" || len(below(m.Repo, team.Dir)) == 0 || len(below(m.Repo, team.Tests)) == 0 {
					t.Errorf("team %s: about %q, %d files of its own, %d of tests", team.Name, team.About, len(below(m.Repo, team.Dir)), len(below(m.Repo, team.Tests)))
				}
			}
			for _, p := range m.Repo.Paths() { // a rule for a team that nobody has heard of is a slip
				owner, err := m.Owners.Owner(p)
				if err != nil {
					t.Error(err)
				} else if !slices.ContainsFunc(m.Teams, func(team monorepos.Team) bool { return team.Name == owner }) {
					t.Errorf("%s is owned by %s, which monorepo.toml does not list", p, owner)
				}
			}
			for casting := range m.Castings {
				if !plots[casting] {
					t.Errorf("castings/%s.txtar belongs to no plot of an embedded family", casting)
				}
			}
			for family := range m.Dialects {
				if !known[family] {
					t.Errorf("dialect/%s.txtar belongs to no embedded family", family)
				}
			}
			for _, word := range []string{"company", "record", "records", "customer", "partner"} {
				if m.Words[word] == "" {
					t.Errorf("words: there is no %s", word)
				}
			}
		})
	}
}

func below(files tree.Files, dir string) tree.Files {
	return files.Filter(func(p string) bool { return strings.HasPrefix(p, dir+"/") })
}
