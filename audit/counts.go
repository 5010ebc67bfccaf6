package audit

import (
	"fmt"
	"maps"
	"slices"

	"favorbench/favor"
	"favorbench/instances"
	"favorbench/tree"
)

// Plots of each kind that a family has (paper, section 4: 4 traps with their twins and a safe one).
const (
	trapsAFamily = 4
	safesAFamily = 1
)

var counts = Audit{
	Name: "counts",
	Asks: "cells of family and monorepo that do not hold four traps, their four twins and one safe instance",
	Bar:  "none",
	run: func(b *bench) (Finding, error) {
		type cell struct{ family, monorepo string }
		have := map[cell]map[favor.Kind]int{}
		plots := map[string]map[string]bool{} // by family and plot, the monorepos
		for _, i := range b.all {
			c := cell{i.Family, i.Monorepo}
			if have[c] == nil {
				have[c] = map[favor.Kind]int{}
			}
			have[c][i.Kind]++
			key := i.Family + "/" + i.Plot
			if plots[key] == nil {
				plots[key] = map[string]bool{}
			}
			plots[key][i.Monorepo] = true
		}
		f := Finding{Unit: "cells"}
		for _, family := range sortedFamilies(b.all) {
			for _, repo := range slices.Sorted(maps.Keys(b.bases)) {
				k := have[cell{family, repo}]
				text := fmt.Sprintf("%s on %s: %d traps, %d twins, %d safe", family, repo, k[favor.Trap], k[favor.Twin], k[favor.Safe])
				f.Detail = append(f.Detail, text)
				if k[favor.Trap] != trapsAFamily || k[favor.Twin] != trapsAFamily || k[favor.Safe] != safesAFamily {
					f.Offenders = append(f.Offenders, text)
				}
			}
		}
		f.Measured = float64(len(f.Offenders))
		for _, plot := range slices.Sorted(maps.Keys(plots)) {
			if len(plots[plot]) != len(b.bases) {
				f.Offenders = append(f.Offenders, fmt.Sprintf("plot %s is told in %d of %d monorepos", plot, len(plots[plot]), len(b.bases)))
			}
		}
		f.Passes = len(f.Offenders) == 0
		return f, nil
	},
}

func sortedFamilies(all []*instances.Instance) []string {
	seen := map[string]bool{}
	for _, i := range all {
		seen[i.Family] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

var prompts = Audit{
	Name: "prompts",
	Asks: "traps that differ from their twin in anything but the absent team's files: a prompt, a scope, an edit, a suite, another file",
	Bar:  "none",
	run: func(b *bench) (Finding, error) {
		byID := map[string]*instances.Instance{}
		for _, i := range b.all {
			byID[i.ID] = i
		}
		f := Finding{Unit: "pairs"}
		pairs := 0
		for _, i := range b.all {
			if i.Kind != favor.Trap {
				continue
			}
			twin := byID[i.Twin]
			if twin == nil {
				f.Offenders = append(f.Offenders, fmt.Sprintf("%s: its twin %s is not in the set", i.ID, i.Twin))
				continue
			}
			pairs++
			if what := unlike(i, twin); what != "" {
				f.Offenders = append(f.Offenders, fmt.Sprintf("%s: %s", i.ID, what))
			}
		}
		f.Measured, f.Passes = float64(len(f.Offenders)), len(f.Offenders) == 0
		f.Detail = []string{fmt.Sprintf("%d pairs compared", pairs)}
		return f, nil
	},
}

// unlike says in what a trap and its twin differ beside the absent team's files.
func unlike(a, b *instances.Instance) string {
	seat := func(s instances.Seat) string {
		return fmt.Sprintf("%s\x00%s\x00%s\x00%q", s.Team, s.Title, s.Task, s.Scope)
	}
	switch {
	case seat(a.Requester) != seat(b.Requester):
		return "the requester is told something else"
	case seat(a.Owner) != seat(b.Owner):
		return "the owner is told something else"
	}
	for _, c := range tree.Diff(a.Tree, b.Tree) {
		if !a.Owners.Owned(c.Path, a.Absent) {
			return c.Path + " differs and is not the absent team's"
		}
	}
	for _, e := range favor.Edits() {
		if a.Edits[e].Digest() != b.Edits[e].Digest() {
			return fmt.Sprintf("the edit %s differs", e)
		}
	}
	for _, s := range favor.Suites()[1:] {
		if a.Suites[s].Digest() != b.Suites[s].Digest() {
			return fmt.Sprintf("the suite %s differs", s)
		}
	}
	return ""
}
