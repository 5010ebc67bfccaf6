package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"favorbench/favor"
	"favorbench/suites"
	"favorbench/validate"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

type validateOptions struct {
	sources
	checks []string
	filters
	engineOptions
	repeat int
	full   bool
	json   bool
	junit  string
}

func newValidate() *cobra.Command {
	o := &validateOptions{}
	cmd := &cobra.Command{
		Use:   "validate [ID|GLOB]...",
		Short: "prove instances with the ten checks, by running their tests",
		Long:  "Validate proves instances with ten checks, by running their suites in every state of the state table.\n\n" + checkList() + validateStatuses,
		Example: "  favorbench validate\n  favorbench validate --family config-key --kind trap\n  favorbench validate 'config-key/harborline-*' --check harm --check rollback\n" +
			"  favorbench validate --set fresh --repeat 3 --junit report.xml",
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.addSet(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&o.checks, "check", nil, "only this check and those it stands on (may be repeated)")
	o.addFilters(cmd)
	f.IntVar(&o.repeat, "repeat", 0, "run every suite so many times more, with new hash seeds and orders of tests")
	f.BoolVar(&o.full, "full", false, "run every visible test in every state, also those whose files are as when they passed")
	o.addEngine(cmd)
	f.BoolVar(&o.json, "json", false, "print the results as JSON")
	pathVar(cmd, &o.junit, "junit", "also write the results as JUnit XML to this file")
	return cmd
}

const validateStatuses = `
EXIT STATUS
  0 every check holds   1 a check fails   2 usage   3 could not do the work   130 interrupted`

// checkList explains the checks, one a paragraph.
func checkList() string {
	var b strings.Builder
	for n, c := range validate.Checks() {
		fmt.Fprintf(&b, "%2d %-12s %s.\n", n+1, c.Name, c.Holds)
	}
	return b.String()
}

func (o *validateOptions) run(cmd *cobra.Command, args []string) error {
	if o.repeat < 0 {
		return usagef("--repeat %d: want 0 or more", o.repeat)
	}
	if err := o.checkEngine(); err != nil {
		return err
	}
	if err := o.knownChecks(); err != nil {
		return err
	}
	if o.junit != "" {
		// Before the work, not after it.
		if _, err := folder("junit", filepath.Dir(o.junit)); err != nil {
			return err
		}
	}
	set, chosen, filter, err := o.choose(&o.sources, args)
	if err != nil {
		return err
	}
	var engines []*suites.Engine
	closeEngines := func() {
		for _, e := range engines {
			e.Close()
		}
	}
	defer closeEngines()
	var repeats []validate.Runner
	for n := range 1 + o.repeat {
		e, err := o.start(cmd, n)
		if err != nil {
			return err
		}
		engines = append(engines, e)
		if n > 0 {
			repeats = append(repeats, e)
		}
	}
	bar := newProgress(cmd.ErrOrStderr(), len(chosen), "validate")
	results, err := validate.Run(cmd.Context(), set, chosen, engines[0], validate.Options{
		Repeats: repeats, Full: o.full, Checks: o.checks, Workers: o.workers,
		Done: func(validate.Result) { bar.Add(1) },
	})
	bar.Finish()
	if err != nil {
		return err
	}
	closeEngines()
	report := validate.NewReport(results, o.repeat, engines[0].Python())
	report.Full = o.full
	report.Withdrawn = withdrawn(set, filter)
	if o.junit != "" {
		if err := writeFile(o.junit, report.WriteJUnit); err != nil {
			return fmt.Errorf("write --junit %s: %w", o.junit, err)
		}
	}
	if o.json {
		if err := printJSON(cmd, report); err != nil {
			return err
		}
	} else {
		printReport(cmd.OutOrStdout(), report)
	}
	if report.Valid < len(report.Results) {
		return errFinding
	}
	return nil
}

func (o *validateOptions) knownChecks() error {
	var names []string
	for _, c := range validate.Checks() {
		names = append(names, c.Name)
	}
	for _, want := range o.checks {
		if !slices.Contains(names, want) {
			return usagef("--check %q: there is none; there are %s", want, strings.Join(names, ", "))
		}
	}
	return nil
}

// printReport prints what failed, then a table.
func printReport(out io.Writer, r *validate.Report) {
	for _, res := range r.Results {
		if res.Valid() {
			continue
		}
		fmt.Fprintln(out, res.ID)
		for _, c := range res.Checks {
			switch c.Status {
			case validate.Fails:
				fmt.Fprintf(out, "  %s fails\n", c.Check)
				for _, f := range c.Findings {
					fmt.Fprintf(out, "    %s\n", f)
					if f.Detail != "" {
						fmt.Fprintf(out, "      | %s\n", strings.ReplaceAll(strings.TrimSpace(f.Detail), "\n", "\n      | "))
					}
				}
			case validate.NotReached:
				fmt.Fprintf(out, "  %s not reached, as %s fails\n", c.Check, c.Because)
			}
		}
		fmt.Fprintln(out)
	}
	head := append([]string{"family", "monorepo", "instances", "valid"}, r.Checks...)
	t := newTable(out, append(head, "opportunity")...)
	for _, g := range r.Groups() {
		row := []any{g.Family, g.Monorepo, g.Instances, g.Valid}
		for _, name := range r.Checks {
			row = append(row, g.Held[name])
		}
		t.row(append(row, opportunities(g.Opportunities))...)
	}
	t.flush()
	reuse := ", those of unchanged files let stand"
	if r.Full {
		reuse = ", all run"
	}
	fmt.Fprintf(out, "\n%d of %d instances valid; %d suite results%s; %s\n", r.Valid, len(r.Results), r.SuiteRuns, reuse, r.Python)
	if n := len(r.Withdrawn); n > 0 {
		fmt.Fprintf(out, "%s left out: %s\n", count(n, "withdrawn instance"), strings.Join(r.Withdrawn, ", "))
	}
	if r.Repeat > 0 {
		fmt.Fprintf(out, "%s\n", r.Flake())
	}
}

func opportunities(counts map[favor.Opportunity]int) string {
	var parts []string
	for _, o := range []favor.Opportunity{favor.Avoidable, favor.Benign, favor.ConflictOpportunity, favor.Unmeasured} {
		if counts[o] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[o], o))
		}
	}
	return strings.Join(parts, ", ")
}

// newProgress shows a bar on a terminal and nothing in a pipe.
func newProgress(out io.Writer, total int, what string) *progressbar.ProgressBar {
	f, isFile := out.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return progressbar.DefaultSilent(int64(total))
	}
	return progressbar.NewOptions(total, progressbar.OptionSetWriter(out), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish())
}
