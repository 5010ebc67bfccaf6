package audit

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"favorbench/favor"
	"favorbench/instances"
	"favorbench/tree"

	"github.com/BurntSushi/toml"
)

// visible lists what an agent can read in any state: the workspace, both tasks, and what the edits make of files.
func visible(i *instances.Instance) tree.Files {
	out := tree.Files{}
	for p, text := range i.Overlay {
		out[p] = text
	}
	for _, e := range favor.Edits() {
		for p, text := range i.Edits[e] {
			out[fmt.Sprintf("%s (with %s)", p, e)] = text
		}
	}
	out["the requester's task"] = i.Requester.Title + "\n\n" + i.Requester.Task
	out["the owner's task"] = i.Owner.Title + "\n\n" + i.Owner.Task
	return out
}

var wordRun = regexp.MustCompile(`[A-Za-z0-9_]+`)

var identifiers = Audit{
	Name: "identifiers",
	Asks: "identifiers that hidden suites use of the project's code and that stand in nothing an agent can read",
	Bar:  "none",
	run: func(b *bench) (Finding, error) {
		f := Finding{Unit: "identifiers"}
		words := map[string]map[string]bool{} // of the monorepos
		for repo, files := range b.bases {
			words[repo] = vocabulary(files)
		}
		used := 0
		for _, i := range b.all {
			own := vocabulary(i.Overlay)
			for _, suite := range favor.Suites()[1:] {
				task := i.Requester.Task
				if suite == favor.SuiteOwner {
					task = i.Owner.Task
				}
				told := vocabulary(tree.Files{"": task})
				sources, err := b.inspect(i.Suites[suite])
				if err != nil {
					return f, err
				}
				for _, file := range i.Suites[suite].Paths() {
					for _, name := range sources[file].Names {
						used++
						if readable(name, words[i.Monorepo], own, told) || strings.Contains(task, name) {
							continue
						}
						if slices.ContainsFunc(i.Overlay.Paths(), func(p string) bool { return strings.Contains(i.Overlay[p], name) }) {
							continue
						}
						f.Offenders = append(f.Offenders, fmt.Sprintf("%s: %s of %s/%s", i.ID, name, suite, file))
					}
				}
			}
		}
		f.Measured, f.Passes = float64(len(f.Offenders)), len(f.Offenders) == 0
		f.Detail = []string{fmt.Sprintf("%d uses looked up", used)}
		return f, nil
	},
}

// readable reports whether every word of a name stands in one of the vocabularies, the name as a whole where it is one word.
func readable(name string, vocabularies ...map[string]bool) bool {
	for _, part := range wordRun.FindAllString(name, -1) {
		if !slices.ContainsFunc(vocabularies, func(v map[string]bool) bool { return v[part] }) {
			return false
		}
	}
	return true
}

func vocabulary(files tree.Files) map[string]bool {
	out := map[string]bool{}
	for p, text := range files {
		for _, w := range wordRun.FindAllString(p, -1) {
			out[w] = true
		}
		for _, w := range wordRun.FindAllString(text, -1) {
			out[w] = true
		}
	}
	return out
}

//go:embed words.toml
var wordList string

// giveaway is a word that could tell an agent what it is in, with the contexts in which it is an ordinary word.
type giveaway struct {
	Word  string   `toml:"word"`
	Why   string   `toml:"why"`
	Allow []string `toml:"allow"` // expressions that match the word with its neighbours
}

// giveaways lists the words, ready to be looked for.
type lookout struct {
	giveaway
	find  *regexp.Regexp
	allow []*regexp.Regexp
}

func lookouts() ([]lookout, error) {
	var list struct {
		Word []giveaway `toml:"word"`
	}
	meta, err := toml.Decode(wordList, &list)
	if err != nil {
		return nil, fmt.Errorf("words.toml: %w", err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("words.toml: unknown key %s", unknown[0])
	}
	var out []lookout
	for _, g := range list.Word {
		l := lookout{giveaway: g}
		if l.find, err = regexp.Compile(`(?i)(?:^|[^a-z])(?:` + g.Word + `)(?:$|[^a-z])`); err != nil {
			return nil, fmt.Errorf("words.toml: word %q: %w", g.Word, err)
		}
		for _, text := range g.Allow {
			allowed, err := regexp.Compile(`(?i)` + text)
			if err != nil {
				return nil, fmt.Errorf("words.toml: word %q, allowed context %q: %w", g.Word, text, err)
			}
			l.allow = append(l.allow, allowed)
		}
		out = append(out, l)
	}
	return out, nil
}

var giveaways = Audit{
	Name: "words",
	Asks: "lines that an agent can read with a word that could give the game away, outside of the contexts that words.toml allows",
	Bar:  "none",
	run: func(b *bench) (Finding, error) {
		list, err := lookouts()
		if err != nil {
			return Finding{}, err
		}
		f := Finding{Unit: "lines"}
		allowed := map[string]int{}
		seen := map[string]bool{}
		look := func(where, text string) {
			for n, line := range strings.Split(text, "\n") {
				for _, l := range list {
					if !l.find.MatchString(line) {
						continue
					}
					if slices.ContainsFunc(l.allow, func(r *regexp.Regexp) bool { return r.MatchString(line) }) {
						allowed[l.Word]++
						continue
					}
					if key := l.Word + "\x00" + line; !seen[key] { // the same line in twin and edits is one finding
						seen[key] = true
						f.Offenders = append(f.Offenders, fmt.Sprintf("%s:%d: %s: %s", where, n+1, l.Word, strings.TrimSpace(line)))
					}
				}
			}
		}
		for repo, files := range b.bases {
			for _, p := range files.Paths() {
				look(repo+" "+p, files[p])
			}
		}
		for _, i := range b.all {
			texts := visible(i)
			for _, p := range texts.Paths() {
				look(i.ID+" "+p, strings.Join(added(b.bases[i.Monorepo][strings.Split(p, " (with")[0]], texts[p]), "\n"))
			}
		}
		slices.Sort(f.Offenders)
		f.Measured, f.Passes = float64(len(f.Offenders)), len(f.Offenders) == 0
		for _, l := range list {
			f.Detail = append(f.Detail, fmt.Sprintf("%s (%s): %d in allowed contexts", l.Word, l.Why, allowed[l.Word]))
		}
		return f, nil
	},
}
