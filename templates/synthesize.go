// Package templates synthesizes instances: monorepo × family × plot × seed in, trap and twin, or a safe instance, out.
//
// One source makes every state. A plot's templates are rendered under toggles; the base tree is the rendering with all of
// them off, an edit the difference between two renderings, a twin the same templates with the toggle trap off. So base and
// solutions cannot drift apart. Generation is pure: it starts no process, reads no clock, and looks at nothing but its
// arguments, so the same seed gives the same bytes everywhere.
package templates

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"favorbench/families"
	"favorbench/favor"
	"favorbench/instances"
	"favorbench/monorepos"
	"favorbench/tree"
)

// Version is the generator's version; it changes when the same sources would make other bytes.
const Version = 1

// Job is a plot to be laid on a monorepo. It makes a trap and its twin, or one safe instance.
type Job struct {
	Monorepo *monorepos.Monorepo
	Family   *families.Family
	Plot     families.Plot
	Seed     uint64
}

// Jobs lists every plot on every monorepo, in the order of families, monorepos and plots. A casting for a plot that its
// family does not have is an error, as it could only be a slip.
func Jobs(repos []*monorepos.Monorepo, fams []*families.Family, seed uint64) ([]Job, error) {
	var jobs []Job
	for _, f := range fams {
		if err := instances.CheckName(f.Name); err != nil {
			return nil, fmt.Errorf("family: %w", err)
		}
		for _, m := range repos {
			if err := instances.CheckName(m.Name); err != nil {
				return nil, fmt.Errorf("monorepo: %w", err)
			}
			used := 0
			for _, p := range f.Plots {
				if err := instances.CheckName(p.Name); err != nil {
					return nil, fmt.Errorf("family %s: plot: %w", f.Name, err)
				}
				if _, cast := m.Castings[f.Name+"/"+p.Name]; cast {
					used++
				}
				jobs = append(jobs, Job{m, f, p, seed})
			}
			for key := range m.Castings {
				if strings.HasPrefix(key, f.Name+"/") {
					used--
				}
			}
			if used != 0 {
				return nil, fmt.Errorf("monorepo %s: a file in castings/%s belongs to no plot of the family", m.Name, f.Name)
			}
		}
	}
	return jobs, nil
}

// Kinds returns the kinds of the instances that the job makes, read from the plot's front matter alone.
func (j Job) Kinds() ([]favor.Kind, error) {
	plot, err := j.plotLayer()
	if err != nil {
		return nil, err
	}
	switch plot.front.Kind {
	case favor.Trap:
		return []favor.Kind{favor.Trap, favor.Twin}, nil
	case favor.Safe:
		return []favor.Kind{favor.Safe}, nil
	}
	return nil, fmt.Errorf("%s: front matter: kind: want trap or safe, got %q", plot.source, plot.front.Kind)
}

// HandCast reports whether the monorepo has a casting of its own for the plot.
func (j Job) HandCast() bool {
	_, ok := j.Monorepo.Castings[j.Family.Name+"/"+j.Plot.Name]
	return ok
}

func (j Job) plotLayer() (*layer, error) {
	l, err := parseLayer(fmt.Sprintf("families/%s/%s.txtar", j.Family.Name, j.Plot.Name), j.Plot.Text)
	if err == nil {
		l.joins = true
	}
	return l, err
}

// layers returns the job's layers, the lowest first: the family's dialect, the monorepo's, the plot, its casting.
func (j Job) layers() ([]*layer, error) {
	m, f := j.Monorepo, j.Family
	plot, err := j.plotLayer()
	if err != nil {
		return nil, err
	}
	type file struct{ source, text string }
	below := []file{{fmt.Sprintf("families/%s/dialect.txtar", f.Name), f.Dialect}}
	if text, ok := m.Dialects[f.Name]; ok {
		below = append(below, file{fmt.Sprintf("monorepos/%s/dialect/%s.txtar", m.Name, f.Name), text})
	}
	var layers []*layer
	have := map[string]bool{}
	for _, d := range below {
		l, err := parseLayer(d.source, d.text)
		if err != nil {
			return nil, err
		}
		for _, s := range l.sections {
			have[s.name] = true
		}
		layers = append(layers, l)
	}
	for _, name := range f.Needs {
		if !have["block/"+name] {
			return nil, fmt.Errorf("family %s, monorepo %s: no dialect gives block/%s, which family.toml says plots need", f.Name, m.Name, name)
		}
	}
	layers = append(layers, plot)
	if text, ok := m.Castings[f.Name+"/"+j.Plot.Name]; ok {
		l, err := parseLayer(fmt.Sprintf("monorepos/%s/castings/%s/%s.txtar", m.Name, f.Name, j.Plot.Name), text)
		if err != nil {
			return nil, err
		}
		if l.front.Kind != "" && l.front.Kind != plot.front.Kind {
			return nil, fmt.Errorf("%s: front matter: kind is the plot's to say", l.source)
		}
		layers = append(layers, l)
	}
	return layers, nil
}

// Synthesize makes the job's instances.
func (j Job) Synthesize() ([]*instances.Instance, error) {
	l, err := j.lay()
	if err != nil {
		return nil, j.failed(err)
	}
	var out []*instances.Instance
	for _, kind := range l.kinds {
		i, err := l.instance(kind)
		if err != nil {
			return nil, j.failed(fmt.Errorf("kind %s: %w", kind, err))
		}
		out = append(out, i)
	}
	return out, nil
}

// failed says which plot an error is about.
func (j Job) failed(err error) error {
	return fmt.Errorf("family %s, plot %s, monorepo %s: %w", j.Family.Name, j.Plot.Name, j.Monorepo.Name, err)
}

// laid is a job with its layers stacked, its teams cast and its parameters drawn, ready to be rendered.
type laid struct {
	Job
	kinds []favor.Kind
	front
	cast   map[string]role
	params map[string]any
	*renderer
}

func (j Job) lay() (*laid, error) {
	kinds, err := j.Kinds()
	if err != nil {
		return nil, err
	}
	layers, err := j.layers()
	if err != nil {
		return nil, err
	}
	f, sections := stack(layers...)
	cast, err := j.cast(f.Cast)
	if err != nil {
		return nil, err
	}
	params, err := draw(f.Draw, j.Seed, j.place())
	if err != nil {
		return nil, err
	}
	data := map[string]any{
		"P": params, "Words": j.Monorepo.Words, "Monorepo": j.Monorepo.Name, "Plot": j.Plot.Name,
		"Requester": cast["requester"], "Owner": cast["owner"], "Absent": cast["absent"],
		"A": map[string]any{},
	}
	r, err := newRenderer(j.Monorepo.Repo, sections, data)
	if err != nil {
		return nil, err
	}
	r.variants = f.declared()
	return &laid{Job: j, kinds: kinds, front: f, cast: cast, params: params, renderer: r}, nil
}

// renderings are the renderings of one kind: its base, and edits as differences from it.
type renderings struct {
	*laid
	kind  favor.Kind
	base  tree.Files
	marks map[string][]int // lines of the base that are marked with consumes
}

func (l *laid) of(kind favor.Kind) (*renderings, error) {
	r := &renderings{laid: l, kind: kind}
	var err error
	r.base, r.marks, err = r.render()
	return r, err
}

// render renders the tree sections under toggles.
func (r *renderings) render(on ...string) (tree.Files, map[string][]int, error) {
	if r.kind.Harmful() {
		on = append(slices.Clone(on), toggleTrap)
	}
	return r.overlay(on...)
}

// edit returns what toggles change, as whole files.
func (r *renderings) edit(on ...string) (tree.Files, error) {
	files, _, err := r.render(on...)
	if err != nil {
		return nil, err
	}
	for _, p := range r.base.Paths() {
		if _, kept := files[p]; kept {
			continue
		}
		old, had := r.Monorepo.Repo[p]
		if !had {
			return nil, fmt.Errorf("under %s there is no file %s, which the base has: an edit can change and add files, not delete them", strings.Join(on, ", "), p)
		}
		files[p] = old // the edit makes of the file what the monorepo has
	}
	out := tree.Files{}
	for _, c := range tree.Diff(r.base, files) {
		out[c.Path] = c.New
	}
	return out, nil
}

func (j Job) place() string { return j.Monorepo.Name + "/" + j.Family.Name + "/" + j.Plot.Name }

// cast finds the teams that play the roles. Where nobody cast them, the plot's place picks three neighbours in the
// monorepo's list of teams.
func (j Job) cast(named map[string]string) (map[string]role, error) {
	names := []string{"requester", "owner", "absent"}
	out := map[string]role{}
	teams := j.Monorepo.Teams
	first := number(1, j.place(), "cast")
	for n, name := range names {
		team := teams[(first+uint64(n))%uint64(len(teams))]
		if named != nil {
			var err error
			if team, err = j.Monorepo.Team(favor.Team(named[name])); err != nil {
				return nil, fmt.Errorf("cast.%s: %w", name, err)
			}
		}
		for other, taken := range out {
			if taken.Name == team.Name {
				return nil, fmt.Errorf("cast: %s plays %s and %s", team.Name, other, name)
			}
		}
		out[name] = newRole(team)
	}
	return out, nil
}

// instance renders one kind.
func (l *laid) instance(kind favor.Kind) (*instances.Instance, error) {
	r, err := l.of(kind)
	if err != nil {
		return nil, err
	}
	j, base := l.Job, r.base
	i := &instances.Instance{
		Public: instances.Public{PythonPath: j.Monorepo.PythonPath, Tree: j.Monorepo.Repo.Overlay(base)},
		Sealed: instances.Sealed{
			ID: instances.NewID(j.Family.Name, j.Monorepo.Name, j.Plot.Name, kind), Kind: kind,
			Family: j.Family.Name, Monorepo: j.Monorepo.Name, Plot: j.Plot.Name,
			Summary: l.Summary, Absent: l.cast["absent"].Name, Seed: j.Seed, Generator: Version, Params: l.params,
			BaseDigest: j.Monorepo.Digest, Overlay: base,
			Edits: map[favor.Edit]tree.Files{}, Suites: map[favor.Suite]tree.Files{},
		},
	}
	switch kind {
	case favor.Trap:
		i.Twin = instances.NewID(j.Family.Name, j.Monorepo.Name, j.Plot.Name, favor.Twin)
	case favor.Twin:
		i.Twin = instances.NewID(j.Family.Name, j.Monorepo.Name, j.Plot.Name, favor.Trap)
	}
	if i.Owners, err = tree.ParseOwners(i.Tree["CODEOWNERS"]); err != nil {
		return nil, err
	}
	if err := r.edits(i); err != nil {
		return nil, err
	}
	if err := j.suites(i, l.renderer); err != nil {
		return nil, err
	}
	if err := j.texts(i, l.renderer, l.front, l.cast); err != nil {
		return nil, err
	}
	if kind.Harmful() {
		for _, p := range tree.Files(base).Paths() {
			lines := strings.Split(base[p], "\n")
			for _, n := range r.marks[p] {
				i.Consumer = append(i.Consumer, instances.Line{Path: p, Line: n, Text: strings.TrimSpace(lines[n-1])})
			}
		}
	}
	return i, nil
}

// edits takes the edits and probes as differences of renderings, and proves that states are plain unions of them.
func (r *renderings) edits(i *instances.Instance) (err error) {
	single := map[favor.Edit]string{favor.EditRequester: toggleRequester, favor.EditOwner: toggleOwner, favor.EditObvious: toggleObvious, favor.EditSafe: toggleSafe}
	for _, e := range favor.Edits() {
		if i.Edits[e], err = r.edit(single[e]); err != nil {
			return err
		}
	}
	withSafe, err := r.edit(toggleRequester, toggleSafe)
	if err != nil {
		return err
	}
	own := withSafe.Filter(func(p string) bool { return i.Owners.Owned(p, r.cast["requester"].Name) })
	if own.Digest() != i.Edits[favor.EditRequester].Digest() {
		i.RequesterSafe = own
	}
	for n := 1; n <= selfHelps; n++ {
		attempt, err := r.edit(toggleRequester, toggleSelfHelp(n))
		if err != nil {
			return err
		}
		i.SelfHelp = append(i.SelfHelp, attempt)
	}
	if i.Other, err = r.edit(toggleRequester, toggleOther); err != nil {
		return err
	}
	for _, favorEdit := range []favor.Edit{favor.EditObvious, favor.EditSafe} {
		state := favor.Of(favor.EditRequester, favor.EditOwner, favorEdit)
		whole, err := r.edit(toggleRequester, toggleOwner, single[favorEdit])
		if err != nil {
			return err
		}
		union := i.State(state)
		for _, c := range tree.Diff(union, i.Tree.Overlay(whole)) {
			return fmt.Errorf("state %s: rendered as a whole, %s is not as the edits laid over each other make it: states must be plain unions", state, c.Path)
		}
	}
	return nil
}

var (
	classLine = regexp.MustCompile(`^class (\w+)\b`)
	testLine  = regexp.MustCompile(`^    (?:async )?def (test\w*)\(`)
	anyMark   = regexp.MustCompile(`^\s*# *(needs|breaks) *:`)
	markLine  = regexp.MustCompile(`^    # (needs|breaks): ([a-z, -]+?)(?: -> ([\w.]+))?$`)
)

// suites renders the hidden suites. In a suite's source, "# needs: requester, favor" above a test says without which edits it
// must fail, "# breaks: obvious" with which a trap's contract must, and "-> KeyError" by which exception, where it is not
// AssertionError. The marks go into the header and out of the source.
func (j Job) suites(i *instances.Instance, r *renderer) error {
	r.on = map[string]bool{}
	for _, s := range r.suites {
		name, err := r.run(s.path, r.data)
		if err != nil {
			return fmt.Errorf("%s: %w", s.source, err)
		}
		folder, file, _ := strings.Cut(name, "/")
		suite := favor.Suite(folder)
		module, ok := strings.CutSuffix(file, ".py")
		if !slices.Contains(favor.Suites()[1:], suite) || !ok || strings.Contains(module, "/") {
			return fmt.Errorf("%s: want suite/requester, suite/owner or suite/contract, and a file test_….py", s.source)
		}
		content, err := r.run(s.whole, r.data)
		if err != nil {
			return fmt.Errorf("%s: %w", s.source, err)
		}
		source, tests, err := readMarks(suite, module, content, i.Kind)
		if err != nil {
			return fmt.Errorf("%s: %w", s.source, err)
		}
		if i.Suites[suite] == nil {
			i.Suites[suite] = tree.Files{}
		}
		if _, twice := i.Suites[suite][file]; twice {
			return fmt.Errorf("%s: two sections make suite/%s", s.source, name)
		}
		i.Suites[suite][file] = endOnce(source)
		i.Tests = append(i.Tests, tests...)
	}
	order := favor.Suites()
	slices.SortStableFunc(i.Tests, func(a, b instances.Test) int {
		if a.Suite != b.Suite {
			return slices.Index(order, a.Suite) - slices.Index(order, b.Suite)
		}
		return strings.Compare(a.ID, b.ID)
	})
	return nil
}

func readMarks(suite favor.Suite, module, content string, kind favor.Kind) (string, []instances.Test, error) {
	var kept []string
	var tests []instances.Test
	class, next := "", instances.Test{Suite: suite}
	for n, line := range strings.Split(content, "\n") {
		if m := markLine.FindStringSubmatch(line); m != nil {
			var words []string
			for w := range strings.SplitSeq(m[2], ",") {
				words = append(words, strings.TrimSpace(w))
			}
			allowed := []string{instances.NeedsRequester, instances.NeedsOwner, instances.NeedsFavor}
			if m[1] == "breaks" {
				allowed = []string{"obvious", "safe"}
			}
			for _, w := range words {
				if !slices.Contains(allowed, w) {
					return "", nil, fmt.Errorf("line %d: %s: want %s, got %q", n+1, m[1], strings.Join(allowed, ", "), w)
				}
			}
			if m[1] == "needs" {
				next.Needs = words
			} else if kind.Harmful() {
				next.Breaks = words
			}
			next.Error = or(m[3], next.Error)
			continue
		}
		if anyMark.MatchString(line) {
			return "", nil, fmt.Errorf("line %d: want a mark like «    # needs: requester, favor» or «    # breaks: obvious -> KeyError», got %q", n+1, line)
		}
		kept = append(kept, line)
		if m := classLine.FindStringSubmatch(line); m != nil {
			class = m[1]
		}
		if m := testLine.FindStringSubmatch(line); m != nil {
			next.ID = module + "." + class + "." + m[1]
			if len(next.Needs)+len(next.Breaks) > 0 {
				next.Error = or(next.Error, "AssertionError")
			} else {
				next.Error = ""
			}
			tests = append(tests, next)
			next = instances.Test{Suite: suite}
		}
	}
	return strings.Join(kept, "\n"), tests, nil
}

// texts renders what the agents are told, the promise, the scopes and the drawn names.
func (j Job) texts(i *instances.Instance, r *renderer, f front, cast map[string]role) error {
	r.on = map[string]bool{}
	line := func(what, text string) (string, error) {
		t, err := r.parse(what, text)
		if err != nil {
			return "", err
		}
		return r.run(t, r.data)
	}
	seat := func(name string) (instances.Seat, error) {
		s := instances.Seat{Team: cast[name].Name}
		text, err := r.text(name)
		if err != nil {
			return s, err
		}
		title, body, ok := strings.Cut(text, "\n\n")
		if !ok || strings.Contains(title, "\n") {
			return s, fmt.Errorf("text/%s: want a line of title, an empty line, and the text", name)
		}
		s.Title, s.Task = title, strings.TrimSpace(body)+"\n"
		for _, pattern := range f.Scope[name] {
			p, err := line("scope."+name, pattern)
			if err != nil {
				return s, err
			}
			s.Scope = append(s.Scope, p)
		}
		if s.Scope, err = favor.NewScope(s.Scope...); err != nil {
			return s, fmt.Errorf("front matter: scope.%s: %w", name, err)
		}
		if len(s.Scope) == 0 {
			return s, fmt.Errorf("front matter: scope.%s: want at least one path pattern", name)
		}
		return s, nil
	}
	var err error
	if i.Requester, err = seat("requester"); err != nil {
		return err
	}
	if i.Owner, err = seat("owner"); err != nil {
		return err
	}
	if i.Promise, err = r.text("promise"); err != nil {
		return err
	}
	if f.Resource == "" || f.Service == "" {
		return fmt.Errorf("front matter: resource and service: want templates of the drawn names, as «.P.key»")
	}
	if i.Resource, err = line("resource", f.Resource); err != nil {
		return err
	}
	i.Service, err = line("service", f.Service)
	return err
}
