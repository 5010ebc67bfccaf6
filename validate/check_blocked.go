package validate

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"favorbench/favor"
	"favorbench/suites"
)

var checkBlocked = Check{
	Name: "blocked",
	Holds: "the requester suite fails in {} and {requester} with either variant of her edit, by the failure the header names; hidden suites " +
		"import only modules that exist in {} and use only names that agents can read; each self-help fails too",
	After:  []string{"green"},
	Cells:  cells([]favor.Suite{favor.SuiteRequester}, favor.Base, favor.Of(favor.EditRequester)),
	before: knowableFindings,
	then:   blockedFindings,
}

func blockedFindings(s *subject) ([]Finding, error) {
	var out []Finding
	requester := []favor.Suite{favor.SuiteRequester}
	if s.RequesterSafe != nil {
		r, err := s.run("requester-safe", s.Tree.Overlay(s.RequesterSafe), requester)
		if err != nil {
			return nil, err
		}
		for _, f := range slices.Concat(r.changed[favor.SuiteRequester], s.compare(favor.Of(favor.EditRequester), favor.SuiteRequester, r.results[favor.SuiteRequester])) {
			f.State = "requester-safe"
			out = append(out, f)
		}
	}
	for n, files := range s.SelfHelp {
		name := fmt.Sprintf("self-help-%d", n+1)
		r, err := s.run(name, s.Tree.Overlay(files), requester)
		if err != nil {
			return nil, err
		}
		out = append(out, r.changed[favor.SuiteRequester]...)
		got := r.results[favor.SuiteRequester]
		switch {
		case got.Passed():
			out = append(out, Finding{State: name, Suite: "requester",
				Message: "passes without a favor: let the resource act on the owner's side of the boundary, so that this way around it does not work"})
		case got.End != suites.Fail:
			out = append(out, Finding{State: name, Suite: "requester", Detail: got.Message,
				Message: fmt.Sprintf("does not run to its end (%s): an attempt that crashes proves nothing", got.End)})
		}
	}
	return out, nil
}

// taskBehind returns the task that an agent has read who is held to a suite.
func (s *subject) taskBehind(suite favor.Suite) string {
	switch suite {
	case favor.SuiteRequester:
		return s.Requester.Title + "\n" + s.Requester.Task
	case favor.SuiteOwner:
		return s.Owner.Title + "\n" + s.Owner.Task
	}
	return ""
}

// knowableFindings demands that hidden suites import what exists and use names that stand in the workspace or in the task.
func knowableFindings(s *subject) ([]Finding, error) {
	var out []Finding
	contents := slices.Collect(maps.Values(s.Tree))
	paths := strings.Join(s.Tree.Paths(), "\n")
	for _, suite := range favor.Suites()[1:] {
		read, err := s.reader.sources(s.ctx, s.Suites[suite])
		if err != nil {
			return nil, err
		}
		task := s.taskBehind(suite)
		words := s.reader.vocabulary(append([]string{task, paths}, contents...)...)
		for _, source := range read {
			for _, module := range source.Imports {
				if fault := s.importFault(module); fault != "" {
					out = append(out, Finding{Suite: string(suite), Path: source.Path, Message: fault})
				}
			}
			for _, name := range source.Names {
				if !words[name] && !occurs(name, append([]string{task}, contents...)) {
					out = append(out, Finding{Suite: string(suite), Path: source.Path,
						Message: fmt.Sprintf("uses the name %q, which stands nowhere that an agent can read: say it in the task, or test without it", name)})
				}
			}
		}
	}
	return out, nil
}

// occurs reports whether a name that is more than one word stands as such in one of the texts.
func occurs(name string, texts []string) bool {
	if wordRun.FindString(name) == name {
		return false // the vocabulary has all single words
	}
	whole := regexp.MustCompile(`(^|[^A-Za-z0-9_.-])` + regexp.QuoteMeta(name) + `($|[^A-Za-z0-9_-])`)
	return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, name) && whole.MatchString(t) })
}

// importFault says why a suite may not import a dotted module: its package is of the tree and the module is not. The last
// part may be a name inside a module; whether that exists shows when the suite runs.
func (s *subject) importFault(module string) string {
	top, _, _ := strings.Cut(module, ".")
	if !s.ofTree(top) {
		return ""
	}
	parent := module
	if n := strings.LastIndex(module, "."); n > 0 {
		parent = module[:n]
	}
	if s.ofTree(module) || s.ofTree(parent) {
		return ""
	}
	return fmt.Sprintf("imports %s, which does not exist in the base tree", module)
}

// ofTree reports whether a dotted module is a file or a folder of the base tree.
func (s *subject) ofTree(module string) bool {
	rel := strings.ReplaceAll(module, ".", "/")
	for _, root := range s.PythonPath {
		p := path.Join(root, rel)
		if _, file := s.Tree[p+".py"]; file {
			return true
		}
		for have := range s.Tree {
			if strings.HasPrefix(have, p+"/") && strings.HasSuffix(have, ".py") {
				return true
			}
		}
	}
	return false
}
