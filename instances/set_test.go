package instances_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"favorbench/favor"
	"favorbench/instances"

	"github.com/google/go-cmp/cmp"
)

func TestLoad(t *testing.T) {
	set := loadSample(t)
	if d := cmp.Diff([]string{safeID, trapID, twinID}, ids(set.All)); d != "" {
		t.Errorf("ids (-want +got):\n%s", d)
	}
	for _, i := range set.All {
		if got, ok := set.ByID(i.ID); !ok || got != i {
			t.Errorf("ByID(%s) = %v, %v", i.ID, got, ok)
		}
		if fault := set.SumFault(i); fault != "" {
			t.Errorf("%s: %s", i.ID, fault)
		}
		if set.Sum(i.ID) != set.Sums[i.ID] {
			t.Errorf("%s: sum %s, listed %s", i.ID, set.Sum(i.ID), set.Sums[i.ID])
		}
	}
}

// TestTheEmbeddedSetHoldsNoTestData: the published set is this package's folder, so an archive of a test would be published.
func TestTheEmbeddedSetHoldsNoTestData(t *testing.T) {
	if _, err := fs.Stat(instances.Embedded(), "testdata"); err == nil {
		names, err := fs.Glob(instances.Embedded(), "testdata/*.txtar")
		if err != nil || len(names) > 0 {
			t.Errorf("the published set holds %v, error %v", names, err)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(fstest.MapFS)
		says   string
	}{
		{"no sum file", func(f fstest.MapFS) { delete(f, instances.SumFile) }, instances.SumFile},
		{"a listed instance that is not there", func(f fstest.MapFS) { delete(f, instances.FileName(twinID)) }, "lists " + twinID},
		{"a file in another's place", func(f fstest.MapFS) { f["booking-limit/other.txtar"] = f[instances.FileName(twinID)] }, "belongs into"},
		{"a file that is no instance", func(f fstest.MapFS) { f["booking-limit/x.txtar"] = &fstest.MapFile{Data: []byte("x")} }, "booking-limit/x.txtar"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := sampleFiles(t)
			c.change(files)
			if _, err := instances.Load(files, bases(t)); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
		})
	}
}

// TestSumFaults: an instance that differs from its line, or has none, is loaded, so that check tree can report it.
func TestSumFaults(t *testing.T) {
	files := sampleFiles(t)
	file := files[instances.FileName(trapID)]
	file.Data = bytes.Replace(file.Data, []byte("seed = 1"), []byte("seed = 2"), 1)
	files[instances.SumFile].Data = []byte(strings.Replace(string(files[instances.SumFile].Data), twinID, "booking-limit/postline-unknown-twin", 1))
	if _, err := instances.Load(files, bases(t)); err == nil {
		t.Fatal("a sum without a file passed")
	}
	lines := strings.SplitAfter(string(files[instances.SumFile].Data), "\n")
	var kept []string
	for _, line := range lines {
		if !strings.Contains(line, "unknown") {
			kept = append(kept, line)
		}
	}
	files[instances.SumFile].Data = []byte(strings.Join(kept, ""))
	set, err := instances.Load(files, bases(t))
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{trapID: "the files make", twinID: "no line for it", safeID: ""} {
		i, err := set.Find(id)
		if err != nil {
			t.Fatal(err)
		}
		if got := set.SumFault(i); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: fault %q, want %q", id, got, want)
		}
	}
}

func ids(all []*instances.Instance) []string {
	var out []string
	for _, i := range all {
		out = append(out, i.ID)
	}
	return out
}

func TestFindNamesWhatIsNear(t *testing.T) {
	set := loadSample(t)
	for id, want := range map[string]string{
		"postline-shared-limit-trap": "did you mean " + trapID + "?",
		"shared-limit-t":             "2 ids hold it, the first " + trapID,
		"nothing-like-it":            "prints the 3 ids",
	} {
		if _, err := set.Find(id); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Find(%s): error %v, want one that says %q", id, err, want)
		}
	}
}

func TestSelect(t *testing.T) {
	set := loadSample(t)
	twin, err := set.Find(twinID)
	if err != nil {
		t.Fatal(err)
	}
	twin.Deprecated = "withdrawn, for this test"
	for _, c := range []struct {
		name string
		f    instances.Filter
		want []string
	}{
		{"nothing asked", instances.Filter{}, []string{safeID, trapID}},
		{"withdrawn ones too", instances.Filter{Deprecated: true}, []string{safeID, trapID, twinID}},
		{"an id", instances.Filter{IDs: []string{trapID}}, []string{trapID}},
		{"ids in any order", instances.Filter{IDs: []string{trapID, safeID}}, []string{safeID, trapID}},
		{"an id twice", instances.Filter{IDs: []string{trapID, trapID}}, []string{trapID}},
		{"a glob", instances.Filter{IDs: []string{"booking-limit/*-trap"}}, []string{trapID}},
		{"a glob over folders", instances.Filter{IDs: []string{"**/*-safe"}}, []string{safeID}},
		{"a glob with choices", instances.Filter{IDs: []string{"booking-limit/*-{safe,trap}"}}, []string{safeID, trapID}},
		{"a kind", instances.Filter{Kinds: []favor.Kind{favor.Trap}}, []string{trapID}},
		{"names", instances.Filter{Families: []string{"booking-limit"}, Monorepos: []string{"postline"}}, []string{safeID, trapID}},
		{"all at once", instances.Filter{IDs: []string{"**"}, Kinds: []favor.Kind{favor.Safe, favor.Trap}, Families: []string{"booking-limit"}}, []string{safeID, trapID}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := set.Select(c.f)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, ids(got)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestSelectRefusesWhatChoosesNothing: a misspelt filter must not pass for a clean result.
func TestSelectRefusesWhatChoosesNothing(t *testing.T) {
	set := loadSample(t)
	for _, c := range []struct {
		name string
		f    instances.Filter
		says string
	}{
		{"an unknown id", instances.Filter{IDs: []string{trapID, "booking-limit/postline-shared-limit-tarp"}}, "tarp"},
		{"a glob that matches nothing", instances.Filter{IDs: []string{"*-trap"}}, `"*-trap"`}, // a star stays within its folder
		{"no glob", instances.Filter{IDs: []string{"booking-limit/["}}, "glob"},
		{"an empty id", instances.Filter{IDs: []string{""}}, ""}, // GEN-07: nothing asked is not everything
		{"an unknown family", instances.Filter{Families: []string{"booking-limits"}}, "it has booking-limit"},
		{"an unknown monorepo", instances.Filter{Monorepos: []string{"postline", "mailline"}}, `no monorepo "mailline"`},
		{"a kind that the set lacks", instances.Filter{Kinds: []favor.Kind{favor.Conflicting}}, "passes all filters"},
		{"filters that leave nothing", instances.Filter{IDs: []string{trapID}, Kinds: []favor.Kind{favor.Safe}}, "passes all filters"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := set.Select(c.f); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("chose %v, error %v; want one that says %q", ids(got), err, c.says)
			}
		})
	}
}

// old and renewed are two sets as bytes: one file stays, one changes, one is new, one goes.
func old() instances.Rendered {
	return instances.Rendered{
		"a/stays.txtar": []byte("stays\n"), "b/changes.txtar": []byte("old\n"), "c/goes.txtar": []byte("goes\n"),
		instances.SumFile: []byte("a/stays h1:1\nb/changes h1:2\nc/goes h1:3\n"),
	}
}

func renewed() instances.Rendered {
	return instances.Rendered{
		"a/stays.txtar": []byte("stays\n"), "b/changes.txtar": []byte("new\n"), "d/comes.txtar": []byte("comes\n"),
		instances.SumFile: []byte("a/stays h1:1\nb/changes h1:4\nd/comes h1:5\n"),
	}
}

// contents reads every file below dir.
func contents(t *testing.T, dir string) instances.Rendered {
	t.Helper()
	out := instances.Rendered{}
	if err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		out[p], err = os.ReadFile(filepath.Join(dir, p))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

func write(t *testing.T, r instances.Rendered, dir string) {
	t.Helper()
	if err := r.Write(dir); err != nil {
		t.Fatal(err)
	}
}

func TestWriteMakesTheFolderHoldTheSet(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "set")
	write(t, old(), dir)
	if d := cmp.Diff(old(), contents(t, dir)); d != "" {
		t.Errorf("a new folder (-set +folder):\n%s", d)
	}
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	write(t, renewed(), dir)
	want := renewed()
	want["README.md"] = []byte("mine\n") // what is no instance is not the set's to remove
	if d := cmp.Diff(want, contents(t, dir)); d != "" {
		t.Errorf("a folder with another set (-set +folder):\n%s", d)
	}
}

// TestWriteLeavesRightFilesAlone: a file that is right already keeps its time, and so do all of them the second time.
func TestWriteLeavesRightFilesAlone(t *testing.T) {
	dir := t.TempDir()
	write(t, old(), dir)
	long := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	for name := range old() {
		if err := os.Chtimes(filepath.Join(dir, name), long, long); err != nil {
			t.Fatal(err)
		}
	}
	touched := func(name string) bool {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return !info.ModTime().Equal(long)
	}
	write(t, old(), dir)
	for name := range old() {
		if touched(name) {
			t.Errorf("the same set again: %s was written", name)
		}
	}
	write(t, renewed(), dir)
	if touched("a/stays.txtar") || !touched("b/changes.txtar") || !touched(instances.SumFile) {
		t.Errorf("another set: stays written %v, changes %v, sums %v", touched("a/stays.txtar"), touched("b/changes.txtar"), touched(instances.SumFile))
	}
}

// TestWriteNeverLeavesHalfASet: whatever stands in the way of a write, the old set stays as it was, sum file and all, and no
// half-written file beside it.
func TestWriteNeverLeavesHalfASet(t *testing.T) {
	for _, c := range []struct {
		name  string
		block func(dir string) error
	}{
		{"a folder in a file's place", func(dir string) error { return os.MkdirAll(filepath.Join(dir, "d/comes.txtar/x"), 0o755) }},
		{"an empty folder in a file's place", func(dir string) error { return os.MkdirAll(filepath.Join(dir, "d/comes.txtar"), 0o755) }},
		{"a file in a folder's place", func(dir string) error { return os.WriteFile(filepath.Join(dir, "d"), []byte("x\n"), 0o644) }},
		{"a link that leads nowhere", func(dir string) error { return os.Symlink("none", filepath.Join(dir, "d")) }},
		{"a folder for the sums", func(dir string) error {
			if err := os.Remove(filepath.Join(dir, instances.SumFile)); err != nil {
				return err
			}
			return os.Mkdir(filepath.Join(dir, instances.SumFile), 0o755)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, old(), dir)
			if err := c.block(dir); err != nil {
				t.Fatal(err)
			}
			before := map[string]string{}
			for name := range old() {
				if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
					before[name] = string(data)
				}
			}
			if err := renewed().Write(dir); err == nil {
				t.Fatal("no error")
			}
			after := map[string]string{}
			if err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
				if err != nil || !d.Type().IsRegular() {
					return err
				}
				name, _ := filepath.Rel(dir, p)
				data, err := os.ReadFile(p)
				if filepath.ToSlash(name) != "d" {
					after[filepath.ToSlash(name)] = string(data)
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(before, after); d != "" {
				t.Errorf("the old set (-before +after):\n%s", d)
			}
		})
	}
}

// TestWriteRemovesLast: when an extra cannot be removed, all else is done already.
func TestWriteRemovesLast(t *testing.T) {
	dir := t.TempDir()
	write(t, old(), dir)
	stuck := filepath.Join(dir, "a/extra.txtar") // before all others, and no file that can be removed
	if err := os.MkdirAll(filepath.Join(stuck, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := renewed().Write(dir); err == nil {
		t.Fatal("no error")
	}
	got := contents(t, dir)
	for name, data := range renewed() {
		if !bytes.Equal(got[name], data) {
			t.Errorf("%s holds %q, want %q", name, got[name], data)
		}
	}
}

func TestDifference(t *testing.T) {
	dir := t.TempDir()
	write(t, old(), dir)
	got, err := renewed().Difference(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"changed b/changes.txtar", "extra   c/goes.txtar", "missing d/comes.txtar", "changed " + instances.SumFile}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got, err := old().Difference(os.DirFS(dir)); err != nil || len(got) != 0 {
		t.Errorf("the folder differs from what it holds: %v, %v", got, err)
	}
}

// TestJoinedKeepsTheRest: a part of a set is written beside what is there; what it makes anew wins, and lines without a file go.
func TestJoinedKeepsTheRest(t *testing.T) {
	part := instances.Rendered{"b/changes.txtar": []byte("new\n"), instances.SumFile: []byte("b/changes h1:9\n")}
	folder := fstest.MapFS{}
	for name, data := range old() {
		if name != "c/goes.txtar" {
			folder[name] = &fstest.MapFile{Data: data}
		}
	}
	folder["e/unlisted.txtar"] = &fstest.MapFile{Data: []byte("x\n")}
	got, err := part.Joined(folder)
	if err != nil {
		t.Fatal(err)
	}
	want := instances.Rendered{
		"a/stays.txtar": []byte("stays\n"), "b/changes.txtar": []byte("new\n"),
		instances.SumFile: []byte("a/stays h1:1\nb/changes h1:9\n"),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if len(part) != 2 {
		t.Error("Joined changed the part")
	}
	if got, err := part.Joined(fstest.MapFS{}); err != nil || cmp.Diff(part, got) != "" {
		t.Errorf("beside nothing: error %v\n%s", err, cmp.Diff(part, got))
	}
}

// TestJoinedRefusesSumsThatItCannotRead: without them everything else in the folder would count as extra, and go.
func TestJoinedRefusesSumsThatItCannotRead(t *testing.T) {
	part := instances.Rendered{instances.SumFile: []byte("a/b h1:1\n")}
	for name, folder := range map[string]fstest.MapFS{
		"a folder":    {instances.SumFile: {Mode: fs.ModeDir | 0o755}},
		"no sum file": {instances.SumFile: {Data: []byte("<<<<<<< ours\n")}},
	} {
		if got, err := part.Joined(folder); err == nil {
			t.Errorf("%s: joined to %v", name, got)
		}
	}
}
