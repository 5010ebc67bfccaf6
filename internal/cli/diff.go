package cli

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"

	"favorbench/favor"
	"favorbench/instances"
	"favorbench/tree"

	"github.com/spf13/cobra"
)

type diffOptions struct {
	sources
	brief bool
}

func newDiff() *cobra.Command {
	o := &diffOptions{}
	cmd := &cobra.Command{
		Use:   "diff ID [ID] | diff DIR DIR",
		Short: "compare two instances, a trap with its twin, or two sets",
		Long: `Diff compares two instances: tasks, workspace, edits, probes and suites. With one id it compares a trap with its twin. With two
folders it compares sets, instance by instance; the published set, built in, is written as "published".

EXIT STATUS
  0 no difference   1 they differ   2 usage   3 could not do the work   130 interrupted`,
		Example: "  favorbench diff config-key/harborline-tight-deadline-trap\n  favorbench diff published fresh --brief",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 2 {
				return usagef("%s wants one or two ids, or two folders, got %d arguments", cmd.CommandPath(), len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.addSet(cmd)
	cmd.Flags().BoolVar(&o.brief, "brief", false, "names of what differs only")
	return cmd
}

func (o *diffOptions) run(cmd *cobra.Command, args []string) error {
	out := cmd.OutOrStdout()
	if len(args) == 2 && isSet(args[0]) && isSet(args[1]) {
		return o.sets(out, args[0], args[1])
	}
	if len(args) == 2 && isSet(args[0]) != isSet(args[1]) {
		return usagef("diff %s %s: want two ids, or two folders", args[0], args[1])
	}
	set, err := o.loadSet()
	if err != nil {
		return err
	}
	a, err := set.Find(args[0])
	if err != nil {
		return usageError{err}
	}
	other := a.Twin
	if len(args) == 2 {
		other = args[1]
	} else if other == "" {
		return usagef("diff %s: a safe instance has no twin; name a second instance", a.ID)
	}
	b, err := set.Find(other)
	if err != nil {
		return usageError{err}
	}
	if o.instances(out, a, b) {
		return errFinding
	}
	return nil
}

// published names the set that is built in.
const published = "published"

func isSet(arg string) bool {
	info, err := os.Stat(arg)
	return arg == published || err == nil && info.IsDir()
}

func (o *diffOptions) sets(out io.Writer, from, to string) error {
	load := func(dir string) (*instances.Set, error) {
		if dir == published {
			dir = ""
		}
		return o.loadSetFrom("set", dir)
	}
	a, err := load(from)
	if err != nil {
		return err
	}
	b, err := load(to)
	if err != nil {
		return err
	}
	same, differ := 0, 0
	for _, i := range a.All {
		j, both := b.ByID(i.ID)
		switch {
		case !both:
			differ++
			fmt.Fprintf(out, "only in %s: %s\n", from, i.ID)
		case a.Sum(i.ID) == b.Sum(i.ID):
			same++
		default:
			differ++
			fmt.Fprintf(out, "differs: %s\n", i.ID)
			if !o.brief {
				o.instances(out, i, j)
			}
		}
	}
	for _, j := range b.All {
		if _, both := a.ByID(j.ID); !both {
			differ++
			fmt.Fprintf(out, "only in %s: %s\n", to, j.ID)
		}
	}
	fmt.Fprintf(out, "%d the same, %d differing\n", same, differ)
	if differ > 0 {
		return errFinding
	}
	return nil
}

// instances prints how b differs from a, and reports whether it does.
func (o *diffOptions) instances(out io.Writer, a, b *instances.Instance) bool {
	differ := false
	files := func(what string, from, to tree.Files) {
		changes := tree.Diff(from, to)
		if len(changes) == 0 {
			return
		}
		differ = true
		fmt.Fprintf(out, "--- %s\n", what)
		for _, c := range changes {
			owner, err := b.Owners.Owner(c.Path)
			if err != nil {
				owner = favor.Team("nobody")
			}
			if what != "workspace" {
				fmt.Fprintf(out, "%s\n", c.Path)
			} else {
				fmt.Fprintf(out, "%s (%s)\n", c.Path, owner)
			}
		}
		if !o.brief {
			printDiff(out, from, to)
		}
	}
	value := func(what string, from, to any) {
		if !reflect.DeepEqual(from, to) {
			differ = true
			fmt.Fprintf(out, "--- %s\n- %v\n+ %v\n", what, from, to)
		}
	}
	// each prints the entries that only one side has.
	each := func(what string, from, to []string) {
		if slices.Equal(from, to) {
			return
		}
		differ = true
		fmt.Fprintf(out, "--- %s\n", what)
		for _, line := range from {
			if !slices.Contains(to, line) {
				fmt.Fprintf(out, "- %s\n", line)
			}
		}
		for _, line := range to {
			if !slices.Contains(from, line) {
				fmt.Fprintf(out, "+ %s\n", line)
			}
		}
	}
	texts := func(what, from, to string) {
		each(what, strings.Split(from, "\n"), strings.Split(to, "\n"))
	}
	for _, s := range []struct {
		role string
		a, b instances.Seat
	}{{"requester", a.Requester, b.Requester}, {"owner", a.Owner, b.Owner}} {
		value(s.role, s.a.Team, s.b.Team)
		value(s.role+"'s scope", s.a.Scope, s.b.Scope)
		value(s.role+"'s title", s.a.Title, s.b.Title)
		texts(s.role+"'s task", s.a.Task, s.b.Task)
	}
	value("absent", a.Absent, b.Absent)
	texts("promise", a.Promise, b.Promise)
	value("params", a.Params, b.Params)
	files("workspace", a.Tree, b.Tree)
	for _, e := range favor.Edits() {
		files("edit "+e.String(), a.Edits[e], b.Edits[e])
	}
	files("edit requester, in states with safe", a.RequesterSafe, b.RequesterSafe)
	for n := range max(len(a.SelfHelp), len(b.SelfHelp)) {
		files(fmt.Sprintf("self-help %d", n+1), nth(a.SelfHelp, n), nth(b.SelfHelp, n))
	}
	files("other", a.Other, b.Other)
	for _, suite := range favor.Suites()[1:] {
		files("suite "+string(suite), a.Suites[suite], b.Suites[suite])
	}
	each("consuming lines", consumers(a), consumers(b))
	each("tests", testLines(a), testLines(b))
	return differ
}

// consumers writes an instance's consuming lines, an entry a line.
func consumers(i *instances.Instance) []string {
	var out []string
	for _, c := range i.Consumer {
		out = append(out, fmt.Sprintf("%s:%d: %s", c.Path, c.Line, c.Text))
	}
	return out
}

// testLines writes an instance's hidden tests with when they fail, an entry a line.
func testLines(i *instances.Instance) []string {
	var out []string
	for _, t := range i.Tests {
		line := fmt.Sprintf("%s %s", t.Suite, t.ID)
		if len(t.Needs) > 0 {
			line += " needs " + strings.Join(t.Needs, ", ")
		}
		if len(t.Breaks) > 0 {
			line += " breaks " + strings.Join(t.Breaks, ", ")
		}
		if t.Error != "" {
			line += " -> " + t.Error
		}
		out = append(out, line)
	}
	return out
}

func nth(all []tree.Files, n int) tree.Files {
	if n < len(all) {
		return all[n]
	}
	return nil
}
