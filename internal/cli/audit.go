package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"favorbench/audit"
	"favorbench/instances"
	"favorbench/suites"

	"github.com/spf13/cobra"
)

type auditOptions struct {
	sources
	filters
	audits []string
	python string
	detail bool
	json   bool
}

// audited is the report as --json prints it.
type audited struct {
	Instances int             `json:"instances"`
	Passes    bool            `json:"passes"`
	Audits    []audit.Finding `json:"audits"`
}

func newAudit() *cobra.Command {
	o := &auditOptions{}
	var list strings.Builder
	for _, a := range audit.Audits() {
		fmt.Fprintf(&list, "  %-16s %s. Bar: %s.\n", a.Name, a.Asks, a.Bar)
	}
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "look at a set as a whole: counts, near-duplicates, giveaways, roles, sizes",
		Long: `Audit asks a set what no instance can answer by itself. Each audit is a number, a bar, and the offenders by name:

` + list.String() + exitStatuses,
		Example: "  favorbench audit\n  favorbench audit --audit guess --audit service-code --detail\n  favorbench audit --set fresh --family enum --json",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd) },
	}
	o.addSet(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&o.audits, "audit", nil, "only this audit (may be repeated)")
	o.addFilters(cmd)
	pathVar(cmd, &o.python, "python", pythonUsage)
	f.BoolVar(&o.detail, "detail", false, "print what a reviewer wants to see besides")
	f.BoolVar(&o.json, "json", false, "print the results as JSON")
	return cmd
}

func (o *auditOptions) run(cmd *cobra.Command) error {
	var names []string
	for _, a := range audit.Audits() {
		names = append(names, a.Name)
	}
	for _, want := range o.audits {
		if !slices.Contains(names, want) {
			return usagef("--audit %q: there is none; there are %s", want, strings.Join(names, ", "))
		}
	}
	_, chosen, _, err := o.choose(&o.sources, nil)
	if err != nil {
		return err
	}
	repos, err := o.loadMonorepos()
	if err != nil {
		return err
	}
	engine, err := suites.New(cmd.Context(), suites.Options{Python: o.python, Workers: 1})
	if err != nil {
		return err
	}
	defer engine.Close()
	asked := len(o.audits)
	if asked == 0 {
		asked = len(names)
	}
	bar := newProgress(cmd.ErrOrStderr(), asked, "audit")
	findings, err := audit.Run(cmd.Context(), chosen, baseOf(repos), engine, o.audits, func(string) { bar.Add(1) })
	bar.Finish()
	if err != nil {
		return err
	}
	engine.Close() // before anything is printed, as in engineOptions.start
	passes := !slices.ContainsFunc(findings, func(f audit.Finding) bool { return !f.Passes })
	if o.json {
		if err := printJSON(cmd, audited{len(chosen), passes, findings}); err != nil {
			return err
		}
	} else {
		o.print(cmd.OutOrStdout(), findings, chosen)
	}
	if !passes {
		return errFinding
	}
	return nil
}

func (o *auditOptions) print(out io.Writer, findings []audit.Finding, chosen []*instances.Instance) {
	const few = 20
	failed := 0
	for _, f := range findings {
		if !f.Passes {
			failed++
		}
		if !f.Passes || o.detail {
			fmt.Fprintf(out, "%s: %s\n", f.Audit, f.Asks)
			for n, line := range f.Offenders {
				if n == few && !o.detail {
					fmt.Fprintf(out, "  and %d more; --detail prints them\n", len(f.Offenders)-few)
					break
				}
				fmt.Fprintf(out, "  ! %s\n", line)
			}
			for _, line := range f.Detail {
				if o.detail {
					fmt.Fprintf(out, "    %s\n", line)
				}
			}
			fmt.Fprintln(out)
		}
	}
	t := newTable(out, "audit", "measured", "bar", "passes")
	for _, f := range findings {
		measured := fmt.Sprintf("%.0f %s", f.Measured, f.Unit)
		if f.Measured != float64(int(f.Measured)) {
			measured = fmt.Sprintf("%.2f %s", f.Measured, f.Unit)
		}
		t.row(f.Audit, measured, f.Bar, map[bool]string{true: "yes", false: "no"}[f.Passes])
	}
	t.flush()
	fmt.Fprintf(out, "\n%d of %d audits pass on %s\n", len(findings)-failed, len(findings), count(len(chosen), "instance"))
}
