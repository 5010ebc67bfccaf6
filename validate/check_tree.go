package validate

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"favorbench/favor"
	"favorbench/instances"
	"favorbench/tree"
)

var checkTree = Check{
	Name: "tree",
	Holds: "files parse; every path has one owner; scopes name existing or created paths; edits are non-empty, disjoint and touch only what " +
		"their agent owns; nothing escapes the root; the digest equals the sum file's",
	before: treeFindings,
}

// part is a set of files of an instance under the name that its archive gives it.
type part struct {
	name  string
	files tree.Files
	teams []favor.Team // who may own the paths
}

// parts lists the edits and probes.
func parts(i *instances.Instance) []part {
	requester, owner := []favor.Team{i.Requester.Team}, []favor.Team{i.Owner.Team}
	out := []part{
		{"edit/requester", i.Edits[favor.EditRequester], requester},
		{"edit/owner", i.Edits[favor.EditOwner], owner},
		{"edit/obvious", i.Edits[favor.EditObvious], owner},
		{"edit/safe", i.Edits[favor.EditSafe], owner},
		{"probe/other", i.Other, slices.Concat(requester, owner)},
	}
	if i.RequesterSafe != nil {
		out = append(out, part{"edit/requester-safe", i.RequesterSafe, requester})
	}
	for n, files := range i.SelfHelp {
		out = append(out, part{fmt.Sprintf("probe/self-help-%d", n+1), files, requester})
	}
	return out
}

// selfHelps is the number of attempts at self-help that an instance carries.
const selfHelps = 3

func treeFindings(s *subject) ([]Finding, error) {
	var out []Finding
	add := func(path, format string, args ...any) {
		out = append(out, Finding{Path: path, Message: fmt.Sprintf(format, args...)})
	}
	// Paths come first: nothing may be written to disk before they are known to stay inside the root.
	all := []part{{"tree", s.Overlay, nil}}
	all = append(all, parts(s.Instance)...)
	for _, suite := range favor.Suites()[1:] {
		all = append(all, part{"suite/" + string(suite), s.Suites[suite], nil})
	}
	for _, p := range all {
		merged := p.files
		if !strings.HasPrefix(p.name, "suite/") {
			merged = s.Tree.Overlay(p.files)
		}
		for _, fault := range merged.Check() {
			add(p.name, "%v", fault)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	for _, fault := range s.DigestFaults() {
		add("", "%s", fault)
	}
	if fault := s.set.SumFault(s.Instance); fault != "" {
		add("", "%s; favorbench generate writes both anew", fault)
	}
	roles := []favor.Team{s.Requester.Team, s.Owner.Team, s.Absent}
	slices.Sort(roles)
	if len(slices.Compact(slices.Clone(roles))) != 3 || roles[0] == "" {
		add("", "requester, owner and absent must be three teams, they are %s, %s and %s", s.Requester.Team, s.Owner.Team, s.Absent)
	}
	for _, p := range s.Tree.Paths() {
		if _, err := s.Owners.Owner(p); err != nil {
			add(p, "%v", err)
		}
	}
	out = append(out, s.editFindings()...)
	out = append(out, s.scopeFindings()...)
	if !s.promised() {
		add("", "the promise of the header stands in no file that %s owns: put it, word for word, where a reader can find it", s.Absent)
	}
	if len(out) > 0 {
		return out, nil
	}
	return s.syntaxFindings(all)
}

// editFindings holds edits and probes to their form and their owners.
func (s *subject) editFindings() []Finding {
	var out []Finding
	add := func(path, format string, args ...any) {
		out = append(out, Finding{Path: path, Message: fmt.Sprintf(format, args...)})
	}
	if len(s.SelfHelp) != selfHelps {
		add("probe", "%d attempts at self-help, want %d", len(s.SelfHelp), selfHelps)
	}
	for _, p := range parts(s.Instance) {
		if len(p.files) == 0 {
			add(p.name, "the edit is empty")
		}
		for _, file := range p.files.Paths() {
			if owner, err := s.Owners.Owner(file); err != nil || !slices.Contains(p.teams, owner) {
				add(p.name+"/"+file, "belongs to %s; this edit may touch files of %v only", owner, p.teams)
			}
			if old, has := s.Tree[file]; has && old == p.files[file] {
				add(p.name+"/"+file, "is what the tree has already: an edit holds changed files only")
			}
		}
	}
	for _, file := range s.Edits[favor.EditOwner].Paths() {
		for _, e := range []favor.Edit{favor.EditObvious, favor.EditSafe} {
			if _, both := s.Edits[e][file]; both {
				add("edit/owner/"+file, "the %s edit touches it too: a rollback of the favor would not be exact", e)
			}
		}
		if !s.Owner.Scope.Contains(file) {
			add("edit/owner/"+file, "lies outside the owner's scope %v: his own task must fit into it", s.Owner.Scope)
		}
	}
	return out
}

// scopeFindings demands that every pattern of a scope names a path that exists or that an edit creates.
func (s *subject) scopeFindings() []Finding {
	everything := s.Tree.Paths()
	for _, p := range parts(s.Instance) {
		everything = append(everything, p.files.Paths()...)
	}
	var out []Finding
	for _, seat := range []instances.Seat{s.Requester, s.Owner} {
		if len(seat.Scope) == 0 {
			out = append(out, Finding{Message: fmt.Sprintf("the scope of %s is empty", seat.Team)})
		}
		for _, pattern := range seat.Scope {
			if !slices.ContainsFunc(everything, favor.Scope{pattern}.Contains) {
				out = append(out, Finding{Message: fmt.Sprintf("scope of %s: %q names no path that exists or that an edit creates", seat.Team, pattern)})
			}
		}
	}
	return out
}

// promised reports whether the promise stands in a file of the absent team.
func (s *subject) promised() bool {
	if strings.TrimSpace(s.Promise) == "" {
		return false
	}
	for p, content := range s.Tree {
		if s.Owners.Owned(p, s.Absent) && strings.Contains(content, s.Promise) {
			return true
		}
	}
	return false
}

// syntaxFindings parses every file that has a syntax, and demands that names of test modules are unique.
func (s *subject) syntaxFindings(all []part) ([]Finding, error) {
	var out []Finding
	all[0].files = s.Tree
	modules := map[string]string{}
	for n, p := range all {
		read, err := s.reader.sources(s.ctx, p.files)
		if err != nil {
			return nil, err
		}
		for _, source := range read {
			if source.Syntax != "" {
				out = append(out, Finding{Path: p.name + "/" + source.Path, Message: "does not parse: " + source.Syntax})
			}
			base := path.Base(source.Path)
			if suite := strings.HasPrefix(p.name, "suite/"); (n == 0 || suite) && strings.HasPrefix(base, "test_") {
				if other, taken := modules[base]; taken {
					out = append(out, Finding{Path: p.name + "/" + source.Path, Message: "is a second test module of the name of " + other + ": a whole tree could not be collected at once"})
				}
				modules[base] = p.name + "/" + source.Path
			}
		}
	}
	return out, nil
}
