package cli

import (
	"fmt"
	"io"
	"strings"

	"favorbench/propositions"

	"github.com/spf13/cobra"
)

type propositionsOptions struct {
	sources
	filters
	engineOptions
	json bool
}

func newPropositions() *cobra.Command {
	o := &propositionsOptions{}
	var claims strings.Builder
	for _, c := range propositions.Claims() {
		fmt.Fprintf(&claims, "  %s  %s\n", c.Claim, c.Says)
	}
	cmd := &cobra.Command{
		Use:   "propositions [ID|GLOB]...",
		Short: "check the paper's propositions on instances, by measuring every reward",
		Long: `Propositions measures the reward of requester, owner and absent team (the share of their hidden tests that pass) in the twelve states,
and in every union of items of obvious and of safe (lines that stand together, or a new file), written before and after both tasks are
done. It reports on how many instances each holds, and names the counterexamples where one does not:

` + claims.String() + `
A union is torn when it harms although neither edit that it is made of does as a whole: half a change breaks what the whole would not.
The opportunity is that of obvious and safe as they are.` + exitStatuses,
		Example: "  favorbench propositions\n  favorbench propositions --family enum --kind trap\n  favorbench propositions 'config-key/harborline-*' --json",
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.addSet(cmd)
	o.addFilters(cmd)
	o.addEngine(cmd)
	cmd.Flags().BoolVar(&o.json, "json", false, "print the results as JSON")
	return cmd
}

func (o *propositionsOptions) run(cmd *cobra.Command, args []string) error {
	if err := o.checkEngine(); err != nil {
		return err
	}
	_, chosen, _, err := o.choose(&o.sources, args)
	if err != nil {
		return err
	}
	engine, err := o.start(cmd, 0)
	if err != nil {
		return err
	}
	defer engine.Close()
	bar := newProgress(cmd.ErrOrStderr(), len(chosen), "propositions")
	results, err := propositions.Run(cmd.Context(), chosen, engine, propositions.Options{Workers: o.workers, Done: func(propositions.Result) { bar.Add(1) }})
	bar.Finish()
	if err != nil {
		return err
	}
	engine.Close()
	report := propositions.NewReport(results, engine.Python())
	if o.json {
		if err := printJSON(cmd, report); err != nil {
			return err
		}
	} else {
		printPropositions(cmd.OutOrStdout(), report)
	}
	if !report.Holds {
		return errFinding
	}
	return nil
}

// printPropositions prints the counterexamples, a few of each, then a table.
func printPropositions(out io.Writer, r *propositions.Report) {
	const few = 5
	for _, res := range r.Instances {
		if len(res.Against) == 0 {
			continue
		}
		fmt.Fprintln(out, res.ID)
		for _, c := range propositions.Claims() {
			for n, text := range res.Against[c.Claim] {
				if n == few {
					fmt.Fprintf(out, "  not %s: and %d more\n", c.Claim, len(res.Against[c.Claim])-few)
					break
				}
				fmt.Fprintf(out, "  not %s: %s\n", c.Claim, text)
			}
		}
		fmt.Fprintln(out)
	}
	head := []string{"family", "monorepo", "instances", "states", "favors", "harmful", "torn"}
	for _, c := range propositions.Claims() {
		head = append(head, string(c.Claim))
	}
	t := newTable(out, append(head, "opportunity")...)
	row := func(g propositions.Group) {
		cells := []any{g.Family, g.Monorepo, g.Instances, g.States, g.Favors, g.Harmful, g.Torn}
		for _, c := range propositions.Claims() {
			cells = append(cells, g.Held[c.Claim])
		}
		t.row(append(cells, opportunities(g.Opportunities))...)
	}
	for _, g := range r.Groups() {
		row(g)
	}
	row(r.Total)
	t.flush()
	verdict := "P1, P2 and P3 hold on every instance"
	if !r.Holds {
		verdict = "a proposition does not hold"
	}
	if n := r.Total.Instances - r.Total.Held[propositions.A1]; n > 0 {
		verdict += fmt.Sprintf("; A1 fails on %d", n)
	}
	if n := r.Total.Instances - r.Total.Held[propositions.A2]; n > 0 {
		verdict += fmt.Sprintf("; A2 fails on %d", n)
	}
	fmt.Fprintf(out, "\n%s; %s\n", verdict, r.Python)
}
