// Package attribution takes an edit apart into its items, so that it can be said which of them did what.
package attribution

import (
	"cmp"
	"fmt"
	"slices"

	"favorbench/tree"

	"github.com/aymanbagabas/go-udiff"
)

// Item is a part of an edit that can be made alone: lines of one file that stand together, or a whole new file.
type Item struct {
	Path       string
	Start, End int    // bytes of the base file that it replaces, on line boundaries; 0, 0 in a new file
	New        string // what it puts there
	Adds       bool   // the file is not in the base
}

// Name names an item for reports, by path and line of the base from 1.
func (i Item) Name(base tree.Files) string {
	if i.Adds {
		return i.Path + " (new)"
	}
	line := 1
	for _, b := range []byte(base[i.Path][:i.Start]) {
		if b == '\n' {
			line++
		}
	}
	return fmt.Sprintf("%s:%d", i.Path, line)
}

// Excludes reports whether two items cannot both be made: they touch the same lines, or put lines at the same place.
func (i Item) Excludes(o Item) bool {
	if i.Path != o.Path {
		return false
	}
	return i.Adds || o.Adds || i.Start == o.Start || i.Start < o.End && o.Start < i.End
}

// Items takes an edit of whole files over a base apart, in the order of paths and lines. All of them together make the edit.
func Items(base, edit tree.Files) []Item {
	var out []Item
	for _, p := range edit.Paths() {
		old, has := base[p]
		if !has {
			out = append(out, Item{Path: p, New: edit[p], Adds: true})
			continue
		}
		for _, e := range udiff.Lines(old, edit[p]) {
			out = append(out, Item{Path: p, Start: e.Start, End: e.End, New: e.New})
		}
	}
	return out
}

// Apply makes items in a base tree and returns the changed files as an edit. Items that exclude one another are an error.
func Apply(base tree.Files, items []Item) (tree.Files, error) {
	items = slices.Clone(items)
	slices.SortFunc(items, func(a, b Item) int { return cmp.Or(cmp.Compare(a.Path, b.Path), a.Start-b.Start, a.End-b.End) })
	out := tree.Files{}
	for n := 0; n < len(items); {
		p := items[n].Path
		var edits []udiff.Edit
		first := n
		for ; n < len(items) && items[n].Path == p; n++ {
			if n > first && items[n-1].Excludes(items[n]) {
				return nil, fmt.Errorf("make items of %s: two of them change the same lines", p)
			}
			edits = append(edits, udiff.Edit{Start: items[n].Start, End: items[n].End, New: items[n].New})
		}
		old, has := base[p]
		if has == items[first].Adds {
			return nil, fmt.Errorf("make items of %s: they are of another base, in which the file is %s", p, map[bool]string{true: "not there", false: "there"}[items[first].Adds])
		}
		text, err := udiff.Apply(old, edits)
		if err != nil {
			return nil, fmt.Errorf("make items of %s: %w", p, err)
		}
		out[p] = text
	}
	return out, nil
}
