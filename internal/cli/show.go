package cli

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"favorbench/favor"
	"favorbench/instances"
	"favorbench/tree"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
)

type showOptions struct {
	sources
	parts   []string
	extract string
	state   string
	suites  bool
	json    bool
}

// showParts are what show can print, in the order in which it does.
var showParts = []string{"tasks", "tree", "edits", "probes", "suites"}

func newShow() *cobra.Command {
	o := &showOptions{}
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "print an instance for reading, or write a state of it to a folder",
		Long: `Show prints an instance: who plays what, what both agents are told, what the absent team promises, the files that it lays on its
monorepo, every edit as a diff, and the hidden suites. With --extract it writes the workspace in a state as a plain tree, the
hidden suites left out unless --suites asks for them.` + exitStatuses,
		Example: "  favorbench show config-key/harborline-tight-deadline-trap\n  favorbench show config-key/harborline-tight-deadline-trap --part tasks --part edits\n" +
			"  favorbench show config-key/harborline-tight-deadline-trap --extract /tmp/w --state requester+obvious",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("%s wants one id, got %d; favorbench list prints them", cmd.CommandPath(), len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	o.addSet(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&o.parts, "part", nil, "only this part: "+strings.Join(showParts, ", ")+" (may be repeated)")
	pathVar(cmd, &o.extract, "extract", "write the workspace to this folder, which must be empty or absent")
	f.StringVar(&o.state, "state", "base", "with --extract: base, or requester, owner, obvious, safe joined by +")
	f.BoolVar(&o.suites, "suites", false, "with --extract: the hidden suites too, in the folder hidden_suites")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

func (o *showOptions) run(cmd *cobra.Command, id string) error {
	for _, p := range o.parts {
		if !slices.Contains(showParts, p) {
			return usagef("--part %s: there is none; there are %s", p, strings.Join(showParts, ", "))
		}
	}
	state, err := favor.ParseState(o.state)
	if err != nil {
		return usageError{err}
	}
	if o.extract == "" && (cmd.Flags().Changed("state") || o.suites) {
		return usagef("--state and --suites go with --extract")
	}
	if len(o.parts) > 0 && (o.json || o.extract != "") || o.json && o.extract != "" {
		return usagef("--part, --json and --extract: want one of them")
	}
	set, err := o.loadSet()
	if err != nil {
		return err
	}
	i, err := set.Find(id)
	if err != nil {
		return usageError{err}
	}
	switch {
	case o.extract != "":
		return o.extractTo(cmd.OutOrStdout(), i, state)
	case o.json:
		return printJSON(cmd, shownInstance(i))
	}
	printInstance(cmd.OutOrStdout(), i, func(part string) bool { return len(o.parts) == 0 || slices.Contains(o.parts, part) })
	return nil
}

// extractTo writes a state of the workspace beside the folder and renames it into place.
func (o *showOptions) extractTo(out io.Writer, i *instances.Instance, state favor.State) (err error) {
	if entries, err := os.ReadDir(o.extract); err == nil && len(entries) > 0 {
		return usagef("--extract %s: the folder is not empty", o.extract)
	} else if err != nil && !os.IsNotExist(err) {
		return usagef("--extract %s: %w", o.extract, err)
	}
	files := i.State(state)
	if o.suites {
		for _, suite := range favor.Suites()[1:] {
			for name, source := range i.Suites[suite] {
				files = files.Overlay(tree.Files{"hidden_suites/" + string(suite) + "/" + name: source})
			}
		}
	}
	target := filepath.Clean(o.extract)
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(target), ".extract-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(tmp)
		}
	}()
	if err := tree.Write(tmp, files); err != nil {
		return err
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	if err := os.Remove(target); err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := os.Rename(tmp, target); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d files of %s in state %s\n", o.extract, len(files), i.ID, state)
	fmt.Fprintf(out, "visible tests: cd %s && PYTHONPATH=%s python3 -m unittest\n", o.extract, strings.Join(i.PythonPath, ":"))
	return nil
}

func printInstance(out io.Writer, i *instances.Instance, want func(string) bool) {
	heading := func(format string, args ...any) {
		fmt.Fprintf(out, "\n=== %s\n\n", fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(out, "%s\n%s\n\n", i.ID, i.Summary)
	if i.Deprecated != "" {
		fmt.Fprintf(out, "deprecated: %s\n\n", i.Deprecated)
	}
	t := newTable(out, "requester", "owner", "absent", "resource", "service", "seed")
	t.row(i.Requester.Team, i.Owner.Team, i.Absent, i.Resource, i.Service, i.Seed)
	t.flush()
	if want("tasks") {
		for _, s := range []struct {
			role string
			seat instances.Seat
		}{{"requester", i.Requester}, {"owner", i.Owner}} {
			heading("%s (%s): %s", s.role, s.seat.Team, s.seat.Title)
			fmt.Fprintf(out, "%s\nscope: %s\n", s.seat.Task, strings.Join(s.seat.Scope, "  "))
		}
		heading("what %s promises", i.Absent)
		fmt.Fprintln(out, i.Promise)
	}
	if want("tree") {
		for _, p := range i.Overlay.Paths() {
			owner, _ := i.Owners.Owner(p)
			heading("tree: %s (%s)", p, owner)
			fmt.Fprint(out, i.Overlay[p])
		}
	}
	if want("edits") {
		for _, e := range favor.Edits() {
			printEdit(out, i, "edit "+e.String(), i.Edits[e])
			if e == favor.EditRequester && i.RequesterSafe != nil {
				printEdit(out, i, "edit requester, in states with safe", i.RequesterSafe)
			}
		}
	}
	if want("probes") {
		for n, files := range i.SelfHelp {
			printEdit(out, i, fmt.Sprintf("self-help %d, which must not work", n+1), files)
		}
		printEdit(out, i, "other: a sound solution of a third design", i.Other)
	}
	if want("suites") {
		for _, suite := range favor.Suites()[1:] {
			for _, name := range i.Suites[suite].Paths() {
				heading("suite %s: %s", suite, name)
				fmt.Fprint(out, i.Suites[suite][name])
			}
		}
	}
}

func printEdit(out io.Writer, i *instances.Instance, title string, files tree.Files) {
	fmt.Fprintf(out, "\n=== %s\n\n", title)
	printDiff(out, i.Tree, i.Tree.Overlay(files))
}

// printDiff prints what changes from one tree to another, file by file.
func printDiff(out io.Writer, from, to tree.Files) {
	for _, c := range tree.Diff(from, to) {
		out.Write(diff.Diff("a/"+c.Path, []byte(c.Old), "b/"+c.Path, []byte(c.New)))
	}
}

// shown is an instance as show --json prints it, sealed part and all.
type shown struct {
	listed
	Promise    string                `json:"promise"`
	Service    string                `json:"service"`
	Seed       uint64                `json:"seed"`
	Params     map[string]any        `json:"params"`
	PythonPath []string              `json:"python_path"`
	Requester  shownSeat             `json:"requester_seat"`
	Owner      shownSeat             `json:"owner_seat"`
	Consumer   []shownLine           `json:"consumer"`
	Overlay    tree.Files            `json:"tree"`
	Edits      map[string]tree.Files `json:"edits"`
	SelfHelp   []tree.Files          `json:"self_help"`
	Other      tree.Files            `json:"other"`
	Suites     map[string]tree.Files `json:"suites"`
	Tests      []shownTest           `json:"tests"`
}

type shownLine struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

type shownTest struct {
	Suite  favor.Suite `json:"suite"`
	ID     string      `json:"id"`
	Needs  []string    `json:"needs,omitempty"`
	Breaks []string    `json:"breaks,omitempty"`
	Error  string      `json:"error,omitempty"`
}

type shownSeat struct {
	Team  favor.Team  `json:"team"`
	Title string      `json:"title"`
	Task  string      `json:"task"`
	Scope favor.Scope `json:"scope"`
}

func shownInstance(i *instances.Instance) shown {
	s := shown{
		listed:  listed{i.ID, i.Kind, i.Twin, i.Family, i.Monorepo, i.Plot, i.Requester.Team, i.Owner.Team, i.Absent, i.Resource, i.Summary, i.Deprecated},
		Promise: i.Promise, Service: i.Service, Seed: i.Seed, Params: i.Params, PythonPath: i.PythonPath,
		Requester: shownSeat(i.Requester), Owner: shownSeat(i.Owner), Consumer: []shownLine{},
		Overlay: i.Overlay, Edits: map[string]tree.Files{}, SelfHelp: i.SelfHelp, Other: i.Other, Suites: map[string]tree.Files{}, Tests: []shownTest{},
	}
	for _, line := range i.Consumer {
		s.Consumer = append(s.Consumer, shownLine(line))
	}
	for _, t := range i.Tests {
		s.Tests = append(s.Tests, shownTest(t))
	}
	for e, files := range maps.All(i.Edits) {
		s.Edits[e.String()] = files
	}
	if i.RequesterSafe != nil {
		s.Edits["requester-safe"] = i.RequesterSafe
	}
	for suite, files := range maps.All(i.Suites) {
		s.Suites[string(suite)] = files
	}
	return s
}
