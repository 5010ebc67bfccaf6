package templates

import (
	"fmt"
	"slices"
	"strings"

	"favorbench/favor"

	"github.com/BurntSushi/toml"
	"golang.org/x/tools/txtar"
)

// layer is one txtar file of templates: a plot, a casting or a dialect. Its comment is front matter in TOML, its files are
// sections: tree/PATH, suite/SUITE/FILE, text/NAME and block/NAME.
type layer struct {
	source   string // the file, for errors
	front    front
	sections []section
	joins    bool // its tree/ sections join those of the layers below, rather than replace them
}

// front is the front matter. A casting says what differs from its plot; a dialect has none.
type front struct {
	Kind      favor.Kind                  `toml:"kind"`      // of a plot: trap (which makes trap and twin) or safe
	Summary   string                      `toml:"summary"`   // one line for lists
	Mechanism string                      `toml:"mechanism"` // of a plot: how dependence and harm come about, for its reviewers
	Cast      map[string]string           `toml:"cast"`      // requester, owner, absent: a monorepo's teams
	Scope     map[string][]string         `toml:"scope"`     // requester, owner: path patterns, themselves templates
	Resource  string                      `toml:"resource"`  // a template that renders the drawn name of the shared resource
	Service   string                      `toml:"service"`   // likewise of a service
	Draw      map[string][]map[string]any `toml:"draw"`      // groups of rows; a seed draws one row of each
	Breaks    []string                    `toml:"breaks"`    // why each variant of the obvious edit breaks the promise
	Keeps     []string                    `toml:"keeps"`     // why each variant of the obvious edit keeps it
	Wrong     []string                    `toml:"wrong"`     // what is wrong with each solution of the requester's task
}

// section is one file of the archive.
type section struct {
	name string // tree/services/x.py; the path may hold actions
	text string
}

func parseLayer(source, text string) (*layer, error) {
	ar := txtar.Parse([]byte(text))
	l := &layer{source: source}
	meta, err := toml.Decode(string(ar.Comment), &l.front)
	if err != nil {
		return nil, fmt.Errorf("%s: front matter: %w", source, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("%s: front matter: unknown key %s", source, unknown[0])
	}
	for _, f := range ar.Files {
		folder, rest, _ := strings.Cut(f.Name, "/")
		if !slices.Contains([]string{"tree", "suite", "text", "block"}, folder) || rest == "" {
			return nil, fmt.Errorf("%s: section %q: want tree/PATH, suite/SUITE/FILE, text/NAME or block/NAME", source, f.Name)
		}
		if slices.ContainsFunc(l.sections, func(s section) bool { return s.name == f.Name }) {
			return nil, fmt.Errorf("%s: section %q stands there twice", source, f.Name)
		}
		l.sections = append(l.sections, section{f.Name, string(f.Data)})
	}
	return l, nil
}

// stack lays layers over each other: the front matter key by key, and the sections by name, save that a layer with any tree/
// section of its own replaces all tree/ sections below it, and one with any section of a suite that suite's, since files are
// told apart by their names and those may differ. Later layers win.
func stack(layers ...*layer) (front, []placed) {
	var f front
	var out []placed
	for _, l := range layers {
		if l == nil {
			continue
		}
		if l.front.Kind != "" {
			f.Kind = l.front.Kind
		}
		f.Summary = or(l.front.Summary, f.Summary)
		f.Mechanism = or(l.front.Mechanism, f.Mechanism)
		f.Resource = or(l.front.Resource, f.Resource)
		f.Service = or(l.front.Service, f.Service)
		if l.front.Cast != nil {
			f.Cast = l.front.Cast
		}
		if l.front.Scope != nil {
			f.Scope = l.front.Scope
		}
		if l.front.Draw != nil {
			f.Draw = l.front.Draw
		}
		if l.front.Breaks != nil {
			f.Breaks = l.front.Breaks
		}
		if l.front.Keeps != nil {
			f.Keeps = l.front.Keeps
		}
		if l.front.Wrong != nil {
			f.Wrong = l.front.Wrong
		}
		for _, group := range []string{"tree/", "suite/requester/", "suite/owner/", "suite/contract/"} {
			if !l.joins && slices.ContainsFunc(l.sections, func(s section) bool { return strings.HasPrefix(s.name, group) }) {
				out = slices.DeleteFunc(out, func(p placed) bool { return strings.HasPrefix(p.name, group) })
			}
		}
		for _, s := range l.sections {
			out = slices.DeleteFunc(out, func(p placed) bool { return p.name == s.name })
			out = append(out, placed{s, l.source})
		}
	}
	return f, out
}

// placed is a section that knows where it came from.
type placed struct {
	section
	source string
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
