package cli

import (
	"fmt"
	"io"
	"strings"

	"favorbench/mutate"
	"favorbench/templates"

	"github.com/spf13/cobra"
)

type mutateOptions struct {
	sources
	engineOptions
	family, monorepo, plot []string
	seed                   uint64
	json                   bool
}

func newMutate() *cobra.Command {
	o := &mutateOptions{}
	cmd := &cobra.Command{
		Use:   "mutate",
		Short: "measure the hidden suites by the variants that plots declare",
		Long: fmt.Sprintf(`Mutate measures hidden suites by mutation score. Every trap plot declares variants of the obvious edit that break the promise and
variants that keep it, every plot wrong solutions of the requester's task. The contract suite must kill the first (%.0f %% of a set
at least) and none of the second, the requester suite the third (%.0f %%). What a suite gets wrong is named, with the reason that the
plot gives.

Variants are rendered from families and monorepos, and are no part of a set.`, 100*mutate.MinKilled, 100*mutate.MinKilled) + exitStatuses,
		Example: "  favorbench mutate\n  favorbench mutate --family config-key --monorepo lumenlab\n  favorbench mutate --plot tight-deadline --seed 7 --json",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd) },
	}
	o.addData(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&o.family, "family", nil, "only this family (may be repeated)")
	f.StringArrayVar(&o.monorepo, "monorepo", nil, "only this monorepo (may be repeated)")
	addPlot(cmd, &o.plot)
	addSeed(cmd, &o.seed)
	o.addEngine(cmd)
	f.BoolVar(&o.json, "json", false, "print the results as JSON")
	return cmd
}

func (o *mutateOptions) run(cmd *cobra.Command) error {
	if err := o.checkEngine(); err != nil {
		return err
	}
	jobs, err := o.jobs(o.seed, map[string][]string{"family": o.family, "monorepo": o.monorepo, "plot": o.plot})
	if err != nil {
		return err
	}
	engine, err := o.start(cmd, 0)
	if err != nil {
		return err
	}
	defer engine.Close()
	bar := newProgress(cmd.ErrOrStderr(), len(jobs), "mutate")
	results, err := mutate.Run(cmd.Context(), jobs, engine, mutate.Options{Workers: o.workers, Done: func(mutate.Result) { bar.Add(1) }})
	bar.Finish()
	if err != nil {
		return err
	}
	engine.Close()
	report := mutate.NewReport(results, o.seed, engine.Python())
	if o.json {
		if err := printJSON(cmd, report); err != nil {
			return err
		}
	} else {
		printMutants(cmd.OutOrStdout(), report)
	}
	if !report.Passes {
		return errFinding
	}
	return nil
}

// printMutants prints what suites got wrong, then a table.
func printMutants(out io.Writer, r *mutate.Report) {
	for _, res := range r.Offenders() {
		fmt.Fprintln(out, res.ID)
		for _, m := range res.Missing {
			fmt.Fprintf(out, "  %s\n", m)
		}
		for _, v := range res.Variants {
			switch {
			case v.Trouble != "":
				fmt.Fprintf(out, "  %s not measured: %s\n    %s\n", v.Variant, v.Reason, v.Trouble)
			case v.Killed:
				fmt.Fprintf(out, "  %s killed by %s, which must let it live: %s\n    %s\n", v.Variant, v.Suite, v.Reason, strings.Join(v.By, "\n    "))
			default:
				fmt.Fprintf(out, "  %s survives %s: %s\n", v.Variant, v.Suite, v.Reason)
			}
		}
		fmt.Fprintln(out)
	}
	cells := func(scores map[templates.VariantSort]*mutate.Score) []any {
		b, k, w := scores[templates.Breaks], scores[templates.Keeps], scores[templates.Wrong]
		return []any{fmt.Sprintf("%d of %d", b.Killed, b.Of()), fmt.Sprintf("%d of %d", k.Killed, k.Of()), fmt.Sprintf("%d of %d", w.Killed, w.Of())}
	}
	t := newTable(out, "family", "monorepo", "plots", "breaks killed", "keeps killed", "wrong killed")
	for _, g := range r.Groups() {
		t.row(append([]any{g.Family, g.Monorepo, g.Plots}, cells(g.Scores)...)...)
	}
	t.row(append([]any{"all", "", len(r.Plots)}, cells(r.Scores)...)...)
	t.flush()
	fmt.Fprintf(out, "\nwanted: %.0f %% of breaks and of wrong solutions killed, no keep; %s\n", 100*mutate.MinKilled, r.Python)
}
