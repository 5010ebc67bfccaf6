package audit

import (
	"fmt"
	"hash/maphash"
	"maps"
	"path"
	"slices"
	"strings"

	"favorbench/favor"
	"favorbench/instances"
	"favorbench/suites"
)

// The bars of likeness: the share of runs that two pieces have in common, of all runs that either has.
const (
	MaxTextLikeness = 0.06 // of runs of three words
	MaxCodeLikeness = 0.35 // of runs of eight nodes of the syntax tree

	MaxSuiteLikeness = 0.45 // likewise; tests have fewer ways to be written

	wordsARun = 3
	nodesARun = 8
	leastRuns = 40 // of code that is long enough to be compared
)

// duplicates are the audits of near-duplicates. Suites are apart: castings of a plot share them by design, plots do not.
var duplicates = []Audit{
	textLikeness("tickets", "pairs of tickets of different castings that read alike", func(b *bench, i *instances.Instance) string {
		return i.Requester.Title + "\n" + i.Requester.Task
	}),
	textLikeness("owner-tasks", "pairs of owner tasks of different castings that read alike", func(b *bench, i *instances.Instance) string {
		return i.Owner.Title + "\n" + i.Owner.Task
	}),
	textLikeness("docs", "pairs of castings whose additions to the docs read alike", func(b *bench, i *instances.Instance) string {
		var out []string
		for _, p := range i.Overlay.Paths() {
			if path.Ext(p) == ".md" {
				out = append(out, added(b.bases[i.Monorepo][p], i.Overlay[p])...)
			}
		}
		return strings.Join(out, "\n")
	}),
	{
		Name: "service-code",
		Asks: "pairs of files of different castings whose code has the same syntax tree but for names and values; what the monorepo has is left out",
		Bar:  fmt.Sprintf("likeness at most %.2f", MaxCodeLikeness),
		run: func(b *bench) (Finding, error) {
			var all []piece
			for _, i := range b.all {
				pieces, err := b.services(i)
				if err != nil {
					return Finding{}, err
				}
				all = append(all, pieces...)
			}
			return alike(all, MaxCodeLikeness), nil
		},
	},
	{
		Name: "suites",
		Asks: "pairs of hidden suites of different plots whose code has the same syntax tree but for names and values",
		Bar:  fmt.Sprintf("likeness at most %.2f", MaxSuiteLikeness),
		run: func(b *bench) (Finding, error) {
			var all []piece
			for _, i := range b.castings {
				for _, suite := range favor.Suites()[1:] {
					sources, err := b.inspect(i.Suites[suite])
					if err != nil {
						return Finding{}, err
					}
					for _, file := range i.Suites[suite].Paths() {
						if runs := codeRuns(sources[file].Units...); len(runs) >= leastRuns {
							all = append(all, piece{name: fmt.Sprintf("%s %s/%s", place(i), suite, file), group: i.Family + "/" + i.Plot, runs: runs})
						}
					}
				}
			}
			return alike(all, MaxSuiteLikeness), nil
		},
	},
	{
		Name: "monorepos",
		Asks: "pairs of files of different monorepos whose code has the same syntax tree but for names and values",
		Bar:  fmt.Sprintf("likeness at most %.2f", MaxCodeLikeness),
		run: func(b *bench) (Finding, error) {
			var all []piece
			for _, repo := range slices.Sorted(maps.Keys(b.bases)) {
				sources, err := b.inspect(b.bases[repo])
				if err != nil {
					return Finding{}, err
				}
				for _, p := range slices.Sorted(maps.Keys(sources)) {
					if runs := codeRuns(sources[p].Units...); len(runs) >= leastRuns && !isTest(p) {
						all = append(all, piece{name: repo + " " + p, group: repo, runs: runs})
					}
				}
			}
			return alike(all, MaxCodeLikeness), nil
		},
	},
}

// piece is a text or some code as the set of its runs. Pieces of one group are not compared.
type piece struct {
	name, group string
	runs        map[uint64]bool
}

var seed = maphash.MakeSeed()

func addRuns(into map[uint64]bool, tokens []string, length int) {
	for n := 0; n+length <= len(tokens); n++ {
		into[maphash.String(seed, strings.Join(tokens[n:n+length], "\x00"))] = true
	}
}

func textRuns(text string) map[uint64]bool {
	runs := map[uint64]bool{}
	addRuns(runs, letters.FindAllString(strings.ToLower(text), -1), wordsARun)
	return runs
}

// codeRuns takes the runs within each function, so that their order in the file does not matter.
func codeRuns(units ...suites.Unit) map[uint64]bool {
	runs := map[uint64]bool{}
	for _, u := range units {
		addRuns(runs, u.Shape, nodesARun)
	}
	return runs
}

func textLikeness(name, asks string, text func(*bench, *instances.Instance) string) Audit {
	return Audit{
		Name: name, Asks: asks, Bar: fmt.Sprintf("likeness at most %.2f", MaxTextLikeness),
		run: func(b *bench) (Finding, error) {
			var all []piece
			for _, i := range b.castings {
				if runs := textRuns(text(b, i)); len(runs) > 0 {
					all = append(all, piece{name: place(i), group: place(i), runs: runs})
				}
			}
			return alike(all, MaxTextLikeness), nil
		},
	}
}

// services takes the code that an instance brings, tests and hidden suites aside: new files and functions of the base tree and of the
// requester's and the owner's edits. Of a twin, only what differs from its trap.
func (b *bench) services(i *instances.Instance) ([]piece, error) {
	base := b.bases[i.Monorepo]
	files := i.Overlay.Overlay(i.Edits[favor.EditRequester], i.Edits[favor.EditOwner])
	if i.Kind == favor.Twin {
		files = absentFiles(i)
	}
	files = files.Filter(func(p string) bool { return strings.HasSuffix(p, ".py") && !isTest(p) })
	now, err := b.inspect(files)
	if err != nil {
		return nil, err
	}
	was, err := b.inspect(base.Filter(func(p string) bool { _, changed := files[p]; return changed }))
	if err != nil {
		return nil, err
	}
	var out []piece
	for _, p := range files.Paths() {
		runs := map[uint64]bool{}
		for _, u := range now[p].Units {
			if u.Name == "" {
				continue
			}
			own := codeRuns(u)
			for _, old := range was[p].Units { // of a function that is changed, only what is new
				if old.Name == u.Name {
					for run := range codeRuns(old) {
						delete(own, run)
					}
				}
			}
			maps.Copy(runs, own)
		}
		if len(runs) >= leastRuns {
			out = append(out, piece{name: i.ID + " " + p, group: place(i), runs: runs})
		}
	}
	return out, nil
}

// alike compares every two pieces of different groups.
func alike(all []piece, limit float64) Finding {
	type pair struct {
		a, b string
		like float64
	}
	f := Finding{Unit: "greatest likeness"}
	var over []pair
	highest := pair{}
	for n, a := range all {
		for _, b := range all[n+1:] {
			if a.group == b.group {
				continue
			}
			p := pair{a.name, b.name, jaccard(a.runs, b.runs)}
			if p.like > highest.like {
				highest = p
			}
			if p.like > limit {
				over = append(over, p)
			}
		}
	}
	text := func(p pair) string { return fmt.Sprintf("%.2f  %s  and  %s", p.like, p.a, p.b) }
	f.Measured, f.Passes = highest.like, len(over) == 0
	f.Offenders = worst(over, func(p pair) float64 { return p.like }, text)
	f.Detail = []string{fmt.Sprintf("%d pieces compared", len(all))}
	if highest.like > 0 {
		f.Detail = append(f.Detail, "most alike: "+text(highest))
	}
	return f
}

func jaccard(a, b map[uint64]bool) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if float64(len(a)) < 0.05*float64(len(b)) || len(a) == 0 {
		return 0 // they cannot be alike
	}
	both := 0
	for run := range a {
		if b[run] {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
