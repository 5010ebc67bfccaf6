package templates

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"favorbench/instances"
	"favorbench/tree"
)

// scaffold holds what new families and monorepos start from. Its files are no templates, as what they make are templates
// themselves: words between @ signs are replaced.
//
//go:embed all:scaffold
var scaffold embed.FS

// NewFamily returns the files of a family to start from: one trap plot and one safe plot that validate on every monorepo.
func NewFamily(name, code string) (tree.Files, error) {
	if err := instances.CheckName(name); err != nil {
		return nil, fmt.Errorf("new family: %w", err)
	}
	return fill("scaffold/family", "@NAME@", name, "@SNAKE@", strings.ReplaceAll(name, "-", "_"), "@CODE@", code, "@TITLE@", titleWords(name))
}

// NewMonorepo returns the files of a monorepo to start from: a small house in which the plots of every family validate.
func NewMonorepo(name string) (tree.Files, error) {
	if err := instances.CheckName(name); err != nil {
		return nil, fmt.Errorf("new monorepo: %w", err)
	}
	return fill("scaffold/monorepo", "@NAME@", name, "@TITLE@", titleWords(name))
}

func fill(dir string, pairs ...string) (tree.Files, error) {
	sub, err := fs.Sub(scaffold, dir)
	if err != nil {
		return nil, err
	}
	files, err := tree.Read(sub)
	if err != nil {
		return nil, err
	}
	words := strings.NewReplacer(pairs...)
	for p, content := range files {
		files[p] = words.Replace(content)
	}
	return files, nil
}
