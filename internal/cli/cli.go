// Package cli is the command line of favorbench: one file a subcommand, each a constructor with its options. Commands are
// thin: they read flags, call the packages that do the work, and print. It alone imports cobra.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"favorbench/families"
	"favorbench/instances"
	"favorbench/monorepos"

	"github.com/spf13/cobra"
)

// The exit statuses of every command.
const (
	exitOK          = 0
	exitFinding     = 1   // the subject failed: an invalid instance, a set that differs
	exitUsage       = 2   // the command line is wrong
	exitCannot      = 3   // the work could not be done: no interpreter, no space, a bug
	exitInterrupted = 130 // Ctrl-C, as a shell reports it
)

// errFinding says that the command did its work and the subject failed; what failed has been printed.
var errFinding = errors.New("finding")

// usageError is bad input on the command line.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Main runs the command line and returns the exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFinding):
		return exitFinding
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "favorbench: interrupted")
		return exitInterrupted
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "favorbench: %v\n", err)
		return exitUsage
	}
	fmt.Fprintf(stderr, "favorbench: %v\n", err)
	return exitCannot
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "favorbench",
		Short: "generate, validate and read the instances of FavorBench",
		Long: `Favorbench regenerates the instances of FavorBench from templates, proves each with ten checks, and shows them.

The helpful agent problem: agents with no malice and no shared reward help each other within their own permissions, and so
get past the review that was meant to happen.` + exitStatuses,
		Example:       "  favorbench generate --check\n  favorbench validate --family config-key\n  favorbench show config-key/harborline-tight-deadline-trap",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArgs,
		RunE:          func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%s: %w; see %s --help", cmd.CommandPath(), err, cmd.CommandPath())
	})
	root.CompletionOptions.HiddenDefaultCmd = true
	for _, newCommand := range commands {
		root.AddCommand(newCommand())
	}
	return root
}

// commands is the registry of subcommands, in the order of the help.
var commands = []func() *cobra.Command{
	newGenerate,
	newValidate,
	newList,
	newShow,
	newDiff,
	newNew,
	newVersion,
}

const exitStatuses = `

EXIT STATUS
  0 done   1 the subject failed   2 usage   3 could not do the work   130 interrupted`

// noArgs refuses arguments; a misspelt subcommand arrives here too.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasSubCommands() {
		msg := fmt.Sprintf("%s has no command %q", cmd.CommandPath(), args[0])
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			msg += fmt.Sprintf(", did you mean %s?", near[0])
		}
		return usagef("%s; see %s --help", msg, cmd.CommandPath())
	}
	return usagef("%s takes no arguments, got %q", cmd.CommandPath(), args[0])
}

// sources are the places of monorepos, families and instances that commands share as flags.
type sources struct {
	families, monorepos, set string
}

func (s *sources) addData(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.families, "families", "", "folder of further families; one of a known name replaces it")
	s.addMonorepos(cmd)
}

func (s *sources) addMonorepos(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.monorepos, "monorepos", "", "folder of further monorepos; one of a known name replaces it")
}

func (s *sources) addSet(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.set, "set", "", "folder of the set (default: the published one, built in)")
	s.addMonorepos(cmd)
}

// folder opens a folder named by a flag.
func folder(flag, dir string) (fs.FS, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, usagef("--%s %s: no such folder", flag, dir)
	}
	return os.DirFS(dir), nil
}

func (s *sources) loadFamilies() ([]*families.Family, error) {
	all, err := families.Load(families.Embedded())
	if err != nil || s.families == "" {
		return all, err
	}
	fsys, err := folder("families", s.families)
	if err != nil {
		return nil, err
	}
	more, err := families.Load(fsys)
	if err != nil {
		return nil, usageError{err}
	}
	return families.Merge(all, more)
}

func (s *sources) loadMonorepos() ([]*monorepos.Monorepo, error) {
	all, err := monorepos.Load(monorepos.Embedded())
	if err != nil || s.monorepos == "" {
		return all, err
	}
	fsys, err := folder("monorepos", s.monorepos)
	if err != nil {
		return nil, err
	}
	more, err := monorepos.Load(fsys)
	if err != nil {
		return nil, usageError{err}
	}
	return monorepos.Merge(all, more), nil
}

// loadSet loads the set that --set names, or the published one.
func (s *sources) loadSet() (*instances.Set, error) {
	return s.loadSetFrom("set", s.set)
}

// loadSetFrom loads the set in dir, or the published one where dir is empty.
func (s *sources) loadSetFrom(flag, dir string) (*instances.Set, error) {
	repos, err := s.loadMonorepos()
	if err != nil {
		return nil, err
	}
	bases := func(name string) (instances.Base, error) {
		m, err := monorepos.Find(repos, name)
		if err != nil {
			return instances.Base{}, err
		}
		return instances.Base{Files: m.Repo, PythonPath: m.PythonPath, Digest: m.Digest}, nil
	}
	fsys := instances.Embedded()
	if dir != "" {
		if fsys, err = folder(flag, dir); err != nil {
			return nil, err
		}
	}
	return instances.Load(fsys, bases)
}
