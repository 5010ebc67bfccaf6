// Package cli is the command line of favorbench: one file a subcommand, each a constructor with its options. Commands are
// thin: they read flags, call the packages that do the work, and print. It alone imports cobra.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"strings"
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
	out := &checkedWriter{w: stdout}
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if out.err != nil && (err == nil || errors.Is(err, errFinding)) {
		err = fmt.Errorf("write the output: %w", out.err)
	}
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
		complain(stderr, err)
		return exitUsage
	}
	complain(stderr, err)
	return exitCannot
}

// complain prints an error as a line that begins with the program's name.
func complain(stderr io.Writer, err error) {
	text := err.Error()
	if name, _, _ := strings.Cut(text, ":"); name != "favorbench" && !strings.HasPrefix(name, "favorbench ") {
		text = "favorbench: " + text
	}
	fmt.Fprintln(stderr, text)
}

// checkedWriter remembers the first error of its writer, so that output cut short by a full disk does not end in exit status 0.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if err != nil && c.err == nil {
		c.err = err
	}
	return n, err
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
	root.Version = versionLine()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpCommand(newHelp())
	for _, newCommand := range commands {
		root.AddCommand(newCommand())
	}
	return root
}

// commands is the registry of subcommands, in the order of the help.
var commands = []func() *cobra.Command{
	newGenerate,
	newValidate,
	newMutate,
	newPropositions,
	newAudit,
	newList,
	newShow,
	newDiff,
	newNew,
	newVersion,
}

const exitStatuses = `

EXIT STATUS
  0 done   1 the subject failed   2 usage   3 could not do the work   130 interrupted`

// newHelp is cobra's help command, but for a misspelt command, which is a usage error here and exit status 0 there.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "print the help of a command",
		Long:    "Help prints the help of a command, as the command's --help does." + exitStatuses,
		Example: "  favorbench help validate\n  favorbench help new family",
		RunE: func(cmd *cobra.Command, args []string) error {
			of, rest, err := cmd.Root().Find(args)
			if err != nil {
				return usageError{err}
			}
			if len(rest) > 0 {
				return noCommand(of, rest[0])
			}
			of.InitDefaultHelpFlag()
			of.InitDefaultVersionFlag()
			return of.Help()
		},
	}
}

// noArgs refuses arguments; a misspelt subcommand arrives here too.
func noArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasSubCommands():
		return noCommand(cmd, args[0])
	}
	return usagef("%s takes no arguments, got %q", cmd.CommandPath(), args[0])
}

// noCommand says that a command has no subcommand of a name, and which is near.
func noCommand(cmd *cobra.Command, name string) error {
	cmd.SuggestionsMinimumDistance = 2
	hint := ""
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		hint = fmt.Sprintf(", did you mean %s?", near[0])
	}
	return usagef("%s has no command %q%s; see %s --help", cmd.CommandPath(), name, hint, cmd.CommandPath())
}

// sources are the places of monorepos, families and instances that commands share as flags.
type sources struct {
	families, monorepos, set string
}

func (s *sources) addData(cmd *cobra.Command) {
	pathVar(cmd, &s.families, "families", "folder of further families; one of a known name replaces it")
	s.addMonorepos(cmd)
}

func (s *sources) addMonorepos(cmd *cobra.Command) {
	pathVar(cmd, &s.monorepos, "monorepos", "folder of further monorepos; one of a known name replaces it")
}

func (s *sources) addSet(cmd *cobra.Command) {
	pathVar(cmd, &s.set, "set", "folder of the set (default: the published one, built in)")
	s.addMonorepos(cmd)
}

// pathValue is a flag that names a file or folder. It refuses the empty name, which a script passes whose variable is unset:
// that must not read as the default.
type pathValue string

func (p *pathValue) String() string { return string(*p) }
func (p *pathValue) Type() string   { return "path" }
func (p *pathValue) Set(name string) error {
	if name == "" {
		return errors.New("want a path")
	}
	*p = pathValue(name)
	return nil
}

// pathVar adds a flag of a path to a command; what p holds is its default.
func pathVar(cmd *cobra.Command, p *string, name, usage string) {
	cmd.Flags().Var((*pathValue)(p), name, usage)
}

// filters choose instances by flags that several commands share.
type filters struct {
	kinds, family, monorepo []string
}

func (o *filters) addFilters(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&o.kinds, "kind", nil, "only this kind: trap, twin or safe (may be repeated)")
	f.StringArrayVar(&o.family, "family", nil, "only this family (may be repeated)")
	f.StringArrayVar(&o.monorepo, "monorepo", nil, "only this monorepo (may be repeated)")
}

// any reports whether one of the flags was given.
func (o *filters) any() bool { return len(o.kinds)+len(o.family)+len(o.monorepo) > 0 }

// choose loads the set and selects the instances that arguments and flags name.
func (o *filters) choose(from *sources, args []string) (*instances.Set, []*instances.Instance, instances.Filter, error) {
	var filter instances.Filter
	kinds, err := parseKinds(o.kinds)
	if err != nil {
		return nil, nil, filter, err
	}
	set, err := from.loadSet()
	if err != nil {
		return nil, nil, filter, err
	}
	filter = instances.Filter{IDs: args, Kinds: kinds, Families: o.family, Monorepos: o.monorepo}
	chosen, err := set.Select(filter)
	if err != nil {
		return nil, nil, filter, usageError{err}
	}
	return set, chosen, filter, nil
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

// baseOf looks up what the instances of a monorepo are laid on.
func baseOf(repos []*monorepos.Monorepo) instances.Bases {
	return func(name string) (instances.Base, error) {
		m, err := monorepos.Find(repos, name)
		if err != nil {
			return instances.Base{}, err
		}
		return instances.Base{Files: m.Repo, PythonPath: m.PythonPath, Digest: m.Digest}, nil
	}
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
	fsys, name := instances.Embedded(), "the published set"
	if dir != "" {
		if fsys, err = folder(flag, dir); err != nil {
			return nil, err
		}
		name = "--" + flag + " " + dir
	}
	set, err := instances.Load(fsys, baseOf(repos))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return set, nil
}

// printJSON prints what --json asks for.
func printJSON(cmd *cobra.Command, v any) error {
	enc := json.NewEncoder(cmd.OutOrStdout())
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
