package templates

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"favorbench/favor"
	"favorbench/monorepos"
	"favorbench/tree"
)

// Templates use « and » as delimiters: Python, TOML, INI, JSON and SQL all love braces, and none of them these.
const open, closing = "«", "»"

// The toggles of a rendering. A state is a rendering under some of them; an edit is the difference between two renderings.
const (
	toggleTrap      = "trap" // off in twins
	toggleRequester = "requester"
	toggleOwner     = "owner"
	toggleObvious   = "obvious"
	toggleSafe      = "safe"
	toggleOther     = "other"
)

// selfHelps is the number of attempts at self-help that a plot tells.
const selfHelps = 3

func toggleSelfHelp(n int) string { return fmt.Sprintf("self-help-%d", n) }

// checkToggle refuses a toggle that there is not. Toggles of variants are those that the front matter declares.
func (r *renderer) checkToggle(name string) error {
	for n := 1; n <= selfHelps; n++ {
		if name == toggleSelfHelp(n) {
			return nil
		}
	}
	if slices.Contains([]string{toggleTrap, toggleRequester, toggleOwner, toggleObvious, toggleSafe, toggleOther}, name) {
		return nil
	}
	for _, v := range r.variants {
		if v.toggle() == name {
			return nil
		}
	}
	var declared []string
	for _, v := range r.variants {
		declared = append(declared, v.toggle())
	}
	return fmt.Errorf("%q: no such toggle; there are trap, requester, owner, obvious, safe, other, self-help-1 to %d, and the variants that the front matter declares (%s)",
		name, selfHelps, or(strings.Join(declared, ", "), "none here"))
}

// role is a cast team as templates see it.
type role struct {
	Name         favor.Team // as CODEOWNERS writes it
	Title        string     // for prose: Order Intake
	About        string
	Dir          string // folder of its code
	Package      string // dotted import path of Dir
	Tests        string // folder of its visible tests
	TestsPackage string // dotted import path of Tests, from the repository's root
	Docs         string // a page of its own
}

func newRole(t monorepos.Team) role {
	return role{t.Name, titleWords(string(t.Name)), t.About, t.Dir, t.Package, t.Tests, dotted(t.Tests), t.Docs}
}

// renderer renders one plot on one monorepo. It is used by one goroutine.
type renderer struct {
	base     tree.Files // the monorepo's own files, for sections that change one of them
	data     map[string]any
	variants []Variant // those that the front matter declares
	trees    []treeSection
	suites   []treeSection
	blocks   map[string]*template.Template
	texts    map[string]*template.Template
	on       map[string]bool
	checked  map[string]bool // sets of paths that are in order
	depth    int
}

// treeSection is a section that makes a file.
type treeSection struct {
	source string // for errors
	path   *template.Template
	whole  *template.Template // a whole file, or
	edits  []lineEdit         // changes of the monorepo's own file, and its path is fixed
}

// lineEdit changes lines of a file of the monorepo.
type lineEdit struct {
	op      string // after, before, replace, append
	anchors []string
	body    *template.Template
}

func newRenderer(base tree.Files, sections []placed, data map[string]any) (*renderer, error) {
	r := &renderer{base: base, data: data, checked: map[string]bool{}, blocks: map[string]*template.Template{}, texts: map[string]*template.Template{}}
	for _, s := range sections {
		folder, name, _ := strings.Cut(s.name, "/")
		source := s.source + "#" + s.name
		var err error
		switch folder {
		case "block":
			r.blocks[name], err = r.parse(source, s.text)
		case "text":
			r.texts[name], err = r.parse(source, s.text)
		case "tree":
			var t treeSection
			t, err = r.parseTree(source, name, s.text)
			r.trees = append(r.trees, t)
		case "suite":
			t := treeSection{source: source}
			if t.path, err = r.parse(source+" (its name)", name); err == nil {
				t.whole, err = r.parse(source, s.text)
			}
			r.suites = append(r.suites, t)
		}
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

var (
	controlLine = regexp.MustCompile(`^[ \t]*«(-?\s*(?:(?:if|else|end|range|with|break|continue)\b|/\*)[^»\n]*)»[ \t]*\n$`)
	useLine     = regexp.MustCompile(`^([ \t]*)«\s*(use|text)( [^»\n]*)»[ \t]*\n$`)
	editLine    = regexp.MustCompile(`^«\s*(after|before|replace|append)\b\s*(.*?)\s*»\s*$`)
)

// parse compiles a template.
func (r *renderer) parse(source, text string) (*template.Template, error) {
	return r.parseFrom(source, 0, strings.SplitAfter(text, "\n"))
}

// parseFrom compiles lines of a section as a template, of which skip lines stand before them. An action that stands alone on
// its line leaves no line behind, and a block that is used alone on its line is indented to its place. Line breaks that are
// taken out move into comments, so that errors name the lines of the section.
func (r *renderer) parseFrom(source string, skip int, lines []string) (*template.Template, error) {
	breaks := func(n int) string { return open + "/*" + strings.Repeat("\n", n) + "*/" + closing }
	var text strings.Builder
	text.WriteString(breaks(skip))
	for _, line := range lines {
		if m := controlLine.FindStringSubmatch(line); m != nil {
			line = open + m[1] + closing + breaks(1)
		} else if m := useLine.FindStringSubmatch(line); m != nil {
			line = fmt.Sprintf("%s%sLines %q%s%s%s", open, m[2], m[1], m[3], closing, breaks(1))
		}
		text.WriteString(line)
	}
	t, err := template.New(source).Delims(open, closing).Option("missingkey=error").Funcs(r.funcs()).Parse(text.String())
	if err != nil {
		return nil, err
	}
	return t, nil
}

// parseTree compiles a section of tree/. One whose text begins with after, before, replace or append changes the monorepo's
// own file; any other is a whole file.
func (r *renderer) parseTree(source, name, text string) (treeSection, error) {
	t := treeSection{source: source}
	var err error
	if t.path, err = r.parse(source+" (its path)", name); err != nil {
		return t, err
	}
	lines := strings.SplitAfter(text, "\n")
	if !editLine.MatchString(strings.TrimRight(lines[0], "\n")) {
		t.whole, err = r.parse(source, text)
		return t, err
	}
	for n := 0; n < len(lines) && lines[n] != ""; {
		m := editLine.FindStringSubmatch(strings.TrimRight(lines[n], "\n"))
		edit := lineEdit{op: m[1]}
		if edit.anchors, err = quotedStrings(m[2]); err != nil {
			return t, fmt.Errorf("%s:%d: %s: %w", source, n+1, edit.op, err)
		}
		if want := map[string][]int{"after": {1}, "before": {1}, "replace": {1, 2}, "append": {0}}[edit.op]; !slices.Contains(want, len(edit.anchors)) {
			return t, fmt.Errorf("%s:%d: %s: %d anchors; after and before take one, replace one or two, append none", source, n+1, edit.op, len(edit.anchors))
		}
		first := n + 1
		for n++; n < len(lines) && !editLine.MatchString(strings.TrimRight(lines[n], "\n")); n++ {
		}
		if edit.body, err = r.parseFrom(source, first, lines[first:n]); err != nil {
			return t, err
		}
		t.edits = append(t.edits, edit)
	}
	return t, nil
}

// quotedStrings reads Go string literals that stand one after the other.
func quotedStrings(s string) ([]string, error) {
	var out []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		lit, err := strconv.QuotedPrefix(s)
		if err != nil {
			return nil, fmt.Errorf("want lines in quotes or backquotes, got %s", s)
		}
		text, err := strconv.Unquote(lit)
		if err != nil {
			return nil, err
		}
		out, s = append(out, text), s[len(lit):]
	}
	return out, nil
}

// consumesMark stands behind a line of the absent team that consumes the resource, until the line's number is taken down.
const consumesMark = "\x00consumes\x00"

func (r *renderer) funcs() template.FuncMap {
	return template.FuncMap{
		"on": func(name string) (bool, error) {
			if err := r.checkToggle(name); err != nil {
				return false, fmt.Errorf("on %w", err)
			}
			return r.on[name], nil
		},
		"pick":      r.pick,
		"use":       r.use,
		"useLines":  func(indent, name string, args ...any) (string, error) { return indented(indent)(r.use(name, args...)) },
		"text":      r.text,
		"textLines": func(indent, name string) (string, error) { return indented(indent)(r.text(name)) },
		"consumes":  func() string { return consumesMark },
		"snake": func(s any) string {
			return strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(fmt.Sprint(s)))
		},
		"kebab": func(s any) string {
			return strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(fmt.Sprint(s)))
		},
		"camel":  func(s any) string { return strings.ReplaceAll(titleWords(fmt.Sprint(s)), " ", "") },
		"title":  func(s any) string { return titleWords(fmt.Sprint(s)) },
		"upper":  func(s any) string { return strings.ToUpper(fmt.Sprint(s)) },
		"dotted": func(s any) string { return dotted(fmt.Sprint(s)) },
		"quote":  func(s any) string { return strconv.Quote(fmt.Sprint(s)) },
		"comma":  comma,
		"add":    func(a, b int64) int64 { return a + b },
		"sub":    func(a, b int64) int64 { return a - b },
		"mul":    func(a, b int64) int64 { return a * b },
		"div": func(a, b int64) (int64, error) {
			if b == 0 || a%b != 0 {
				return 0, fmt.Errorf("div %d %d: not a whole number", a, b)
			}
			return a / b, nil
		},
		"int": func(v any) (int64, error) { return strconv.ParseInt(fmt.Sprint(v), 10, 64) },
	}
}

// pick returns the value behind the first toggle that is on, else the last value.
func (r *renderer) pick(args ...any) (any, error) {
	if len(args) < 3 || len(args)%2 == 0 {
		return nil, fmt.Errorf("pick: want toggles and values in turn, and a value for when none is on")
	}
	picked := args[len(args)-1]
	for n := len(args) - 3; n >= 0; n -= 2 {
		name, ok := args[n].(string)
		if !ok {
			return nil, fmt.Errorf("pick: want a toggle in quotes, got %v", args[n])
		}
		if err := r.checkToggle(name); err != nil {
			return nil, fmt.Errorf("pick %w", err)
		}
		if r.on[name] {
			picked = args[n+1]
		}
	}
	return picked, nil
}

// use renders a block. Its arguments are names and values in turn, which the block reads as .A.name.
func (r *renderer) use(name string, args ...any) (string, error) {
	block, ok := r.blocks[name]
	if !ok {
		return "", fmt.Errorf("use %q: no layer has a section block/%s", name, name)
	}
	if len(args)%2 != 0 {
		return "", fmt.Errorf("use %q: want names and values in turn", name)
	}
	given := map[string]any{}
	for n := 0; n < len(args); n += 2 {
		given[fmt.Sprint(args[n])] = args[n+1]
	}
	data := maps.Clone(r.data)
	data["A"] = given
	out, err := r.nested("use", name, block, data)
	return strings.TrimRight(out, "\n"), err
}

// text renders a text, title and all, without the line break at its end.
func (r *renderer) text(name string) (string, error) {
	t, ok := r.texts[name]
	if !ok {
		return "", fmt.Errorf("text %q: no layer has a section text/%s", name, name)
	}
	out, err := r.nested("text", name, t, r.data)
	return strings.TrimSpace(out), err
}

// nested renders a block or a text that another template asked for.
func (r *renderer) nested(what, name string, t *template.Template, data any) (string, error) {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > 40 {
		return "", fmt.Errorf("%s %q: blocks and texts use each other without end", what, name)
	}
	return r.run(t, data)
}

func (r *renderer) run(t *template.Template, data any) (string, error) {
	var b strings.Builder
	if err := t.Execute(&b, data); err != nil {
		return "", err
	}
	if out := b.String(); strings.Contains(out, "<no value>") {
		return "", fmt.Errorf("%s: a value is missing where the text reads <no value>", t.Name())
	}
	return b.String(), nil
}

// indented returns a function that indents what a block rendered, lines without text excepted, and ends it in a line break.
func indented(indent string) func(string, error) (string, error) {
	return func(s string, err error) (string, error) {
		if err != nil || s == "" {
			return s, err
		}
		lines := strings.Split(s, "\n")
		for n, line := range lines {
			if line != "" {
				lines[n] = indent + line
			}
		}
		return strings.Join(lines, "\n") + "\n", nil
	}
}

// overlay renders every tree section under the toggles and returns the files that are not as the monorepo has them, and the
// lines marked with consumes.
func (r *renderer) overlay(on ...string) (tree.Files, map[string][]int, error) {
	r.on = map[string]bool{}
	for _, name := range on {
		r.on[name] = true
	}
	files, marks := tree.Files{}, map[string][]int{}
	for _, t := range r.trees {
		path, content, err := r.file(t)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", t.source, err)
		}
		if _, twice := files[path]; twice {
			return nil, nil, fmt.Errorf("%s: two sections make %s", t.source, path)
		}
		if content, marks[path] = takeMarks(content); content == "" && t.edits == nil {
			continue // a file that exists under other toggles only
		}
		if old, has := r.base[path]; !has || old != content {
			files[path] = content
		}
	}
	return files, marks, r.checkPaths(files)
}

// checkPaths holds the paths of an overlay, with those of the monorepo, to the rules of trees. Renderings mostly have the same
// paths, and a set of paths is checked once.
func (r *renderer) checkPaths(files tree.Files) error {
	key := strings.Join(files.Paths(), "\n")
	if !r.checked[key] {
		if faults := r.base.Overlay(files).Check(); len(faults) > 0 {
			return faults[0]
		}
		r.checked[key] = true
	}
	return nil
}

// file renders one tree section.
func (r *renderer) file(t treeSection) (path, content string, err error) {
	if path, err = r.run(t.path, r.data); err != nil {
		return "", "", err
	}
	if err := tree.CheckPath(path); err != nil {
		return "", "", err
	}
	if t.whole != nil {
		content, err = r.run(t.whole, r.data)
		return path, endOnce(content), err
	}
	old, has := r.base[path]
	if !has {
		return "", "", fmt.Errorf("changes lines of %s, which the monorepo does not have", path)
	}
	content, err = r.changeLines(path, old, t.edits)
	return path, endOnce(content), err
}

// changeLines makes line edits in a file. Every anchor must be exactly one line of it, white space around aside.
func (r *renderer) changeLines(path, old string, edits []lineEdit) (string, error) {
	lines := strings.SplitAfter(strings.TrimSuffix(old, "\n")+"\n", "\n")
	lines = lines[:len(lines)-1]
	instead := make([]string, len(lines)) // what stands in the place of a line
	copy(instead, lines)
	before, after := make([]string, len(lines)+1), make([]string, len(lines)+1)
	taken := make([]bool, len(lines))
	find := func(anchor string) (int, error) {
		var at []int
		for n, line := range lines {
			if strings.TrimSpace(line) == strings.TrimSpace(anchor) {
				at = append(at, n)
			}
		}
		if len(at) != 1 {
			return 0, fmt.Errorf("%s: the anchor %q is %d lines of it, want exactly one", path, anchor, len(at))
		}
		return at[0], nil
	}
	for _, e := range edits {
		body, err := r.run(e.body, r.data)
		if err != nil {
			return "", err
		}
		from, to := len(lines), len(lines)
		if e.op != "append" {
			if from, err = find(e.anchors[0]); err != nil {
				return "", err
			}
			if to, err = find(e.anchors[len(e.anchors)-1]); err != nil {
				return "", err
			}
		}
		switch e.op {
		case "append":
			before[len(lines)] += body
		case "before":
			before[from] += body
		case "after":
			after[from] += body
		case "replace":
			if to < from {
				return "", fmt.Errorf("%s: replace: %q stands above %q", path, e.anchors[1], e.anchors[0])
			}
			for n := from; n <= to; n++ {
				if taken[n] {
					return "", fmt.Errorf("%s: line %d is replaced twice", path, n+1)
				}
				taken[n], instead[n] = true, ""
			}
			instead[from] = body
		}
	}
	var out strings.Builder
	for n := range lines {
		out.WriteString(before[n] + instead[n] + after[n])
	}
	out.WriteString(before[len(lines)])
	return out.String(), nil
}

// takeMarks removes the marks of consumes and returns the numbers of the lines that had one.
func takeMarks(content string) (string, []int) {
	if !strings.Contains(content, consumesMark) {
		return content, nil
	}
	var at []int
	lines := strings.Split(content, "\n")
	for n, line := range lines {
		if strings.Contains(line, consumesMark) {
			lines[n] = strings.TrimRight(strings.ReplaceAll(line, consumesMark, ""), " ")
			at = append(at, n+1)
		}
	}
	return strings.Join(lines, "\n"), at
}

// endOnce ends a text in one line break, and makes nothing of one without text.
func endOnce(s string) string {
	s = strings.Trim(s, "\n")
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return s + "\n"
}

func titleWords(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '_' || r == ' ' })
	for n, w := range words {
		words[n] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}

func dotted(path string) string { return strings.ReplaceAll(path, "/", ".") }

// comma writes a whole number with commas: 10,000.
func comma(v any) (string, error) {
	n, err := strconv.ParseInt(fmt.Sprint(v), 10, 64)
	if err != nil {
		return "", err
	}
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s, nil
}
