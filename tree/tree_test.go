package tree_test

import (
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"favorbench/tree"

	"github.com/google/go-cmp/cmp"
)

func TestCheckPath(t *testing.T) {
	for _, c := range []struct {
		path string
		want string // part of the error; empty where the path is fine
	}{
		{"a.py", ""},
		{"services/billing/limits.py", ""},
		{".gitignore", ""},
		{"docs/a b.md", ""}, // a blank inside a name is no fault
		{"caf\u00e9.md", ""},
		{"..data/x", ""}, // begins in dots, and leads nowhere

		{"", "empty"},
		{".", "clean relative path"},
		{"..", "clean relative path"},
		{"/etc/passwd", "clean relative path"},
		{"../x.py", "clean relative path"},
		{"a/../../x.py", "clean relative path"},
		{"a/../x.py", "clean relative path"}, // ends inside, and is not in its shortest form
		{"./x.py", "clean relative path"},
		{"a//x.py", "clean relative path"},
		{"a/", "clean relative path"},

		{`a\x.py`, "not every file system"},
		{`..\x.py`, "not every file system"},
		{"C:/x.py", "not every file system"},
		{"a\x00.py", "not every file system"},
		{"a\nb.py", "not every file system"},
		{"a\tb.py", "not every file system"},
		{"a\u0085b.py", "not every file system"},
		{"a\xff.py", "not every file system"},
		{"what?.py", "not every file system"},

		{"x.py ", "archives lose"},
		{" x.py", "archives lose"},
		{"x.", "archives lose"},
		{"a /x.py", "archives lose"}, // in a folder's name as well
		{"a/ b/x.py", "archives lose"},
		{"a./x.py", "archives lose"},
	} {
		err := tree.CheckPath(c.path)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("CheckPath(%q): %v, want none", c.path, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("CheckPath(%q): %v, want one that says %q", c.path, err, c.want)
		}
	}
}

func TestCheckSeesPathsTogether(t *testing.T) {
	for _, c := range []struct {
		name  string
		paths string
		want  []string // part of each fault
	}{
		{"sound", "a/x.py a/y.py b.py", nil},
		{"two files, one name on many disks", "billing/Limits.py billing/limits.py", []string{`"billing/Limits.py" and "billing/limits.py" differ in letter case only`}},
		{"two folders", "Billing/a.py billing/b.py", []string{`"Billing" and "billing" differ in letter case only`}},
		{"a file and a folder", "Billing billing/b.py", []string{`"Billing" and "billing" differ in letter case only`}},
		{"a file where a folder is needed", "billing billing/b.py", []string{`"billing" is a file, not a folder`}},
		{"deeper down", "a/b a/b/c/d.py", []string{`"a/b" is a file, not a folder`}},
		{"every fault is named", "/x ../y a B b", []string{`"../y"`, `"/x"`, `"B" and "b"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := tree.Files{}
			for p := range strings.FieldsSeq(c.paths) {
				f[p] = ""
			}
			faults := f.Check()
			if len(faults) != len(c.want) {
				t.Fatalf("faults %v, want %d", faults, len(c.want))
			}
			for n, want := range c.want {
				if !strings.Contains(faults[n].Error(), want) {
					t.Errorf("fault %q, want one that says %q", faults[n], want)
				}
			}
		})
	}
}

// someTree makes a small tree. Few paths and few contents make trees that share some of both.
func someTree(r *rand.Rand) tree.Files {
	f := tree.Files{}
	for _, p := range []string{"a", "b/c", "b/d", "e", "f/g/h"} {
		if n := r.IntN(4); n > 0 {
			f[p] = []string{"", "x = 1\n", "x = 2\r\n"}[n-1]
		}
	}
	return f
}

func eachPair(t *testing.T, f func(t *testing.T, a, b tree.Files)) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		f(t, someTree(r), someTree(r))
	}
}

func TestApplyMakesWhatDiffSaw(t *testing.T) {
	eachPair(t, func(t *testing.T, a, b tree.Files) {
		before := maps.Clone(a)
		got, err := a.Apply(tree.Diff(a, b))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(b, got); d != "" {
			t.Fatalf("Apply(Diff(a, b)) (-b +got):\n%s", d)
		}
		if d := cmp.Diff(before, a); d != "" {
			t.Fatalf("Apply changed its tree:\n%s", d)
		}
	})
}

func TestRevertUndoes(t *testing.T) {
	eachPair(t, func(t *testing.T, a, b tree.Files) {
		changes := tree.Diff(a, b)
		got, err := b.Apply(tree.Revert(changes))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(a, got); d != "" {
			t.Fatalf("reverted (-a +got):\n%s", d)
		}
		if d := cmp.Diff(changes, tree.Revert(tree.Revert(changes))); d != "" {
			t.Fatalf("reverted twice (-once +twice):\n%s", d)
		}
		if d := cmp.Diff(tree.Diff(b, a), tree.Revert(changes)); d != "" {
			t.Fatalf("the way back (-Diff +Revert):\n%s", d)
		}
	})
}

// TestRevertTakesBackOneOfTwo is what a rollback is: of two edits with no path in common, one goes and the other stays.
func TestRevertTakesBackOneOfTwo(t *testing.T) {
	base := tree.Files{"lib.py": "limit = 5\n", "log.py": "\n"}
	owner, favor := tree.Files{"log.py": "def log(): pass\n"}, tree.Files{"lib.py": "limit = 15\n", "new.py": "\n"}
	favored := tree.Diff(base.Overlay(owner), base.Overlay(owner, favor))
	got, err := base.Overlay(owner, favor).Apply(tree.Revert(favored))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(base.Overlay(owner), got); d != "" {
		t.Errorf("rolled back (-never favored +got):\n%s", d)
	}
}

// TestApplyRefusesAnotherBase: PAT-07 and PAT-09, all or nothing, and never success without effect.
func TestApplyRefusesAnotherBase(t *testing.T) {
	refused := 0
	eachPair(t, func(t *testing.T, a, b tree.Files) {
		changes := tree.Diff(a, b)
		if len(changes) == 0 {
			return
		}
		for _, c := range changes { // a base that is wrong in this one path
			wrong := maps.Clone(a)
			if c.Added {
				wrong[c.Path] = "somebody was here first\n"
			} else {
				wrong[c.Path] = c.Old + "and went on\n"
			}
			before := maps.Clone(wrong)
			got, err := wrong.Apply(changes)
			if err == nil || got != nil || !strings.Contains(err.Error(), c.Path) {
				t.Fatalf("base wrong in %s: applied to %v, error %v", c.Path, got, err)
			}
			if d := cmp.Diff(before, wrong); d != "" {
				t.Fatalf("a refused change left its trace:\n%s", d)
			}
			refused++
		}
		if _, err := (tree.Files{}).Apply(changes); err == nil && slices.ContainsFunc(changes, func(c tree.Change) bool { return !c.Added }) {
			t.Fatalf("changes of files were applied to a tree without any")
		}
	})
	if refused == 0 {
		t.Error("no base was wrong")
	}
}

func TestApplyRefusesAPathTwice(t *testing.T) {
	f := tree.Files{"a": "1\n"}
	_, err := f.Apply([]tree.Change{{Path: "a", Old: "1\n", New: "2\n"}, {Path: "a", Old: "1\n", New: "3\n"}})
	if err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("error %v, want one that says twice", err)
	}
}

func TestDiffKeepsBytes(t *testing.T) {
	from := tree.Files{"crlf": "a\r\nb\r\n", "bare": "x = 1", "gone": "", "same": "s"}
	to := tree.Files{"crlf": "a\r\nB\r\n", "bare": "x = 2", "new": "\x00\xff", "same": "s"}
	want := []tree.Change{
		{Path: "bare", Old: "x = 1", New: "x = 2"},
		{Path: "crlf", Old: "a\r\nb\r\n", New: "a\r\nB\r\n"},
		{Path: "gone", Deleted: true}, // an empty file that goes is a change
		{Path: "new", New: "\x00\xff", Added: true},
	}
	if d := cmp.Diff(want, tree.Diff(from, to)); d != "" {
		t.Errorf("Diff (-want +got):\n%s", d)
	}
}

func TestOverlayLeavesItsTreesAlone(t *testing.T) {
	base, edit := tree.Files{"a": "1"}, tree.Files{"b": "2"}
	got := base.Overlay(edit, tree.Files{"b": "3"})
	if d := cmp.Diff(tree.Files{"a": "1", "b": "3"}, got); d != "" {
		t.Errorf("Overlay (-want +got):\n%s", d)
	}
	got["a"] = "changed"
	if base["a"] != "1" || len(base) != 1 || edit["b"] != "2" {
		t.Error("Overlay shares its result with its arguments")
	}
	if got := (tree.Files)(nil).Overlay(edit); got["b"] != "2" {
		t.Error("the zero tree takes no overlay")
	}
}

func TestFilterKeepsWhatIsAskedFor(t *testing.T) {
	f := tree.Files{"a/x": "1", "a/y": "2", "b": "3"}
	got := f.Filter(func(p string) bool { return strings.HasPrefix(p, "a/") })
	if d := cmp.Diff([]string{"a/x", "a/y"}, got.Paths()); d != "" {
		t.Errorf("kept (-want +got):\n%s", d)
	}
}

func TestDigestIsEqualExactlyForEqualTrees(t *testing.T) {
	eachPair(t, func(t *testing.T, a, b tree.Files) {
		if same := len(tree.Diff(a, b)) == 0; same != (a.Digest() == b.Digest()) {
			t.Fatalf("same tree: %v, digests %s and %s\n%s", same, a.Digest(), b.Digest(), cmp.Diff(a, b))
		}
	})
	// What a digest of joined contents would not see.
	for _, c := range [][2]tree.Files{
		{{"a": "x", "b": "y"}, {"a": "y", "b": "x"}},
		{{"a": "x"}, {"b": "x"}},
		{{"a": ""}, {}},
		{{"a": "x\n"}, {"a": "x"}},
		{{"a": "x\r\n"}, {"a": "x\n"}},
		{{"a": "b", "c": "d"}, {"a": "bcd"}},
	} {
		if c[0].Digest() == c[1].Digest() {
			t.Errorf("%v and %v have one digest", c[0], c[1])
		}
	}
	if got := (tree.Files{"a\nb": ""}).Digest(); !strings.HasPrefix(got, "invalid: ") {
		t.Errorf("a line break in a path has digest %s", got)
	}
	if got := (tree.Files{"a": "x\n"}).Digest(); got != "h1:+xnOSX74yPkSk+fqTJzklqb6lxAUyp7fLEeJL+9jRKo=" {
		t.Errorf("the digest of a known tree has changed to %s: every sum file of every set is now wrong", got)
	}
}

func TestWriteAndReadKeepBytes(t *testing.T) {
	dir := t.TempDir()
	f := tree.Files{
		"crlf.txt":            "a\r\nb\r\n",
		"bare.py":             "x = 1", // no line break at its end
		"empty.py":            "",
		"deep/er/binary.dat":  "\x00\xff\xfe",
		".hidden/__init__.py": "\n",
	}
	if err := tree.Write(dir, f); err != nil {
		t.Fatal(err)
	}
	got, err := tree.Read(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(f, got); d != "" {
		t.Errorf("read back (-written +read):\n%s", d)
	}
}

// TestWriteStaysInside: SBX-07. A link inside the folder must not lead a write out of it, be it a file's or a folder's.
func TestWriteStaysInside(t *testing.T) {
	for name, path := range map[string]string{"link to a folder": "link/pwn.txt", "link to a file": "file"} {
		t.Run(name, func(t *testing.T) {
			outside, dir := t.TempDir(), t.TempDir()
			victim := filepath.Join(outside, "victim")
			if err := os.WriteFile(victim, []byte("mine"), 0o644); err != nil {
				t.Fatal(err)
			}
			for link, to := range map[string]string{"link": outside, "file": victim} {
				if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
					t.Fatal(err)
				}
			}
			if err := tree.Write(dir, tree.Files{path: "yours"}); err == nil {
				t.Error("no error")
			}
			entries, err := os.ReadDir(outside)
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(victim)
			if err != nil || string(data) != "mine" || len(entries) != 1 {
				t.Errorf("outside are %v, and the victim holds %q, error %v", entries, data, err)
			}
		})
	}
}

func TestWriteChecksBeforeTheFirstByte(t *testing.T) {
	for _, bad := range []string{"../pwn", "/pwn", "a/../../pwn", `b\pwn`} {
		dir := t.TempDir()
		if err := tree.Write(dir, tree.Files{"a.py": "x\n", bad: "y\n"}); err == nil {
			t.Errorf("%s was written", bad)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
			t.Errorf("%s: the folder holds %v, error %v", bad, entries, err)
		}
	}
	if err := tree.Write(filepath.Join(t.TempDir(), "none"), tree.Files{"a": ""}); err == nil {
		t.Error("a folder that is not there was written to")
	}
}

func TestReadLeavesOutWhatPythonWrites(t *testing.T) {
	got, err := tree.Read(fstest.MapFS{
		"a.py":                      {Data: []byte("x\n")},
		"__pycache__/a.cpython.pyc": {},
		"b/__pycache__/c.txt":       {},
		"b/.pytest_cache/v":         {},
		"b/stale.pyc":               {},
		"b/__init__.py":             {},
		"b/pycache/kept.py":         {},
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"a.py", "b/__init__.py", "b/pycache/kept.py"}, got.Paths()); d != "" {
		t.Errorf("read (-want +got):\n%s", d)
	}
}

func TestReadRefusesLinks(t *testing.T) {
	_, err := tree.Read(fstest.MapFS{"a/link.py": {Mode: fs.ModeSymlink, Data: []byte("../../secret")}})
	if err == nil || !strings.Contains(err.Error(), "a/link.py") {
		t.Errorf("error %v, want one that names a/link.py", err)
	}
}

// FuzzCheckPath holds every path that passes to what it is for: it can be written below a root, and is found there again.
func FuzzCheckPath(f *testing.F) {
	for _, p := range []string{"a/b.py", "../x", "a b/.c", "x ", "\u00e9", "a/./b"} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		if tree.CheckPath(p) != nil {
			return
		}
		if !fs.ValidPath(p) || !filepath.IsLocal(filepath.FromSlash(p)) {
			t.Fatalf("%q passes and may leave the root", p)
		}
		if slices.ContainsFunc(strings.Split(p, "/"), func(part string) bool { return len(part) > 200 }) || len(p) > 1000 {
			return // longer than a file system takes
		}
		dir := t.TempDir()
		if err := tree.Write(dir, tree.Files{p: "x\n"}); err != nil {
			t.Fatal(err)
		}
		got, err := tree.Read(os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(p, ".pyc") || strings.Contains(p, "_cache") || strings.Contains(p, "__pycache__") {
			return
		}
		if d := cmp.Diff(tree.Files{p: "x\n"}, got); d != "" {
			t.Fatalf("written and read (-want +got):\n%s", d)
		}
	})
}
