package cli

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"favorbench/favor"
	"favorbench/instances"
	"favorbench/templates"

	"github.com/spf13/cobra"
)

type generateOptions struct {
	sources
	seed  uint64
	out   string
	check bool
	filters
	plot    []string
	workers int
	json    bool
}

func newGenerate() *cobra.Command {
	o := &generateOptions{out: "instances"}
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "synthesize the set from families, plots and monorepos",
		Long: `Generate synthesizes instances from the templates of families and the castings of monorepos, and writes one file an
instance and the sum file. The same seed gives the same bytes on every machine; seed 1 is the published set.

Without filters the folder holds exactly the set afterwards: files of instances that are in it no longer are removed once
all others are written. With filters only the chosen instances are written, and the sum file keeps its other lines.` + exitStatuses,
		Example: "  favorbench generate --out instances\n  favorbench generate --check --out instances\n  favorbench generate --seed 7 --family config-key --out fresh",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd) },
	}
	o.addData(cmd)
	f := cmd.Flags()
	addSeed(cmd, &o.seed)
	pathVar(cmd, &o.out, "out", "folder of the set")
	f.BoolVar(&o.check, "check", false, "write nothing; say how the folder differs, and fail if it does")
	o.addFilters(cmd)
	addPlot(cmd, &o.plot)
	f.IntVar(&o.workers, "workers", 0, "plots at once (default: one a core)")
	f.BoolVar(&o.json, "json", false, "print the summary as JSON")
	return cmd
}

// generated is the summary of a run, as --json prints it.
type generated struct {
	Seed      uint64               `json:"seed"`
	Out       string               `json:"out"`
	Instances int                  `json:"instances"`
	Kinds     map[favor.Kind]int   `json:"kinds"`
	HandCast  int                  `json:"hand_cast_plots"`
	Plots     int                  `json:"plots"`
	Differing []string             `json:"differing"`
	counts    map[[2]string][3]int // family, monorepo → trap, twin, safe
}

func (o *generateOptions) run(cmd *cobra.Command) error {
	if o.workers < 0 {
		return usagef("--workers %d: want 1 or more, or 0 for one a core", o.workers)
	}
	kinds, err := parseKinds(o.kinds)
	if err != nil {
		return err
	}
	jobs, err := o.jobs(o.seed, map[string][]string{"family": o.family, "monorepo": o.monorepo, "plot": o.plot})
	if err != nil {
		return err
	}
	sum := &generated{Seed: o.seed, Out: o.out, Kinds: map[favor.Kind]int{}, Plots: len(jobs), Differing: []string{}, counts: map[[2]string][3]int{}}
	for _, j := range jobs {
		if j.HandCast() {
			sum.HandCast++
		}
	}
	set, err := templates.Generate(cmd.Context(), jobs, templates.Options{
		Workers: o.workers,
		Keep:    func(k favor.Kind) bool { return len(kinds) == 0 || slices.Contains(kinds, k) },
		Done:    sum.add,
	})
	if err != nil {
		return err
	}
	if sum.Instances == 0 {
		return usagef("no plot passes all filters")
	}
	partial := o.any() || len(o.plot) > 0
	if partial {
		if set, err = set.Joined(os.DirFS(o.out)); err != nil {
			return fmt.Errorf("--out %s: %w", o.out, err)
		}
	}
	if sum.Differing, err = o.compare(set); err != nil {
		return err
	}
	if !o.check {
		if err := o.mayRemove(sum.Differing); err != nil {
			return err
		}
		if err := set.Write(o.out); err != nil {
			return fmt.Errorf("write the set to %s: %w", o.out, err)
		}
	}
	if o.json {
		if err := printJSON(cmd, sum); err != nil {
			return err
		}
	} else {
		sum.print(cmd, o.check)
	}
	if o.check && len(sum.Differing) > 0 {
		return errFinding
	}
	return nil
}

// compare says how the folder differs from the set. A folder that is not there differs in everything.
func (o *generateOptions) compare(set instances.Rendered) ([]string, error) {
	lines, err := set.Difference(os.DirFS(o.out))
	if lines == nil {
		lines = []string{}
	}
	return lines, err
}

// mayRemove refuses a folder whose txtar files generate would remove although it holds no set: it is another's, such as a
// folder of families.
func (o *generateOptions) mayRemove(differing []string) error {
	if _, err := fs.Stat(os.DirFS(o.out), instances.SumFile); err == nil {
		return nil
	}
	for _, line := range differing {
		if name, extra := strings.CutPrefix(line, "extra   "); extra {
			return usagef("--out %s: holds %s and no %s, so it is not a set; choose another folder", o.out, name, instances.SumFile)
		}
	}
	return nil
}

func parseKinds(names []string) ([]favor.Kind, error) {
	var kinds []favor.Kind
	for _, name := range names {
		k, err := favor.ParseKind(name)
		if err != nil {
			return nil, usageError{fmt.Errorf("--%w", err)}
		}
		kinds = append(kinds, k)
	}
	return kinds, nil
}

func (g *generated) add(i *instances.Instance) {
	g.Instances++
	g.Kinds[i.Kind]++
	key := [2]string{i.Family, i.Monorepo}
	c := g.counts[key]
	c[slices.Index([]favor.Kind{favor.Trap, favor.Twin, favor.Safe}, i.Kind)]++
	g.counts[key] = c
}

func (g *generated) print(cmd *cobra.Command, check bool) {
	w := newTable(cmd.OutOrStdout(), "family", "monorepo", "trap", "twin", "safe")
	keys := make([][2]string, 0, len(g.counts))
	for k := range g.counts {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b [2]string) int { return strings.Compare(a[0]+"\x00"+a[1], b[0]+"\x00"+b[1]) })
	for _, k := range keys {
		c := g.counts[k]
		w.row(k[0], k[1], c[0], c[1], c[2])
	}
	w.row("all", "", g.Kinds[favor.Trap], g.Kinds[favor.Twin], g.Kinds[favor.Safe])
	w.flush()
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "\n%s of seed %d; %d of %d plots cast by hand\n", count(g.Instances, "instance"), g.Seed, g.HandCast, g.Plots)
	switch {
	case check && len(g.Differing) == 0:
		fmt.Fprintf(out, "%s is as generated\n", g.Out)
	case check:
		for _, line := range g.Differing {
			fmt.Fprintln(out, line)
		}
		fmt.Fprintf(out, "%s differs in %s; the same command without --check writes them\n", g.Out, count(len(g.Differing), "file"))
	default:
		fmt.Fprintf(out, "%s: %s written\n", g.Out, count(len(g.Differing), "file"))
	}
}
