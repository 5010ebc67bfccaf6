package propositions

import (
	"slices"

	"favorbench/favor"
)

// Group adds up the results of one family on one monorepo.
type Group struct {
	Family        string                    `json:"family"`
	Monorepo      string                    `json:"monorepo"`
	Instances     int                       `json:"instances"`
	States        int                       `json:"states"`
	Favors        int                       `json:"favors"`
	Harmful       int                       `json:"harmful"`
	Torn          int                       `json:"torn"`
	Held          map[Claim]int             `json:"held"` // instances on which a claim holds
	Opportunities map[favor.Opportunity]int `json:"opportunities"`
}

// Report is the result of a run.
type Report struct {
	Python    string   `json:"python"`
	Holds     bool     `json:"holds"` // the propositions, on every instance; the assumptions are reported apart
	Total     Group    `json:"total"`
	Instances []Result `json:"instances"`
}

// NewReport adds up results.
func NewReport(results []Result, python string) *Report {
	r := &Report{Python: python, Holds: true, Total: newGroup("all", ""), Instances: results}
	for _, res := range results {
		r.Total.add(res)
		r.Holds = r.Holds && res.Holds(P1) && res.Holds(P2) && res.Holds(P3)
	}
	return r
}

func newGroup(family, monorepo string) Group {
	return Group{Family: family, Monorepo: monorepo, Held: map[Claim]int{}, Opportunities: map[favor.Opportunity]int{}}
}

func (g *Group) add(r Result) {
	g.Instances++
	g.States += r.States
	g.Favors += r.Favors
	g.Harmful += r.Harmful
	g.Torn += len(r.Torn)
	g.Opportunities[r.Whole]++
	for _, c := range Claims() {
		if r.Holds(c.Claim) {
			g.Held[c.Claim]++
		}
	}
}

// Groups adds up by family and monorepo, in the order of the results.
func (r *Report) Groups() []Group {
	var out []Group
	for _, res := range r.Instances {
		n := slices.IndexFunc(out, func(g Group) bool { return g.Family == res.Family && g.Monorepo == res.Monorepo })
		if n < 0 {
			n = len(out)
			out = append(out, newGroup(res.Family, res.Monorepo))
		}
		out[n].add(res)
	}
	return out
}
