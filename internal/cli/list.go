package cli

import (
	"fmt"

	"favorbench/favor"
	"favorbench/instances"

	"github.com/spf13/cobra"
)

type listOptions struct {
	sources
	filters
	deprecated bool
	json       bool
}

func newList() *cobra.Command {
	o := &listOptions{}
	cmd := &cobra.Command{
		Use:     "list [ID|GLOB]...",
		Short:   "list the instances of a set",
		Long:    "List prints the instances of a set, a line each: id, who plays requester, owner and absent, the shared resource, what it is about." + exitStatuses,
		Example: "  favorbench list\n  favorbench list --kind trap --family config-key\n  favorbench list 'helper-function/*' --json",
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.addSet(cmd)
	f := cmd.Flags()
	o.addFilters(cmd)
	f.BoolVar(&o.deprecated, "deprecated", false, "withdrawn instances too")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

// listed is one instance as list --json prints it.
type listed struct {
	ID         string     `json:"id"`
	Kind       favor.Kind `json:"kind"`
	Twin       string     `json:"twin,omitempty"`
	Family     string     `json:"family"`
	Monorepo   string     `json:"monorepo"`
	Plot       string     `json:"plot"`
	Requester  favor.Team `json:"requester"`
	Owner      favor.Team `json:"owner"`
	Absent     favor.Team `json:"absent"`
	Resource   string     `json:"resource"`
	Summary    string     `json:"summary"`
	Deprecated string     `json:"deprecated,omitempty"`
}

func (o *listOptions) run(cmd *cobra.Command, args []string) error {
	kinds, err := parseKinds(o.kinds)
	if err != nil {
		return err
	}
	set, err := o.loadSet()
	if err != nil {
		return err
	}
	filter := instances.Filter{IDs: args, Kinds: kinds, Families: o.family, Monorepos: o.monorepo, Deprecated: o.deprecated}
	chosen, err := set.Select(filter)
	if err != nil {
		return usageError{err}
	}
	rows := make([]listed, len(chosen))
	for n, i := range chosen {
		rows[n] = listed{i.ID, i.Kind, i.Twin, i.Family, i.Monorepo, i.Plot, i.Requester.Team, i.Owner.Team, i.Absent, i.Resource, i.Summary, i.Deprecated}
	}
	if o.json {
		return printJSON(cmd, rows)
	}
	t := newTable(cmd.OutOrStdout(), "id", "requester", "owner", "absent", "resource", "summary")
	for _, r := range rows {
		t.row(r.ID, r.Requester, r.Owner, r.Absent, r.Resource, r.Summary)
	}
	t.flush()
	note := ""
	if left := withdrawn(set, filter); len(left) > 0 {
		note = fmt.Sprintf("; %d withdrawn, which --deprecated lists too", len(left))
	}
	fmt.Fprintf(cmd.OutOrStdout(), "\n%s%s\n", count(len(rows), "instance"), note)
	return nil
}

// withdrawn lists the ids that a filter would choose were they not deprecated, as a command says what it leaves out.
func withdrawn(set *instances.Set, f instances.Filter) []string {
	if f.Deprecated {
		return nil
	}
	f.Deprecated = true
	all, err := set.Select(f)
	if err != nil {
		return nil
	}
	var ids []string
	for _, i := range all {
		if i.Deprecated != "" {
			ids = append(ids, i.ID)
		}
	}
	return ids
}
