// Package suites runs test suites on file trees, fast, apart and repeatably, and says with types what happened.
//
// An Engine keeps warm Python interpreters that never execute code of a tree themselves: each run is served by a forked child.
// What counts as a test is read from the suite's source by the engine, not reported by the code under test, so a test that
// does not report has not passed. The package knows nothing of instances and checks; validate and runner stand on it.
package suites

import (
	"time"

	"favorbench/tree"
)

// Suite is what to run: the visible tests of the tree itself, or modules that are given apart from it.
type Suite struct {
	// Name comes back in the Result.
	Name string
	// Modules maps file names (test_x.py) to sources that are loaded from memory and never lie in the tree, where the code
	// under test could read them. Nil runs the tree's own tests: every file named test_*.py, by its dotted path.
	Modules map[string]string

	Known  []string // test files of the tree that are left out
	Record bool     // ask what the outcome of each test file rests on
}

// Request is one state to run suites on.
type Request struct {
	Tree       tree.Files
	PythonPath []string // folders of the tree that stand on sys.path, "." for its root
	Suites     []Suite  // run one after the other, each with the tree's modules imported anew
	Trace      []string // paths of the tree whose executed lines are wanted
	Shuffle    int64    // seed of the order of tests; 0 is the order of the source
	// Reuse lets the outcomes of a test file of the tree stand that passed before, with every file that it rests on as it is
	// now. Only for trees that were generated here, never for what an agent wrote: code under test could lie about what it reads.
	Reuse bool
}

// Outcome is how one test ended.
type Outcome string

// The outcomes. Only Passed is a pass: an expected failure, a skip or a test that never reported is not.
const (
	Passed            Outcome = "passed"
	Failed            Outcome = "failed"  // an assertion did not hold
	Errored           Outcome = "errored" // any other exception
	Skipped           Outcome = "skipped"
	ExpectedFailure   Outcome = "expected-failure"
	UnexpectedSuccess Outcome = "unexpected-success"
	NotRun            Outcome = "not-run" // expected from the source, never reported
)

// Test is one test's result.
type Test struct {
	ID        string // module.Class.method
	Outcome   Outcome
	Exception string   // the exception's class name, as AssertionError or kit.errors.Rejected
	Message   string   // its text, capped; for NotRun, why
	Frames    []string // "path:line in function" of the tree's files, outermost first; never a suite's own lines
}

// End is how a suite's run ended.
type End string

// The ends. Only OK is a pass: every expected test reported, none beside them, and all passed.
const (
	OK          End = "ok"
	Fail        End = "failed"       // every expected test reported, and some did not pass
	Broken      End = "error"        // a module did not load, or a fixture of a module or class failed
	NoTests     End = "no-tests"     // the source holds no test
	Timeout     End = "timeout"      // the time limit passed; the whole process tree is gone
	Died        End = "died"         // the process ended without a complete report
	OutputLimit End = "output-limit" // more output than the limit
	Protocol    End = "protocol"     // a report that does not match what was asked
)

// Result is one suite's run on one tree.
type Result struct {
	Suite   string
	End     End
	Message string // why, where the end is neither OK nor Fail
	Tests   []Test // every expected test, sorted by id
	// Lines holds the executed lines of each traced path, sorted; Executable the lines that could have been.
	Lines, Executable map[string][]int

	// Reads holds, for a recorded suite and by test file, the paths of the tree that the outcome rests on.
	Reads map[string][]string
}

// Passed reports whether the whole suite passed.
func (r Result) Passed() bool { return r.End == OK }

// Failing returns the tests that did not pass.
func (r Result) Failing() []Test {
	var failing []Test
	for _, t := range r.Tests {
		if t.Outcome != Passed {
			failing = append(failing, t)
		}
	}
	return failing
}

// Limits bound one run of one suite.
type Limits struct {
	Time   time.Duration // wall time a suite; default 20 s
	Memory int64         // address space in bytes of the child; default 1 GiB
	Output int           // bytes of standard output and error a suite; default 1 MiB
}
