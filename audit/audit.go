// Package audit looks at a set as a whole. The ten checks prove each instance by itself; an audit asks what only the set can answer: is
// every cell filled, can the kind be guessed, are plots copies of each other, does anything an agent reads give the game away, are
// roles and sizes spread as they should be. Each audit is a number, a bar that it is held to, and the offenders by name.
package audit

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"favorbench/favor"
	"favorbench/instances"
	"favorbench/suites"
	"favorbench/tree"
)

// Audit is one question to a set.
type Audit struct {
	Name string
	Asks string // what it asks
	Bar  string // what it is held to
	run  func(*bench) (Finding, error)
}

// Finding is the answer.
type Finding struct {
	Audit     string   `json:"audit"`
	Asks      string   `json:"asks"`
	Measured  float64  `json:"measured"`
	Unit      string   `json:"unit"` // of the measured number
	Bar       string   `json:"bar"`
	Passes    bool     `json:"passes"`
	Offenders []string `json:"offenders"` // what is beyond the bar, the worst first
	Detail    []string `json:"detail"`    // what a reviewer wants to see besides, a line each
}

// Audits lists the audits in the order of reports.
func Audits() []Audit {
	return slices.Concat([]Audit{counts, prompts, guess}, duplicates, []Audit{identifiers, giveaways}, sizes, []Audit{balance, roles, pairs})
}

// Reader reads sources without running them; *suites.Engine is one.
type Reader interface {
	Inspect(ctx context.Context, files map[string]string) ([]suites.Source, error)
}

// Run answers the named audits, or all, in their order.
func Run(ctx context.Context, set []*instances.Instance, bases instances.Bases, reader Reader, names []string, done func(string)) ([]Finding, error) {
	b := &bench{ctx: ctx, all: set, reader: reader, bases: map[string]tree.Files{}, sources: map[[2]string]suites.Source{}}
	for _, i := range set {
		if b.bases[i.Monorepo] == nil {
			base, err := bases(i.Monorepo)
			if err != nil {
				return nil, err
			}
			b.bases[i.Monorepo] = base.Files
		}
	}
	for _, i := range set {
		if i.Kind != favor.Twin {
			b.castings = append(b.castings, i)
		}
	}
	var out []Finding
	for _, a := range Audits() {
		if len(names) > 0 && !slices.Contains(names, a.Name) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := a.run(b)
		if err != nil {
			return nil, fmt.Errorf("audit %s: %w", a.Name, err)
		}
		f.Audit, f.Asks, f.Bar = a.Name, a.Asks, a.Bar
		f.Offenders, f.Detail = append([]string{}, f.Offenders...), append([]string{}, f.Detail...)
		out = append(out, f)
		if done != nil {
			done(a.Name)
		}
	}
	return out, nil
}

// bench is a set with what has been read of it.
type bench struct {
	ctx      context.Context
	all      []*instances.Instance
	castings []*instances.Instance // a trap or a safe instance for each plot in each monorepo
	bases    map[string]tree.Files // by monorepo
	reader   Reader
	sources  map[[2]string]suites.Source // by path and content
}

// inspect reads Python files, each once.
func (b *bench) inspect(files tree.Files) (map[string]suites.Source, error) {
	ask := map[string]string{}
	for p, content := range files {
		if _, known := b.sources[[2]string{p, content}]; !known && strings.HasSuffix(p, ".py") {
			ask[p] = content
		}
	}
	if len(ask) > 0 {
		answers, err := b.reader.Inspect(b.ctx, ask)
		if err != nil {
			return nil, err
		}
		for _, a := range answers {
			b.sources[[2]string{a.Path, ask[a.Path]}] = a
		}
	}
	out := map[string]suites.Source{}
	for p, content := range files {
		if s, known := b.sources[[2]string{p, content}]; known {
			out[p] = s
		}
	}
	return out, nil
}

// absentFiles returns what an instance adds to or changes in the absent team's files.
func absentFiles(i *instances.Instance) tree.Files {
	return i.Overlay.Filter(func(p string) bool { return i.Owners.Owned(p, i.Absent) })
}

// added lists the lines with text that a file has and its base has not, the base's own lines taken out as often as they stand there.
func added(base, now string) []string {
	had := map[string]int{}
	for line := range strings.SplitSeq(base, "\n") {
		had[line]++
	}
	var out []string
	for line := range strings.SplitSeq(now, "\n") {
		if had[line] > 0 {
			had[line]--
		} else if strings.TrimSpace(line) != "" {
			out = append(out, line)
		}
	}
	return out
}

// place names a casting in reports: family/monorepo-plot.
func place(i *instances.Instance) string {
	return strings.TrimSuffix(i.ID, "-"+string(i.Kind))
}

func isTest(p string) bool { return strings.HasPrefix(path.Base(p), "test_") }

// worst sorts offenders by their number, the largest first, and writes them.
func worst[T any](all []T, number func(T) float64, text func(T) string) []string {
	slices.SortStableFunc(all, func(a, b T) int { return cmp.Compare(number(b), number(a)) })
	var out []string
	for _, o := range all {
		out = append(out, text(o))
	}
	return out
}
