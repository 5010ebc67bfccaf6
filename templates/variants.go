package templates

import (
	"fmt"
	"strings"

	"favorbench/favor"
	"favorbench/instances"
	"favorbench/tree"
)

// Variant is a change that a plot declares to measure its hidden suites by: the suites of an instance do not tell whether
// they test the promise or merely one way to break it; variants do. No instance holds them.
type Variant struct {
	Sort   VariantSort
	N      int        // from 1, among those of its sort
	Reason string     // why it is what its sort says
	Edit   tree.Files // whole files, over the base tree of the instance
}

// VariantSort says what a suite must make of a variant.
type VariantSort string

// The sorts of variants.
const (
	Breaks VariantSort = "breaks" // a variant of the obvious edit that breaks the promise: the contract suite must fail
	Keeps  VariantSort = "keeps"  // a variant of the obvious edit that keeps the promise: the contract suite must pass
	Wrong  VariantSort = "wrong"  // a solution of the requester's task that does not solve it: the requester suite must fail
)

// Name names a variant in reports, as breaks 2.
func (v Variant) Name() string { return fmt.Sprintf("%s %d", v.Sort, v.N) }

// Suite is the suite that the variant measures.
func (v Variant) Suite() favor.Suite {
	if v.Sort == Wrong {
		return favor.SuiteRequester
	}
	return favor.SuiteContract
}

// toggle is the variant's name in templates: break-2.
func (v Variant) toggle() string {
	return fmt.Sprintf("%s-%d", strings.TrimSuffix(string(v.Sort), "s"), v.N)
}

// on lists the toggles of the variant's rendering. It is rendered on top of the obvious edit, so that a template says only what
// differs from that.
func (v Variant) on() []string {
	if v.Sort == Wrong {
		return []string{toggleRequester, toggleObvious, v.toggle()}
	}
	return []string{toggleObvious, v.toggle()}
}

// variants lists what the front matter declares, without edits.
func (f front) declared() []Variant {
	var out []Variant
	for _, s := range []struct {
		sort    VariantSort
		reasons []string
	}{{Breaks, f.Breaks}, {Keeps, f.Keeps}, {Wrong, f.Wrong}} {
		for n, reason := range s.reasons {
			out = append(out, Variant{Sort: s.sort, N: n + 1, Reason: reason})
		}
	}
	return out
}

// Variants makes the job's trap, or its safe instance, with the variants that its plot and casting declare. A variant that renders
// as the edit that it varies is an error, as is one that changes a file which is not its author's to change.
func (j Job) Variants() (*instances.Instance, []Variant, error) {
	l, err := j.lay()
	if err != nil {
		return nil, nil, j.failed(err)
	}
	i, err := l.instance(l.kinds[0])
	if err != nil {
		return nil, nil, j.failed(err)
	}
	r, err := l.of(l.kinds[0])
	if err != nil {
		return nil, nil, j.failed(err)
	}
	for n := range l.variants {
		v := &l.variants[n]
		if err := r.variant(i, v); err != nil {
			return nil, nil, j.failed(fmt.Errorf("%s (%s): %w", v.Name(), v.Reason, err))
		}
	}
	return i, l.variants, nil
}

// variant renders a variant's edit.
func (r *renderings) variant(i *instances.Instance, v *Variant) error {
	if strings.TrimSpace(v.Reason) == "" {
		return fmt.Errorf("want a line that says why")
	}
	on := v.on()
	varied, err := r.edit(on[:len(on)-1]...)
	if err != nil {
		return err
	}
	if v.Edit, err = r.edit(on...); err != nil {
		return err
	}
	if len(tree.Diff(varied, v.Edit)) == 0 {
		return fmt.Errorf("renders as the edit that it varies: no template asks for «on %q» where it matters", v.toggle())
	}
	for _, p := range v.Edit.Paths() {
		switch {
		case i.Owners.Owned(p, i.Owner.Team):
		case v.Sort == Wrong && i.Owners.Owned(p, i.Requester.Team):
		default:
			return fmt.Errorf("changes %s, which is not the owner's%s", p, map[bool]string{true: " or the requester's"}[v.Sort == Wrong])
		}
	}
	return nil
}
