// Package tree holds file trees in memory, with owners: overlay, difference, undoing, digest, and reading and writing them
// inside a root that nothing escapes.
//
// Contents are strings, so a Files value can be shared without copying: whoever changes a tree makes a new one.
package tree

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/dirhash"
)

// Files maps slash-separated paths, relative to the tree's root, to contents. The zero value is an empty tree to read from.
type Files map[string]string

// Paths lists the paths in sorted order.
func (f Files) Paths() []string { return slices.Sorted(maps.Keys(f)) }

// Overlay returns a new tree: f with every file of the edits laid over it in turn.
func (f Files) Overlay(edits ...Files) Files {
	out := maps.Clone(f)
	if out == nil {
		out = Files{}
	}
	for _, e := range edits {
		maps.Copy(out, e)
	}
	return out
}

// Filter returns the files whose path keep accepts.
func (f Files) Filter(keep func(path string) bool) Files {
	out := Files{}
	for p, content := range f {
		if keep(p) {
			out[p] = content
		}
	}
	return out
}

// Change is what happened to one path between two trees.
type Change struct {
	Path     string
	Old, New string
	Added    bool // there was no such file before
	Deleted  bool // there is none after
}

// Diff lists, sorted by path, the changes that lead from one tree to another.
func Diff(from, to Files) []Change {
	var changes []Change
	for p, old := range from {
		now, kept := to[p]
		if !kept || now != old {
			changes = append(changes, Change{Path: p, Old: old, New: now, Deleted: !kept})
		}
	}
	for p, now := range to {
		if _, had := from[p]; !had {
			changes = append(changes, Change{Path: p, New: now, Added: true})
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes
}

// Apply returns f with the changes made. It makes all of them or none: a change whose old side is not what f holds is an error,
// and so are two changes of one path.
func (f Files) Apply(changes []Change) (Files, error) {
	out := f.Overlay()
	done := map[string]bool{}
	for _, c := range changes {
		if done[c.Path] {
			return nil, fmt.Errorf("apply change of %s: it is changed twice", c.Path)
		}
		done[c.Path] = true
		content, has := f[c.Path]
		if has == c.Added || (has && content != c.Old) {
			return nil, fmt.Errorf("apply change of %s: the file is not as it was when the change was made", c.Path)
		}
		if c.Deleted {
			delete(out, c.Path)
		} else {
			out[c.Path] = c.New
		}
	}
	return out, nil
}

// Revert returns the changes that undo the given ones.
func Revert(changes []Change) []Change {
	back := make([]Change, len(changes))
	for i, c := range changes {
		back[i] = Change{Path: c.Path, Old: c.New, New: c.Old, Added: c.Deleted, Deleted: c.Added}
	}
	return back
}

// Digest returns a digest of every path and content, in the notation of go.sum ("h1:" and base64).
func (f Files) Digest() string {
	sum, err := dirhash.Hash1(f.Paths(), func(p string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(f[p])), nil
	})
	if err != nil { // only a line break in a path, which CheckPath refuses, can cause it
		return "invalid: " + err.Error()
	}
	return sum
}

// CheckPath reports why a path may not stand in a tree: absolute, leaving the root, not in its shortest form, or holding a
// character that some file system or archive cannot carry.
func CheckPath(p string) error {
	switch {
	case p == "":
		return fmt.Errorf("empty path")
	case !utf8.ValidString(p), strings.ContainsFunc(p, unicode.IsControl), strings.ContainsAny(p, `\:*?"<>|`):
		return fmt.Errorf("path %q: holds a character that not every file system can carry", p)
	case path.IsAbs(p), path.Clean(p) != p, !fs.ValidPath(p), p == ".":
		return fmt.Errorf("path %q: want a clean relative path inside the root", p)
	}
	for part := range strings.SplitSeq(p, "/") {
		if strings.TrimSpace(part) != part || strings.HasSuffix(part, ".") {
			return fmt.Errorf("path %q: begins or ends in a character that archives lose", p)
		}
	}
	return nil
}

// Check reports every fault of the tree's paths: those of CheckPath, two that differ in letter case only, be it in the name
// of a folder, and a file where another path needs a folder.
func (f Files) Check() []error {
	var faults []error
	folded := map[string]string{} // files and folders, by their names in lower case
	for _, p := range f.Paths() {
		if err := CheckPath(p); err != nil {
			faults = append(faults, err)
			continue
		}
		for part := p; part != "."; part = path.Dir(part) {
			other, taken := folded[strings.ToLower(part)]
			if taken && other != part {
				faults = append(faults, fmt.Errorf("paths %q and %q differ in letter case only: one disk in three holds just one of them", other, part))
				break
			}
			folded[strings.ToLower(part)] = part
		}
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			if _, isFile := f[dir]; isFile {
				faults = append(faults, fmt.Errorf("path %q: %q is a file, not a folder", p, dir))
			}
		}
	}
	return faults
}

// Read returns every regular file below the root of fsys, leaving out what Python writes beside sources when they are run.
func Read(fsys fs.FS) (Files, error) {
	out := Files{}
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if d.Name() == "__pycache__" || d.Name() == ".pytest_cache" {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular():
			return fmt.Errorf("read tree: %s is no regular file", p)
		case strings.HasSuffix(p, ".pyc"):
			return nil
		}
		data, err := fs.ReadFile(fsys, p)
		if err != nil {
			return err
		}
		out[p] = string(data)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Write writes the files below dir, which must exist, through a root that no path or link leaves. The tree is checked before
// the first byte is written.
func Write(dir string, f Files) error {
	if faults := f.Check(); len(faults) > 0 {
		return fmt.Errorf("write tree to %s: %w", dir, faults[0])
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	made := map[string]bool{".": true}
	for _, p := range f.Paths() {
		if d := path.Dir(p); !made[d] {
			if err := root.MkdirAll(d, 0o755); err != nil {
				return err
			}
			made[d] = true
		}
		if err := root.WriteFile(p, []byte(f[p]), 0o644); err != nil {
			return err
		}
	}
	return nil
}
