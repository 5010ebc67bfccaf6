package suites

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"favorbench/tree"
)

// folder is the place where a worker's trees lie, dir/tree, with an empty dir/tmp beside it.
//
// A run may have written anything into it, so nothing is taken on trust: before each run every file is read and compared. On a
// memory file system that costs about a millisecond for sixty files, and it is the one way that holds: times and sizes miss a
// write through a memory map.
type folder struct {
	dir string
	// listings holds the order in which the system lists each folder. Code that does not sort a listing sees it, so a folder
	// whose listing is not as it was when written in sorted order is written anew.
	listings map[string][]string
	buf      []byte
}

// node is a folder of the wanted tree.
type node struct {
	files map[string]string
	dirs  map[string]*node
}

func nodes(f tree.Files) *node {
	root := &node{}
	for p, content := range f {
		n := root
		for {
			head, rest, more := strings.Cut(p, "/")
			if !more {
				break
			}
			if n.dirs == nil {
				n.dirs = map[string]*node{}
			}
			if n.dirs[head] == nil {
				n.dirs[head] = &node{}
			}
			n, p = n.dirs[head], rest
		}
		if n.files == nil {
			n.files = map[string]string{}
		}
		n.files[p] = content
	}
	return root
}

// names lists what a folder holds, sorted.
func (n *node) names() []string {
	names := make([]string, 0, len(n.files)+len(n.dirs))
	for name := range n.files {
		names = append(names, name)
	}
	for name := range n.dirs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// sync makes the folder hold the tree and nothing else, and empties the temporary folder. No process of a run may be alive.
func (f *folder) sync(want tree.Files) error {
	if f.listings == nil {
		f.listings = map[string][]string{}
	}
	if err := f.syncTemp(); err != nil {
		return err
	}
	return f.syncDir(filepath.Join(f.dir, "tree"), "", nodes(want))
}

func (f *folder) syncTemp() error {
	tmp := filepath.Join(f.dir, "tmp")
	info, err := os.Lstat(tmp)
	if err == nil && info.IsDir() && info.Mode().Perm() == 0o755 {
		entries, err := os.ReadDir(tmp)
		if err == nil && len(entries) == 0 {
			return nil
		}
	}
	if err := removeAll(tmp); err != nil {
		return err
	}
	return os.Mkdir(tmp, 0o755)
}

// syncDir makes one folder as wanted. Every folder above it has been looked at and is real, so no link leads astray.
func (f *folder) syncDir(dir, rel string, want *node) error {
	if !f.listedAsWritten(dir, rel, want) {
		return f.writeDir(dir, rel, want)
	}
	for name, content := range want.files {
		full := filepath.Join(dir, name)
		if !f.holds(full, content) {
			// Not written over but made anew: what lies there may be a link or have another name elsewhere. The listing may
			// change its order by that, so the folder is the unit.
			if err := f.rewrite(full, content); err != nil {
				return f.writeDir(dir, rel, want)
			}
		}
	}
	for name, sub := range want.dirs {
		if err := f.syncDir(filepath.Join(dir, name), path.Join(rel, name), sub); err != nil {
			return err
		}
	}
	return nil
}

// listedAsWritten reports whether dir is a real folder that holds the wanted names in the order in which they were first
// listed, each of its kind.
func (f *folder) listedAsWritten(dir, rel string, want *node) bool {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm() != 0o755 {
		return false
	}
	entries, err := readDirUnsorted(dir)
	if err != nil || len(entries) != len(want.files)+len(want.dirs) || len(entries) != len(f.listings[rel]) {
		return false
	}
	for i, e := range entries {
		if e.Name() != f.listings[rel][i] {
			return false
		}
		if e.IsDir() {
			if want.dirs[e.Name()] == nil {
				return false
			}
		} else if _, wanted := want.files[e.Name()]; !wanted || !e.Type().IsRegular() {
			return false
		}
	}
	return true
}

// holds reports whether a regular file, known by no other name, holds the content.
func (f *folder) holds(full, content string) bool {
	file, err := os.OpenFile(full, os.O_RDONLY|openNoFollow, 0)
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm() != 0o644 || info.Size() != int64(len(content)) || links(info) != 1 {
		return false
	}
	if cap(f.buf) < len(content) {
		f.buf = make([]byte, len(content)*2)
	}
	buf := f.buf[:len(content)]
	for n := 0; n < len(buf); {
		k, err := file.Read(buf[n:])
		if err != nil {
			return false
		}
		n += k
	}
	return bytes.Equal(buf, []byte(content))
}

// rewrite puts new content into a file that keeps its place in the folder's listing.
func (f *folder) rewrite(full, content string) error {
	info, err := os.Lstat(full)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || links(info) != 1 {
		return errors.New("not a plain file")
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		return err
	}
	return os.Chmod(full, 0o644)
}

// writeDir makes a folder and all below it from nothing, names in sorted order.
func (f *folder) writeDir(dir, rel string, want *node) error {
	if err := removeAll(dir); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	if err := os.Chmod(dir, 0o755); err != nil { // whatever the umask
		return err
	}
	for _, name := range want.names() {
		full := filepath.Join(dir, name)
		if sub := want.dirs[name]; sub != nil {
			if err := f.writeDir(full, path.Join(rel, name), sub); err != nil {
				return err
			}
			continue
		}
		if err := os.WriteFile(full, []byte(want.files[name]), 0o644); err != nil {
			return err
		}
		if err := os.Chmod(full, 0o644); err != nil {
			return err
		}
	}
	entries, err := readDirUnsorted(dir)
	if err != nil {
		return err
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	f.listings[rel] = names
	return nil
}

func readDirUnsorted(dir string) ([]fs.DirEntry, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.ReadDir(-1)
}

// removeAll removes a folder even where a run took away the rights to do so.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			os.Chmod(p, 0o755)
		}
		return nil
	})
	return os.RemoveAll(dir)
}
