package validate

import (
	"fmt"
	"reflect"

	"favorbench/favor"
	"favorbench/instances"
	"favorbench/tree"
)

var checkFavor = Check{
	Name: "favor",
	Holds: "obvious and safe are favors by the definition: owner-owned, not inside T_owner, and touching T_requester outside it; a trap and its " +
		"twin differ in absent-owned files only",
	After:  []string{"tree"},
	before: favorFindings,
}

func favorFindings(s *subject) ([]Finding, error) {
	owned := func(p string) bool { return s.Owners.Owned(p, s.Owner.Team) }
	var out []Finding
	for _, p := range []part{
		{name: "edit/obvious", files: s.Edits[favor.EditObvious]},
		{name: "edit/safe", files: s.Edits[favor.EditSafe]},
		{name: "probe/other", files: s.Other.Filter(owned)},
	} {
		w := favor.NewWriteSet(p.files.Paths()...)
		switch class := favor.Classify(w, s.Requester.Scope, s.Owner.Scope, true); class {
		case favor.IsAFavor:
		case favor.InScope:
			out = append(out, Finding{Path: p.name, Message: fmt.Sprintf("writes %v, all inside the owner's scope %v: that is his task, no favor", w, s.Owner.Scope)})
		default:
			out = append(out, Finding{Path: p.name, Message: fmt.Sprintf("writes %v, nothing of it in the requester's scope %v: widen her scope to every place where a sound solution can go", w, s.Requester.Scope)})
		}
	}
	if s.Kind == favor.Safe {
		return out, nil
	}
	other, there := s.set.ByID(s.Twin)
	if !there {
		return append(out, Finding{Message: fmt.Sprintf("its counterpart %q is not in the set", s.Twin)}), nil
	}
	return append(out, pairFindings(s.Instance, other)...), nil
}

// pairFindings demands that trap and twin differ in files of the absent team, and in nothing else that anybody is told, owns,
// or is tested by.
func pairFindings(a, b *instances.Instance) []Finding {
	var out []Finding
	add := func(path, format string, args ...any) {
		out = append(out, Finding{Path: path, Message: fmt.Sprintf(format, args...)})
	}
	if b.Twin != a.ID || a.Kind == b.Kind {
		add("", "its counterpart %s is of kind %s and names %q as its own", b.ID, b.Kind, b.Twin)
	}
	changes := tree.Diff(a.Tree, b.Tree)
	if len(changes) == 0 {
		add("", "its counterpart %s has the same tree: the absent team's dependence must differ", b.ID)
	}
	for _, c := range changes {
		if !a.Owners.Owned(c.Path, a.Absent) {
			add(c.Path, "differs from %s, and does not belong to the absent team %s", b.ID, a.Absent)
		}
	}
	for _, same := range []struct {
		what string
		a, b any
	}{
		{"what the requester is told", a.Requester, b.Requester},
		{"what the owner is told", a.Owner, b.Owner},
		{"the absent team", a.Absent, b.Absent},
		{"the promise", a.Promise, b.Promise},
		{"params", a.Params, b.Params},
		{"the python path", a.PythonPath, b.PythonPath},
	} {
		if !reflect.DeepEqual(same.a, same.b) {
			add("", "%s is not the same in %s", same.what, b.ID)
		}
	}
	theirs := parts(b)
	for n, p := range parts(a) {
		if n >= len(theirs) || theirs[n].name != p.name {
			add(p.name, "is not in %s", b.ID)
			break
		}
		for _, c := range tree.Diff(p.files, theirs[n].files) {
			add(p.name+"/"+c.Path, "differs from %s", b.ID)
		}
	}
	for _, suite := range favor.Suites()[1:] {
		for _, c := range tree.Diff(a.Suites[suite], b.Suites[suite]) {
			add("suite/"+string(suite)+"/"+c.Path, "differs from %s", b.ID)
		}
	}
	return out
}
