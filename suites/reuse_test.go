package suites

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"favorbench/tree"

	"github.com/google/go-cmp/cmp"
)

// counting is a backend that notes which test files of the tree, and which suites, it is asked to run.
type counting struct {
	backend
	asked []string
}

func (c *counting) run(ctx context.Context, r Request, l Limits) ([]Result, error) {
	for _, s := range r.Suites {
		if s.Modules != nil {
			c.asked = append(c.asked, s.Name)
			continue
		}
		for _, p := range r.Tree.Paths() {
			if isTest(p) && !slices.Contains(s.Known, p) {
				c.asked = append(c.asked, p)
			}
		}
	}
	return c.backend.run(ctx, r, l)
}

func isTest(p string) bool { return strings.HasPrefix(p, "test_") }

// reused is a tree in which test_x rests on lib and, through it, on deep and on a data file; test_y on nothing but itself;
// test_z on a module that it imports by a name made at run time.
var reused = tree.Files{
	"lib.py":    "from deep import factor\n\n\ndef value():\n    return factor() * int(open('data.txt').read())\n",
	"deep.py":   "def factor():\n    return 2\n",
	"data.txt":  "21\n",
	"other.py":  "X = 1\n",
	"plug.py":   "NAME = 'plug'\n",
	"test_x.py": "import unittest\nimport lib\n\n\nclass X(unittest.TestCase):\n    def test_value(self):\n        self.assertEqual(lib.value(), 42)\n",
	"test_y.py": "import unittest\n\n\nclass Y(unittest.TestCase):\n    def test_truth(self):\n        self.assertTrue(1)\n",
	"test_z.py": "import importlib\nimport unittest\n\n\nclass Z(unittest.TestCase):\n    def test_name(self):\n        self.assertEqual(importlib.import_module('pl' + 'ug').NAME, 'plug')\n",
}

var hiddenOnLib = Suite{Name: "hidden", Modules: map[string]string{
	"test_hidden.py": "import unittest\nimport lib\n\n\nclass H(unittest.TestCase):\n    def test_value(self):\n        self.assertEqual(lib.value(), 42)\n",
}}

// TestReuseRunsWhatRestsOnAChange changes one file after the other, and demands that exactly the test files that rest on it run
// again, and that the results are those of a full run.
func TestReuseRunsWhatRestsOnAChange(t *testing.T) {
	engine := newEngine(t, Options{Workers: 1})
	count := &counting{backend: engine.backend}
	memory := newMemory(count)
	for _, step := range []struct {
		name    string
		changes tree.Files
		runs    []string
	}{
		{"everything is new", nil, []string{"hidden", "test_x.py", "test_y.py", "test_z.py"}},
		{"nothing changed", nil, nil},
		{"a file that no test uses", tree.Files{"other.py": "X = 2\n"}, nil},
		{"a module at one remove, so that tests fail", tree.Files{"deep.py": "def factor():\n    return 3\n"}, []string{"hidden", "test_x.py"}},
		{"again: what failed in the tree is not remembered, a suite's failure is", tree.Files{"deep.py": "def factor():\n    return 3\n"}, []string{"test_x.py"}},
		{"back as it was", nil, nil},
		{"a data file that a test opens", tree.Files{"data.txt": "20\n"}, []string{"hidden", "test_x.py"}},
		{"a module that no import names, which may be anybody's", tree.Files{"plug.py": "NAME = 'else'\n"}, []string{"test_x.py", "test_y.py", "test_z.py"}},
		{"a test file itself", tree.Files{"test_y.py": reused["test_y.py"] + "\n    def test_more(self):\n        self.assertFalse(0)\n"}, []string{"test_y.py"}},
		{"a new file, since tests may look which there are", tree.Files{"new.txt": "\n"}, []string{"hidden", "test_x.py", "test_y.py", "test_z.py"}},
	} {
		t.Run(step.name, func(t *testing.T) {
			r := Request{Tree: reused.Overlay(step.changes), PythonPath: []string{"."}, Suites: []Suite{{Name: "visible"}, hiddenOnLib}}
			count.asked = nil
			got, err := memory.run(t.Context(), r, engine.limits)
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(count.asked)
			if diff := cmp.Diff(step.runs, count.asked); diff != "" {
				t.Errorf("what ran (-want +got):\n%s", diff)
			}
			full, err := engine.Run(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			for n := range got {
				got[n].Reads = nil
			}
			if diff := cmp.Diff(full, got); diff != "" {
				t.Errorf("results (-full run +with memory):\n%s", diff)
			}
		})
	}
}

// TestReuseGivesTheResultsOfFullRuns walks through every subset of some changes, twice, so that most is remembered.
func TestReuseGivesTheResultsOfFullRuns(t *testing.T) {
	engine := newEngine(t, Options{Workers: 2})
	changes := []tree.Files{
		{"deep.py": "def factor():\n    return 6\n"},
		{"data.txt": "7\n"},
		{"lib.py": reused["lib.py"] + "\n\nEXTRA = 1\n"},
		{"plug.py": "raise ImportError('gone')\n"},
		{"test_y.py": "import unittest\nimport other\n\n\nclass Y(unittest.TestCase):\n    def test_truth(self):\n        self.assertEqual(other.X, 1)\n"},
		{"other.py": "X = 3\n"},
	}
	for range 2 {
		for subset := range 1 << len(changes) {
			files := maps.Clone(reused)
			for n, c := range changes {
				if subset&(1<<n) != 0 {
					maps.Copy(files, c)
				}
			}
			r := Request{Tree: files, PythonPath: []string{"."}, Suites: []Suite{{Name: "visible"}, hiddenOnLib}}
			full, err := engine.Run(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			r.Reuse = true
			got, err := engine.Run(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			for n := range got {
				got[n].Reads = nil
			}
			if diff := cmp.Diff(full, got); diff != "" {
				t.Fatalf("subset %s (-full +reuse):\n%s", fmt.Sprintf("%06b", subset), diff)
			}
		}
	}
}
