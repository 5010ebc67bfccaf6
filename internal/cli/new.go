package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"favorbench/families"
	"favorbench/monorepos"
	"favorbench/templates"
	"favorbench/tree"

	"github.com/spf13/cobra"
)

func newNew() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "new",
		Short:   "scaffold a family or a monorepo that validates at once",
		Long:    "New writes a family or a monorepo to start from. What it writes generates and validates as it is; change it step by step." + exitStatuses,
		Example: "  favorbench new family data-retention --dir my/families\n  favorbench new monorepo postline --dir my/monorepos",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return usagef("new what? family NAME or monorepo NAME; see favorbench new --help")
		},
	}
	cmd.AddCommand(newNewFamily(), newNewMonorepo())
	return cmd
}

func newNewFamily() *cobra.Command {
	dir, code := "families", ""
	cmd := &cobra.Command{
		Use:     "family NAME",
		Short:   "scaffold a family with a trap plot and a safe plot",
		Long:    "New family writes DIR/NAME with one trap plot and one safe plot, told in every monorepo's own words." + exitStatuses,
		Example: "  favorbench new family data-retention --dir my/families\n  favorbench generate --families my/families --family data-retention --out fresh\n  favorbench validate --set fresh",
		Args:    oneName,
		RunE: func(cmd *cobra.Command, args []string) error {
			known, err := families.Load(families.Embedded())
			if err != nil {
				return err
			}
			if known, err = beside(known, dir); err != nil {
				return err
			}
			if code == "" {
				code = nextCode(known)
			} else if !familyCode.MatchString(code) {
				return usagef("--code %q: want F and a number, as F9", code)
			}
			for _, f := range known {
				switch {
				case f.Name == args[0]:
					return usagef("new family %s: there is one of that name", args[0])
				case f.Code == code:
					return usagef("--code %s: family %s has it", code, f.Name)
				}
			}
			files, err := templates.NewFamily(args[0], code)
			if err != nil {
				return usageError{err}
			}
			if err := writeNew(dir, args[0], files); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d files\ntry it: favorbench generate --families %s --family %s --out fresh && favorbench validate --set fresh\n",
				filepath.Join(dir, args[0]), len(files), dir, args[0])
			return nil
		},
	}
	pathVar(cmd, &dir, "dir", "folder of families")
	cmd.Flags().StringVar(&code, "code", "", "the family's code (default: the next after F8 that is free)")
	return cmd
}

var familyCode = regexp.MustCompile(`^F[1-9][0-9]*$`)

// beside adds the families of a folder to those that are built in. The folder may hold none, or not be there.
func beside(known []*families.Family, dir string) ([]*families.Family, error) {
	if found, err := fs.Glob(os.DirFS(dir), "*/family.toml"); err != nil || len(found) == 0 {
		return known, err
	}
	more, err := families.Load(os.DirFS(dir))
	if err != nil {
		return nil, usagef("--dir %s: %w", dir, err)
	}
	return families.Merge(known, more)
}

// nextCode returns the first free code beyond the paper's eight.
func nextCode(known []*families.Family) string {
	last := 8
	for _, f := range known {
		if n, err := strconv.Atoi(f.Code[1:]); err == nil && n > last {
			last = n
		}
	}
	return fmt.Sprintf("F%d", last+1)
}

func newNewMonorepo() *cobra.Command {
	dir := "monorepos"
	cmd := &cobra.Command{
		Use:     "monorepo NAME",
		Short:   "scaffold a small monorepo",
		Long:    "New monorepo writes DIR/NAME: a small house of four teams in which every plot validates, told in its words." + exitStatuses,
		Example: "  favorbench new monorepo postline --dir my/monorepos\n  favorbench generate --monorepos my/monorepos --monorepo postline --out fresh\n  favorbench validate --monorepos my/monorepos --set fresh",
		Args:    oneName,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := templates.NewMonorepo(args[0])
			if err != nil {
				return usageError{err}
			}
			known, err := monorepos.Load(monorepos.Embedded())
			if err != nil {
				return err
			}
			if _, err := monorepos.Find(known, args[0]); err == nil {
				return usagef("new monorepo %s: there is one of that name", args[0])
			}
			if err := writeNew(dir, args[0], files); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d files\ntry it: favorbench generate --monorepos %s --monorepo %s --out fresh && favorbench validate --monorepos %s --set fresh\n",
				filepath.Join(dir, args[0]), len(files), dir, args[0], dir)
			return nil
		},
	}
	pathVar(cmd, &dir, "dir", "folder of monorepos")
	return cmd
}

func oneName(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("%s wants one name, got %d arguments", cmd.CommandPath(), len(args))
	}
	return nil
}

// writeNew writes files to a folder that does not exist yet, all or none of them.
func writeNew(dir, name string, files tree.Files) (err error) {
	target := filepath.Join(dir, name)
	if _, err := os.Lstat(target); err == nil {
		return usagef("%s is there already", target)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(tmp)
		}
	}()
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	if err := tree.Write(tmp, files); err != nil {
		return err
	}
	return os.Rename(tmp, target)
}
