package cli

import (
	"math"
	"slices"
	"strings"

	"favorbench/templates"

	"github.com/spf13/cobra"
)

func addSeed(cmd *cobra.Command, seed *uint64) {
	cmd.Flags().Uint64Var(seed, "seed", 1, "seed of names and numbers; 1 is the published set")
}

func addPlot(cmd *cobra.Command, plot *[]string) {
	cmd.Flags().StringArrayVar(plot, "plot", nil, "only this plot (may be repeated)")
}

// jobs lists the plots on monorepos that pass the filters: the names that the flags family, monorepo and plot ask for.
func (s *sources) jobs(seed uint64, filters map[string][]string) ([]templates.Job, error) {
	if seed > math.MaxInt64 {
		return nil, usagef("--seed %d: want %d at most, as TOML holds no larger number", seed, int64(math.MaxInt64))
	}
	fams, err := s.loadFamilies()
	if err != nil {
		return nil, err
	}
	repos, err := s.loadMonorepos()
	if err != nil {
		return nil, err
	}
	all, err := templates.Jobs(repos, fams, seed)
	if err != nil {
		return nil, err
	}
	for _, filter := range []struct {
		flag string
		of   func(templates.Job) string
	}{
		{"family", func(j templates.Job) string { return j.Family.Name }},
		{"monorepo", func(j templates.Job) string { return j.Monorepo.Name }},
		{"plot", func(j templates.Job) string { return j.Plot.Name }},
	} {
		names := filters[filter.flag]
		for _, name := range names {
			if !slices.ContainsFunc(all, func(j templates.Job) bool { return filter.of(j) == name }) {
				var have []string
				for _, j := range all {
					have = append(have, filter.of(j))
				}
				slices.Sort(have)
				return nil, usagef("--%s %q: there is none; there are %s", filter.flag, name, strings.Join(slices.Compact(have), ", "))
			}
		}
		if len(names) > 0 {
			all = slices.DeleteFunc(all, func(j templates.Job) bool { return !slices.Contains(names, filter.of(j)) })
		}
	}
	if len(all) == 0 {
		return nil, usagef("no plot passes all filters")
	}
	return all, nil
}
