package instances

import (
	"bufio"
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"favorbench/favor"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/sync/errgroup"
)

// embedded is the published set: the folder of this package.
//
//go:embed *
var embedded embed.FS

// Embedded returns the files of the published set, as they were when the binary was built.
func Embedded() fs.FS { return embedded }

// SumFile is the name of the set's sum file: a line an instance, its id and the digest of Sum.
const SumFile = "instances.sum"

// Set is a set of instances in the order of their ids.
type Set struct {
	All  []*Instance
	Sums map[string]string // what the sum file says, by id
	byID map[string]*Instance
	got  map[string]string
}

// Load reads a set: every txtar file one folder below the root of fsys, and the sum file.
func Load(fsys fs.FS, bases Bases) (*Set, error) {
	names, err := doublestar.Glob(fsys, "*/*.txtar")
	if err != nil {
		return nil, err
	}
	sums, err := fs.ReadFile(fsys, SumFile)
	if err != nil {
		return nil, fmt.Errorf("load set: %w; generate writes it", err)
	}
	set := &Set{All: make([]*Instance, len(names)), byID: map[string]*Instance{}, got: map[string]string{}}
	if set.Sums, err = parseSums(sums); err != nil {
		return nil, err
	}
	got := make([]string, len(names))
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for n, name := range names {
		group.Go(func() error {
			data, err := fs.ReadFile(fsys, name)
			if err != nil {
				return err
			}
			i, err := Parse(name, data, bases)
			if err != nil {
				return err
			}
			if want := FileName(i.ID); want != name {
				return fmt.Errorf("read instance %s: its id %q belongs into %s", name, i.ID, want)
			}
			set.All[n], got[n] = i, Sum(i, data)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for n, i := range set.All {
		set.byID[i.ID], set.got[i.ID] = i, got[n]
	}
	for id := range set.Sums {
		if set.byID[id] == nil {
			return nil, fmt.Errorf("load set: %s lists %s, and there is no file %s", SumFile, id, FileName(id))
		}
	}
	slices.SortFunc(set.All, func(a, b *Instance) int { return strings.Compare(a.ID, b.ID) })
	return set, nil
}

// NewSet returns a set of the given instances with the sums given by id; tests and generation make sets this way.
func NewSet(all []*Instance, sums, got map[string]string) *Set {
	set := &Set{All: all, Sums: sums, got: got, byID: map[string]*Instance{}}
	for _, i := range all {
		set.byID[i.ID] = i
	}
	return set
}

// ByID finds an instance.
func (s *Set) ByID(id string) (*Instance, bool) {
	i, ok := s.byID[id]
	return i, ok
}

// Find finds an instance by id, and names the nearest ids where there is none.
func (s *Set) Find(id string) (*Instance, error) {
	if i, ok := s.byID[id]; ok {
		return i, nil
	}
	var near []string
	for _, i := range s.All {
		if strings.Contains(i.ID, id) {
			near = append(near, i.ID)
		}
	}
	switch {
	case len(near) == 1:
		return nil, fmt.Errorf("no instance %q; did you mean %s?", id, near[0])
	case len(near) > 1:
		return nil, fmt.Errorf("no instance %q; %d ids hold it, the first %s", id, len(near), near[0])
	}
	return nil, fmt.Errorf("no instance %q; favorbench list prints the %d ids of the set", id, len(s.All))
}

// SumFault says how an instance differs from its line in the sum file, or nothing.
func (s *Set) SumFault(i *Instance) string {
	want, listed := s.Sums[i.ID]
	switch got := s.got[i.ID]; {
	case !listed:
		return fmt.Sprintf("%s has no line for it", SumFile)
	case got != want:
		return fmt.Sprintf("%s says %s, the files make %s", SumFile, want, got)
	}
	return ""
}

// Filter chooses instances. An empty field chooses all.
type Filter struct {
	IDs        []string // ids, or globs over ids in which * stays within a folder
	Kinds      []favor.Kind
	Families   []string
	Monorepos  []string
	Deprecated bool // withdrawn ones too
}

// Select returns the chosen instances in the set's order. An id, glob or name that chooses nothing is an error, as a
// misspelt filter must not pass for a clean result.
func (s *Set) Select(f Filter) ([]*Instance, error) {
	for _, pattern := range f.IDs {
		if !doublestar.ValidatePattern(pattern) {
			return nil, fmt.Errorf("%q is not an id or a glob of ids", pattern)
		}
		if !slices.ContainsFunc(s.All, func(i *Instance) bool { return matchID(pattern, i.ID) }) {
			_, err := s.Find(pattern)
			return nil, err
		}
	}
	if err := known("family", f.Families, s.All, func(i *Instance) string { return i.Family }); err != nil {
		return nil, err
	}
	if err := known("monorepo", f.Monorepos, s.All, func(i *Instance) string { return i.Monorepo }); err != nil {
		return nil, err
	}
	var out []*Instance
	for _, i := range s.All {
		if (len(f.IDs) == 0 || slices.ContainsFunc(f.IDs, func(p string) bool { return matchID(p, i.ID) })) &&
			(len(f.Kinds) == 0 || slices.Contains(f.Kinds, i.Kind)) &&
			(len(f.Families) == 0 || slices.Contains(f.Families, i.Family)) &&
			(len(f.Monorepos) == 0 || slices.Contains(f.Monorepos, i.Monorepo)) &&
			(f.Deprecated || i.Deprecated == "") {
			out = append(out, i)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no instance of the set's %d passes all filters", len(s.All))
	}
	return out, nil
}

func matchID(pattern, id string) bool {
	ok, _ := doublestar.Match(pattern, id)
	return ok
}

func known(what string, names []string, all []*Instance, of func(*Instance) string) error {
	for _, name := range names {
		if !slices.ContainsFunc(all, func(i *Instance) bool { return of(i) == name }) {
			var have []string
			for _, i := range all {
				have = append(have, of(i))
			}
			slices.Sort(have)
			return fmt.Errorf("no %s %q in the set; it has %s", what, name, strings.Join(slices.Compact(have), ", "))
		}
	}
	return nil
}

// FileName returns the path of an instance's file below the set's root.
func FileName(id string) string { return id + ".txtar" }

// FormatSums writes the sum file.
func FormatSums(sums map[string]string) []byte {
	var out bytes.Buffer
	ids := make([]string, 0, len(sums))
	for id := range sums {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		fmt.Fprintf(&out, "%s %s\n", id, sums[id])
	}
	return out.Bytes()
}

func parseSums(data []byte) (map[string]string, error) {
	sums := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		id, sum, _ := strings.Cut(lines.Text(), " ")
		if _, twice := sums[id]; twice || len(strings.Fields(lines.Text())) != 2 || lines.Text() != strings.TrimSpace(id)+" "+strings.TrimSpace(sum) || !strings.HasPrefix(sum, "h1:") {
			return nil, fmt.Errorf("%s line %d: want an id not yet listed and a digest h1:…, got %q", SumFile, n, lines.Text())
		}
		sums[id] = sum
	}
	return sums, lines.Err()
}

// Rendered is a set as bytes: file names below the set's root, the sum file among them, to contents.
type Rendered map[string][]byte

// Difference says how the folder dir differs from the set, a line a file, sorted; none means that they are the same.
func (r Rendered) Difference(fsys fs.FS) ([]string, error) {
	have, err := doublestar.Glob(fsys, "*/*.txtar")
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, name := range have {
		if _, wanted := r[name]; !wanted {
			lines = append(lines, "extra   "+name)
		}
	}
	for name, data := range r {
		old, err := fs.ReadFile(fsys, name)
		switch {
		case err != nil:
			lines = append(lines, "missing "+name)
		case !bytes.Equal(old, data):
			lines = append(lines, "changed "+name)
		}
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[8:], b[8:]) })
	return lines, nil
}

// Write makes the folder dir hold the set. Every file is first written and synced beside its place, so that what cannot be
// written leaves the old set as it was; then they are renamed, the sum file last, and only then files of instances that are in
// the set no longer are removed. A file that is right already is left alone.
func (r Rendered) Write(dir string) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	diff, err := r.Difference(os.DirFS(dir))
	if err != nil {
		return err
	}
	var wanted, extra []string
	for _, line := range diff {
		what, name := strings.TrimSpace(line[:8]), line[8:]
		switch {
		case what == "extra":
			extra = append(extra, name)
		case name != SumFile:
			wanted = append(wanted, name)
		}
	}
	if slices.ContainsFunc(diff, func(line string) bool { return line[8:] == SumFile }) {
		wanted = append(wanted, SumFile)
	}
	beside := map[string]string{} // by name: the file that is to take its place
	defer func() {
		for _, tmp := range beside {
			os.Remove(tmp)
		}
	}()
	for _, name := range wanted {
		if beside[name], err = writeBeside(filepath.Join(dir, filepath.FromSlash(name)), r[name]); err != nil {
			return err
		}
	}
	for _, name := range wanted {
		if err := os.Rename(beside[name], filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return err
		}
		delete(beside, name)
	}
	for _, name := range extra {
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	return nil
}

// writeBeside writes data to a new file in the folder of name, ready to be renamed to it, and returns the new file's name.
func writeBeside(name string, data []byte) (beside string, err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return "", err
	}
	if old, err := os.Lstat(name); err == nil && old.IsDir() {
		return "", fmt.Errorf("%s is a folder, and the set has a file there", name)
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".write-*")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
		}
	}()
	if err := tmp.Chmod(0o644); err != nil {
		return "", err
	}
	if _, err := tmp.Write(data); err != nil {
		return "", err
	}
	if err := tmp.Sync(); err != nil {
		return "", err
	}
	return tmp.Name(), tmp.Close()
}

// Joined returns the set with the sum lines of the other instances that fsys holds, so that a part of a set can be written
// beside what is there.
func (r Rendered) Joined(fsys fs.FS) (Rendered, error) {
	data, err := fs.ReadFile(fsys, SumFile)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil // an empty or missing folder: there is nothing to keep
	}
	if err != nil {
		return nil, err
	}
	kept, err := parseSums(data)
	if err != nil {
		return nil, err
	}
	mine, err := parseSums(r[SumFile])
	if err != nil {
		return nil, err
	}
	out := maps.Clone(r)
	for id := range kept {
		name := FileName(id)
		old, err := fs.ReadFile(fsys, name)
		if _, made := r[name]; !made && err == nil {
			out[name] = old
		}
	}
	maps.Copy(kept, mine)
	maps.DeleteFunc(kept, func(id, _ string) bool { _, there := out[FileName(id)]; return !there })
	out[SumFile] = FormatSums(kept)
	return out, nil
}

// Sum returns the digest of what an instance of the set materializes to, as computed when the set was loaded.
func (s *Set) Sum(id string) string { return s.got[id] }
