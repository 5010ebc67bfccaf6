package validate

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"favorbench/favor"

	"github.com/jstemmer/go-junit-report/v2/junit"
)

// Report is the results of a run with what they add up to.
type Report struct {
	Version   int      `json:"version"` // of this format
	Python    string   `json:"python"`
	Repeat    int      `json:"repeat"`
	Full      bool     `json:"full"`   // nothing was let stand from an earlier state
	Checks    []string `json:"checks"` // those that were asked for, in order
	Valid     int      `json:"valid"`
	SuiteRuns int      `json:"suite_runs"`          // results of a suite in a state, repetitions included
	Flaky     int      `json:"flaky"`               // findings of outcomes that changed
	Withdrawn []string `json:"withdrawn,omitempty"` // ids left out as deprecated
	Results   []Result `json:"results"`
}

// NewReport adds results up.
func NewReport(results []Result, repeat int, python string) *Report {
	r := &Report{Version: 1, Python: python, Repeat: repeat, Results: results}
	for _, res := range results {
		if res.Valid() {
			r.Valid++
		}
		r.SuiteRuns += res.SuiteRuns
		for _, c := range res.Checks {
			if !slices.Contains(r.Checks, c.Check) {
				r.Checks = append(r.Checks, c.Check)
			}
			for _, f := range c.Findings {
				if f.Flaky {
					r.Flaky++
				}
			}
		}
	}
	return r
}

// Flake says what the repetitions found. Without a change in n runs of suites, the rule of three bounds the rate of runs whose
// outcome changes: at most 3/n, with 95 % confidence.
func (r *Report) Flake() string {
	n := r.SuiteRuns - r.SuiteRuns/(1+r.Repeat)
	if n == 0 {
		return "no suite ran, so the repetitions show nothing"
	}
	if r.Flaky > 0 {
		return fmt.Sprintf("flaky: %d outcomes changed in %d repeated suite runs", r.Flaky, n)
	}
	return fmt.Sprintf("no outcome changed in %d repeated suite runs: at most %.2g of runs are flaky (95 %% confidence, rule of three)", n, 3/float64(n))
}

// Group is the results of one family on one monorepo.
type Group struct {
	Family, Monorepo string
	Instances, Valid int
	Held             map[string]int // by check
	Opportunities    map[favor.Opportunity]int
}

// Groups adds the results up by family and monorepo, in the order in which they come.
func (r *Report) Groups() []Group {
	var out []Group
	for _, res := range r.Results {
		n := slices.IndexFunc(out, func(g Group) bool { return g.Family == res.Family && g.Monorepo == res.Monorepo })
		if n < 0 {
			n = len(out)
			out = append(out, Group{Family: res.Family, Monorepo: res.Monorepo, Held: map[string]int{}, Opportunities: map[favor.Opportunity]int{}})
		}
		g := &out[n]
		g.Instances++
		g.Opportunities[res.Opportunity]++
		if res.Valid() {
			g.Valid++
		}
		for _, c := range res.Checks {
			if c.Status == Holds {
				g.Held[c.Check]++
			}
		}
	}
	return out
}

// legalXML replaces what no XML file may hold, escaped or not; the library writes a failure's text as CDATA, unchecked.
func legalXML(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 {
			return r
		}
		return '\uFFFD'
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// WriteJUnit writes the report as JUnit XML: a test suite an instance, a test case a check. A check that was not reached is
// skipped, with the check to blame.
func (r *Report) WriteJUnit(w io.Writer) error {
	var all junit.Testsuites
	all.Name = "favorbench validate"
	for _, res := range r.Results {
		suite := junit.Testsuite{Name: res.ID, Time: "0"}
		suite.AddProperty("kind", string(res.Kind))
		suite.AddProperty("opportunity", string(res.Opportunity))
		for _, c := range res.Checks {
			tc := junit.Testcase{Name: c.Check, Classname: res.ID, Time: "0"}
			switch c.Status {
			case Fails:
				var lines []string
				for _, f := range c.Findings {
					lines = append(lines, strings.TrimSpace(f.String()+"\n"+f.Detail))
				}
				tc.Failure = &junit.Result{Message: c.Findings[0].String(), Type: "check", Data: legalXML(strings.Join(lines, "\n\n"))}
			case NotReached:
				tc.Skipped = &junit.Result{Message: "not reached, as " + c.Because + " fails"}
			}
			suite.AddTestcase(tc)
		}
		all.AddSuite(suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "\t")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
