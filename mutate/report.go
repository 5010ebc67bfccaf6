package mutate

import (
	"cmp"
	"slices"

	"favorbench/templates"
)

// Score counts the variants of one sort.
type Score struct {
	Killed   int `json:"killed"`
	Alive    int `json:"alive"`
	Troubled int `json:"troubled"` // measured nothing
}

// Of is the number of variants.
func (s Score) Of() int { return s.Killed + s.Alive + s.Troubled }

func (s *Score) add(o Outcome) {
	switch {
	case o.Trouble != "":
		s.Troubled++
	case o.Killed:
		s.Killed++
	default:
		s.Alive++
	}
}

// Group is the score of one family on one monorepo.
type Group struct {
	Family   string                           `json:"family"`
	Monorepo string                           `json:"monorepo"`
	Plots    int                              `json:"plots"`
	Scores   map[templates.VariantSort]*Score `json:"scores"`
}

// Report is the result of a run.
type Report struct {
	Python string                           `json:"python"`
	Seed   uint64                           `json:"seed"`
	Scores map[templates.VariantSort]*Score `json:"scores"`
	Passes bool                             `json:"passes"` // whether the bars are cleared
	Plots  []Result                         `json:"plots"`
}

// NewReport adds up results.
func NewReport(results []Result, seed uint64, python string) *Report {
	r := &Report{Python: python, Seed: seed, Plots: results, Scores: scores(), Passes: true}
	for _, res := range results {
		r.Passes = r.Passes && len(res.Missing) == 0
		for _, o := range res.Variants {
			r.Scores[o.Sort].add(o)
		}
	}
	for sort, s := range r.Scores {
		switch sort {
		case templates.Keeps:
			r.Passes = r.Passes && s.Alive == s.Of()
		default:
			r.Passes = r.Passes && s.Troubled == 0 && float64(s.Killed) >= MinKilled*float64(s.Of())
		}
	}
	return r
}

func scores() map[templates.VariantSort]*Score {
	return map[templates.VariantSort]*Score{templates.Breaks: {}, templates.Keeps: {}, templates.Wrong: {}}
}

// Groups adds up by family and monorepo, in the order of the results.
func (r *Report) Groups() []Group {
	var out []Group
	for _, res := range r.Plots {
		n := slices.IndexFunc(out, func(g Group) bool { return g.Family == res.Family && g.Monorepo == res.Monorepo })
		if n < 0 {
			n = len(out)
			out = append(out, Group{Family: res.Family, Monorepo: res.Monorepo, Scores: scores()})
		}
		out[n].Plots++
		for _, o := range res.Variants {
			out[n].Scores[o.Sort].add(o)
		}
	}
	return out
}

// Offenders lists the plots that declare too little, and of each plot the variants that its suites got wrong, sorted by id.
func (r *Report) Offenders() []Result {
	var out []Result
	for _, res := range r.Plots {
		bad := res
		bad.Variants = nil
		for _, o := range res.Variants {
			if !o.Right() {
				bad.Variants = append(bad.Variants, o)
			}
		}
		if len(bad.Variants)+len(bad.Missing) > 0 {
			out = append(out, bad)
		}
	}
	slices.SortStableFunc(out, func(a, b Result) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
