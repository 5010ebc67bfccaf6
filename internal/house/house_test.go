package house_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	module = "favorbench"
	root   = "../.."
)

// ban says that a package must not import another of the project, be it through others, and why. An empty must bans all of the
// project. A ban arrives with its packages: one that matches no package fails.
type ban struct{ pkg, must, why string }

var bans = []ban{
	{"favor", "", "the vocabulary stands below everything, so that all mean the same by the same word"},
	{"tree", "* favor", "file trees know of teams and of nothing else"},
	{"monorepos", "* favor tree", "a loader of data reads data"},
	{"families", "* favor tree", "a loader of data reads data"},
	{"instances", "* favor tree", "a loader of data reads data; how instances come about is no business of who reads them"},
	{"templates", "suites", "generation is pure: same input, same bytes, no processes"},
	{"templates", "validate", "what generates must not know how it is checked"},
	{"suites", "validate", "an engine runs what it is given, and does not judge"},
	{"suites", "templates", "an engine runs what it is given, wherever it comes from"},
	{"suites", "families", "an engine runs what it is given, wherever it comes from"},
	{"validate", "families", "a validator that shares the generator's code shares its mistakes"},
	{"validate", "templates", "a validator that shares the generator's code shares its mistakes"},
	{"validate", "internal/cli", "checks are called by commands, not the other way round"},
	{"mutate", "validate", "the score measures suites, the checks prove instances; neither stands on the other"},
	{"mutate", "internal/cli", "measures are called by commands, not the other way round"},
	{"attribution", "* favor tree", "what an edit is made of is a matter of files"},
	{"propositions", "families", "propositions are checked on what was emitted"},
	{"propositions", "templates", "propositions are checked on what was emitted"},
	{"propositions", "validate", "the measure and the proof are made apart, so that one can doubt the other"},
	{"audit", "families", "an audit looks at what was emitted"},
	{"audit", "templates", "an audit looks at what was emitted"},
	{"audit", "validate", "checks prove an instance, audits look at the set; neither stands on the other"},
	{"cmd/favorbench", "direct * internal/cli", "main is the exit code of internal/cli, and nothing else"},
}

// only says that nobody but the given packages imports a module directly, tests aside.
var only = []struct {
	module string
	by     []string
	why    string
}{
	{"github.com/spf13/cobra", []string{"internal/cli"}, "a command line is a way to call the packages, not a part of them"},
	{"github.com/BurntSushi/toml", []string{"audit", "families", "instances", "monorepos", "templates"}, "TOML is read by loaders and codecs, and is values from there on"},
	{"github.com/google/go-cmp", nil, "a comparison that may panic belongs into tests"},
}

// pkg is what the go command says of a package.
type pkg struct {
	ImportPath, Dir, Name              string
	Imports, Deps                      []string
	TestImports, XTestImports          []string
	GoFiles, TestGoFiles, XTestGoFiles []string
}

func packages(t *testing.T) map[string]pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Name,Imports,Deps,TestImports,XTestImports,GoFiles,TestGoFiles,XTestGoFiles", "./...")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := map[string]pkg{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimPrefix(p.ImportPath, module+"/")] = p
	}
	if len(all) < 5 {
		t.Fatalf("go list found %d packages; is this the project's root?", len(all))
	}
	return all
}

// broken lists the imports by which a package breaks a ban.
func (b ban) broken(all map[string]pkg) (wrong []string, matches bool) {
	p, ok := all[b.pkg]
	if !ok {
		return nil, false
	}
	imports, must := p.Deps, b.must
	if rest, direct := strings.CutPrefix(must, "direct "); direct {
		imports, must = p.Imports, rest
	}
	var allowed []string
	but, everything := strings.CutPrefix(must, "*")
	if everything || must == "" {
		allowed = strings.Fields(but)
	} else if _, ok := all[must]; !ok {
		return nil, false
	}
	for _, name := range allowed {
		if _, ok := all[name]; !ok {
			return nil, false
		}
	}
	for _, path := range imports {
		name, ours := strings.CutPrefix(path, module+"/")
		if !ours {
			continue
		}
		if everything || must == "" {
			if !slices.Contains(allowed, name) {
				wrong = append(wrong, name)
			}
		} else if name == must {
			wrong = append(wrong, name)
		}
	}
	return wrong, true
}

func TestDirections(t *testing.T) {
	all := packages(t)
	for _, b := range bans {
		wrong, matches := b.broken(all)
		if !matches {
			t.Errorf("the ban {%q, %q} matches no package any longer: strike it, or give it the new name", b.pkg, b.must)
		}
		for _, name := range wrong {
			t.Errorf("%s imports %s, by itself or through others: %s", b.pkg, name, b.why)
		}
	}
	for name := range all { // a rule arrives with its package
		if strings.HasPrefix(name, "internal/") {
			continue
		}
		if !slices.ContainsFunc(bans, func(b ban) bool { return b.pkg == name }) {
			t.Errorf("%s has no direction: say in bans what it must not import, and why", name)
		}
	}
}

// TestBansCanBeBroken: a test of directions that nothing can fail is worth nothing.
func TestBansCanBeBroken(t *testing.T) {
	all := map[string]pkg{
		"a": {Imports: []string{module + "/b", "fmt"}, Deps: []string{"fmt", module + "/b", module + "/c"}},
		"b": {}, "c": {},
	}
	for _, c := range []struct {
		b       ban
		wrong   []string
		matches bool
	}{
		{ban{pkg: "a", must: "c"}, []string{"c"}, true}, // through b
		{ban{pkg: "a", must: "direct * b"}, nil, true},
		{ban{pkg: "a", must: "direct * c"}, []string{"b"}, true},
		{ban{pkg: "a", must: "* b"}, []string{"c"}, true},
		{ban{pkg: "a", must: "* b c"}, nil, true},
		{ban{pkg: "a"}, []string{"b", "c"}, true},
		{ban{pkg: "b"}, nil, true},
		{ban{pkg: "b", must: "a"}, nil, true},
		{ban{pkg: "gone"}, nil, false},
		{ban{pkg: "a", must: "gone"}, nil, false},
		{ban{pkg: "a", must: "* gone"}, nil, false},
	} {
		if wrong, matches := c.b.broken(all); !slices.Equal(wrong, c.wrong) || matches != c.matches {
			t.Errorf("%+v: wrong %v, matches %v; want %v, %v", c.b, wrong, matches, c.wrong, c.matches)
		}
	}
}

func TestWhoImportsModules(t *testing.T) {
	all := packages(t)
	of := func(imports []string, module string) bool {
		return slices.ContainsFunc(imports, func(p string) bool { return p == module || strings.HasPrefix(p, module+"/") })
	}
	for _, rule := range only {
		used := false
		for name, p := range all {
			used = used || of(p.Imports, rule.module) || of(p.TestImports, rule.module) || of(p.XTestImports, rule.module)
			if of(p.Imports, rule.module) && !slices.Contains(rule.by, name) {
				t.Errorf("%s imports %s: %s", name, rule.module, rule.why)
			}
		}
		for _, name := range rule.by {
			if p, ok := all[name]; !ok || !of(p.Imports, rule.module) {
				t.Errorf("%s may import %s, and does not: strike it from the rule", name, rule.module)
			}
		}
		if !used {
			t.Errorf("nobody imports %s: the rule matches nothing", rule.module)
		}
	}
}

// TestPackagesSayWhatTheyAre: one package comment a package, in one file, and a name that means something.
func TestPackagesSayWhatTheyAre(t *testing.T) {
	for name, p := range packages(t) {
		for part := range strings.SplitSeq(name, "/") {
			if slices.Contains([]string{"util", "utils", "common", "helper", "helpers", "misc", "base", "shared", "pkg"}, part) {
				t.Errorf("%s: a package is named for what it holds, not for that it holds something", name)
			}
		}
		var commented []string
		for _, file := range p.GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if f.Doc != nil {
				commented = append(commented, file)
				want := "Package " + p.Name + " "
				if p.Name == "main" {
					want = "Command " + path.Base(name) + " "
				}
				if !strings.HasPrefix(f.Doc.Text(), want) {
					t.Errorf("%s/%s: the package comment begins %.40q, want %q", name, file, f.Doc.Text(), want)
				}
			}
		}
		if len(p.GoFiles) > 0 && len(commented) != 1 {
			t.Errorf("%s: package comments in %v, want exactly one", name, commented)
		}
	}
}

// tracked lists the files of the repository that are committed, or would be.
func tracked(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v; this test reads the repository's files", err)
	}
	names := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if !slices.Contains(names, "go.mod") {
		t.Fatal("git lists no go.mod; is this the project's root?")
	}
	return names
}

// forbidden is what no file of the repository may hold. The words are put together here from parts, as this file is one of them.
var forbidden = []struct {
	pattern *regexp.Regexp
	why     string
}{
	{regexp.MustCompile(`\b(` + "TO" + `DO|` + "FIX" + `ME|X` + `XX)\b`), "a note for later belongs into the tracker"},
	{regexp.MustCompile(`(^|[^\w.~/-])/(` + "ro" + `ot|ho` + `me|wo` + `rk|Us` + `ers)/[\w.]`), "a path of one machine"},
	{regexp.MustCompile(`(` + strings.Join([]string{"proxy.go" + "lang.org", "sum.go" + "lang.org", "py" + "pi.org", "files.python" + "hosted.org", "registry.npm" + "js.org", "index.docker" + ".io", "registry-1.docker" + ".io"}, "|") + `)`), "a host of a registry: mirrors are the environment's business"},
}

// faults lists what is wrong in a file's text, by line.
func faults(text string) []string {
	var out []string
	for n, line := range strings.Split(text, "\n") {
		for _, f := range forbidden {
			if hit := f.pattern.FindString(line); hit != "" {
				out = append(out, fmt.Sprintf("line %d: ", n+1)+strings.TrimSpace(hit)+": "+f.why)
			}
		}
	}
	return out
}

func TestNoFileHoldsWhatIsForbidden(t *testing.T) {
	for _, name := range tracked(t) {
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if errors.Is(err, os.ErrNotExist) {
			continue // deleted, and not yet committed
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range faults(string(data)) {
			t.Errorf("%s %s", name, fault)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, bad := range []string{
		"# TO" + "DO: later", "x // FIX" + "ME", "see /ro" + "ot/x.py", `dir = "/ho` + `me/me/x"`, "cp a /wo" + "rk/main", "https://proxy.go" + "lang.org/x", "pip -i https://py" + "pi.org/simple",
	} {
		if len(faults("fine\n"+bad+"\n")) != 1 {
			t.Errorf("%q passes", bad)
		}
	}
	for _, good := range []string{"todo list", "TO" + "DOS", "src/ho" + "me/x.py", "./wo" + "rk/x", "example.com/ro" + "ot/x", "/ro" + "ots/x", "pkg.go.dev/x", "/wo" + "rk/"} {
		if got := faults(good); len(got) != 0 {
			t.Errorf("%q: %v", good, got)
		}
	}
}
