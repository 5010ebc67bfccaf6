package suites

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"favorbench/tree"
)

// memory is a backend before another: it remembers how test files ended, with the files that they rest on, and has run only
// those of which a file has changed. Of the tree's own tests it remembers file by file what passed, of a suite given apart from
// the tree the whole result.
//
// A test file rests on what it imports, at any depth and remove, as its source says; on the files that were opened while its
// tests ran; on whatever was loaded or opened that no import explains; and on which files there are. What is not seen is a
// test that depends on another file's tests having run before it, and one that asks for a file's size or times without opening
// it. A full run beside it keeps it honest: requests without Reuse go past the memory.
type memory struct {
	next backend

	mu    sync.Mutex
	known map[string][]outcome // by test file, or by a suite's whole source; the latest last
}

// outcome is how a test file, or a suite, ended.
type outcome struct {
	names  string            // digest of the tree's paths and of the python path
	rests  map[string]string // path → content
	result Result
}

// outcomesKept bounds what is remembered of one test file: an instance has twelve states, and its twin shares most.
const outcomesKept = 48

func newMemory(next backend) *memory { return &memory{next: next, known: map[string][]outcome{}} }

func (m *memory) run(ctx context.Context, r Request, l Limits) ([]Result, error) {
	names := tree.Files{"paths": strings.Join(slices.Concat(r.PythonPath, r.Tree.Paths()), "\n")}.Digest()
	results := make([]Result, len(r.Suites)) // what is remembered, to which what runs is added
	var places []int
	ask := r
	ask.Suites = nil
	for n, suite := range r.Suites {
		done := false
		if len(r.Trace) == 0 { // lines are seen only where tests run
			suite.Known, results[n], done = m.recall(r.Tree, names, suite)
		}
		if !done {
			suite.Record = true
			places, ask.Suites = append(places, n), append(ask.Suites, suite)
		}
	}
	if len(ask.Suites) == 0 {
		return results, nil
	}
	ran, err := m.next.run(ctx, ask, l)
	if err != nil {
		return nil, err
	}
	for n, result := range ran {
		m.learn(r.Tree, names, ask.Suites[n], result)
		result.Tests = append(result.Tests, results[places[n]].Tests...)
		slices.SortFunc(result.Tests, func(a, b Test) int { return strings.Compare(a.ID, b.ID) })
		results[places[n]] = result
	}
	return results, nil
}

// recall returns what is known of a suite on a tree: test files that need not run, with their tests, and whether that is all.
func (m *memory) recall(files tree.Files, names string, suite Suite) (known []string, r Result, done bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if suite.Modules != nil {
		if o, ok := m.find(sourceOf(suite), files, names); ok {
			r = o.result
			r.Suite = suite.Name
			r.Tests = slices.Clone(r.Tests)
			return nil, r, true
		}
		return nil, Result{}, false
	}
	r = Result{Suite: suite.Name, End: OK}
	done = true
	for _, p := range files.Paths() {
		if base := path.Base(p); !strings.HasPrefix(base, "test_") || !strings.HasSuffix(base, ".py") {
			continue
		}
		if o, ok := m.find(p, files, names); ok {
			known, r.Tests = append(known, p), append(r.Tests, o.result.Tests...)
		} else {
			done = false
		}
	}
	slices.SortFunc(r.Tests, func(a, b Test) int { return strings.Compare(a.ID, b.ID) })
	return known, r, done && len(known) > 0
}

func (m *memory) find(key string, files tree.Files, names string) (outcome, bool) {
	for _, o := range slices.Backward(m.known[key]) {
		if o.names == names && o.standsIn(files) {
			return o, true
		}
	}
	return outcome{}, false
}

func (o outcome) standsIn(files tree.Files) bool {
	for p, content := range o.rests {
		if files[p] != content {
			return false
		}
	}
	return true
}

// learn remembers what a recorded suite tells, if it ran to its end.
func (m *memory) learn(files tree.Files, names string, suite Suite, r Result) {
	if r.End != OK && r.End != Fail || len(r.Reads) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if suite.Modules != nil {
		o := outcome{names: names, rests: map[string]string{}, result: Result{End: r.End, Message: r.Message, Tests: r.Tests}}
		for _, paths := range r.Reads {
			o.add(files, paths)
		}
		for name := range suite.Modules {
			delete(o.rests, name) // the suite's own source is the key
		}
		m.keep(sourceOf(suite), o)
		return
	}
	for _, file := range slices.Sorted(maps.Keys(r.Reads)) {
		o := outcome{names: names, rests: map[string]string{}, result: Result{End: OK}}
		o.add(files, r.Reads[file])
		for _, t := range r.Tests {
			if strings.HasPrefix(t.ID, strings.ReplaceAll(strings.TrimSuffix(file, ".py"), "/", ".")+".") {
				o.result.Tests = append(o.result.Tests, t)
			}
		}
		if !slices.ContainsFunc(o.result.Tests, func(t Test) bool { return t.Outcome != Passed }) {
			m.keep(file, o)
		}
	}
}

func (o outcome) add(files tree.Files, paths []string) {
	for _, p := range paths {
		o.rests[p] = files[p]
	}
}

func (m *memory) keep(key string, o outcome) {
	m.known[key] = append(m.known[key], o)
	if extra := len(m.known[key]) - outcomesKept; extra > 0 {
		m.known[key] = slices.Delete(m.known[key], 0, extra)
	}
}

// sourceOf is the key of a suite that is given apart from the tree: its whole source.
func sourceOf(suite Suite) string { return "suite " + tree.Files(suite.Modules).Digest() }
