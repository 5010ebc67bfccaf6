package suites

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"favorbench/tree"
)

// coldScript is python3 -m unittest, with a result that also writes down each test's outcome as a line of JSON.
const coldScript = `
import json, sys, unittest
out = open(sys.argv.pop(1), "w")
class Result(unittest.TextTestResult):
    def note(self, test, outcome): print(json.dumps([test.id(), outcome]), file=out, flush=True)
    def addSuccess(self, t): super().addSuccess(t); self.note(t, "passed")
    def addFailure(self, t, e): super().addFailure(t, e); self.note(t, "failed")
    def addError(self, t, e): super().addError(t, e); self.note(t, "errored")
    def addSkip(self, t, r): super().addSkip(t, r); self.note(t, "skipped")
    def addExpectedFailure(self, t, e): super().addExpectedFailure(t, e); self.note(t, "expected-failure")
    def addUnexpectedSuccess(self, t): super().addUnexpectedSuccess(t); self.note(t, "unexpected-success")
    def addSubTest(self, t, s, e):
        super().addSubTest(t, s, e)
        if e: self.note(t, "failed" if issubclass(e[0], t.failureException) else "errored")
unittest.main(module=None, testRunner=unittest.TextTestRunner(resultclass=Result, stream=open("/dev/null", "w")))
`

// TestVerdictsAreThoseOfColdUnittest compares the engine with a fresh process of the real thing on broken trees.
func TestVerdictsAreThoseOfColdUnittest(t *testing.T) {
	e := newEngine(t, Options{})
	base := shopTree().Filter(func(p string) bool { return !strings.HasPrefix(p, "tests/test_") || p < "tests/test_part03" })
	base["tests/test_more.py"] = head + `from shop import part02
def setUpModule(): part02.ready = True
class Base:
    def test_shared(self): self.assertTrue(part02.ready)
class Odd(Base, unittest.TestCase):
    @classmethod
    def setUpClass(cls): cls.rates = part02.rates()
    @unittest.skipIf(part02.rule_0(1) == 1, "one")
    def test_skip(self): pass
    @unittest.expectedFailure
    def test_wrong(self): self.assertEqual(part02.rule_0(3), 3)
    def test_sub(self):
        for i in range(4):
            with self.subTest(i=i): self.assertLess(part02.rule_0(i), 5)
    def tearDown(self): self.assertTrue(part02.ready)
class Async(unittest.IsolatedAsyncioTestCase):
    async def test_await(self): self.assertEqual(part02.rule_1(0), 0)
`
	mutations := []struct{ name, path, old, new string }{
		{"none", "README.md", "shop", "shop"},
		{"wrong sum", "src/shop/part00.py", "return self.price * count", "return self.price + count"},
		{"wrong everywhere", "src/shop/part02.py", "return total + value", "return total + value + 1"},
		{"raises", "src/shop/part02.py", "total = 0", "raise KeyError(value)"},
		{"another exception", "src/shop/part01.py", "raise ValueError", "raise TypeError"},
		{"renamed function", "src/shop/part02.py", "def rates(", "def rate("},
		{"syntax error", "src/shop/part01.py", "class State(Enum):", "class State(Enum:"},
		{"import error", "src/shop/part00.py", "import json", "import jsn"},
		{"name error at import", "src/shop/part02.py", "OPEN = \"open\"", "OPEN = opn"},
		{"bad data", "src/shop/data/rates2.json", "{", "["},
		{"last module", "src/shop/part17.py", "DONE = \"done\"", "DONE = \"finished\""},
		{"exits at import", "src/shop/part02.py", "class State", "raise SystemExit(3)\nclass State"},
		{"teardown", "tests/test_more.py", "part02.ready = True", "part02.ready = 0"},
		{"setUpClass", "tests/test_more.py", "cls.rates = part02.rates()", "cls.rates = part02.none()"},
		{"setUpModule", "tests/test_more.py", "part02.ready = True", "raise OSError"},
		{"skip in setUpClass", "tests/test_more.py", "cls.rates = part02.rates()", "raise unittest.SkipTest('x')"},
		{"module skipped", "tests/test_more.py", "class Base", "raise unittest.SkipTest('x')\nclass Base"},
	}
	path, err := python()
	if err != nil {
		t.Skipf("no Python: %v", err)
	}
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(base[m.path], m.old) {
				t.Fatalf("%s does not hold %q", m.path, m.old)
			}
			files := base.Overlay(tree.Files{m.path: strings.ReplaceAll(base[m.path], m.old, m.new)})
			results, err := e.Run(t.Context(), Request{Tree: files, PythonPath: []string{"src"}, Suites: []Suite{{Name: "visible"}}})
			if err != nil {
				t.Fatal(err)
			}
			warm := map[string]string{}
			for _, test := range results[0].Tests {
				warm[test.ID] = string(test.Outcome)
			}

			dir := t.TempDir()
			if err := tree.Write(dir, files); err != nil {
				t.Fatal(err)
			}
			log := filepath.Join(t.TempDir(), "log")
			// By discovery, as unittest does not survive most exceptions of a module that is named to it.
			cmd := exec.Command(path, "-B", "-c", coldScript, log, "discover", "-s", "tests", "-t", ".")
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "PYTHONPATH="+filepath.Join(dir, "src"))
			runErr := cmd.Run()
			data, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			// What unittest reports of a module or class that did not load or set up concerns all of its tests.
			cold := map[string]string{}
			for id := range warm {
				cold[id] = "not-run"
			}
			rank := map[string]int{"passed": 1, "skipped": 2, "failed": 3, "errored": 3}
			for line := range strings.Lines(string(data)) {
				var pair [2]string
				if err := json.Unmarshal([]byte(line), &pair); err != nil {
					t.Fatal(err)
				}
				id, outcome := pair[0], pair[1]
				if _, scope, fixture := strings.Cut(id, " ("); fixture || strings.HasPrefix(id, "unittest.loader.") {
					if module, skipped := strings.CutPrefix(id, "unittest.loader.ModuleSkipped."); skipped {
						scope = module
					}
					for id := range cold {
						if outcome == "skipped" && strings.HasPrefix(id, strings.TrimSuffix(scope, ")")+".") {
							cold[id] = outcome
						}
					}
				} else if rank[outcome] > rank[cold[id]] || cold[id] == "not-run" {
					cold[id] = outcome
				}
			}
			if m.name == "exits at import" {
				// The cold process is gone at the first such import; the engine still runs what does not import it.
				if runErr == nil || results[0].End != Broken {
					t.Errorf("end %s, cold %v", results[0].End, runErr)
				}
				return
			}
			if diff := cmp.Diff(cold, warm); diff != "" {
				t.Errorf("outcomes (-cold +engine):\n%s", diff)
			}
			// unittest exits with 0 although tests were skipped or failed as expected; the engine does not take that for a pass.
			clean := runErr == nil && !strings.Contains(fmt.Sprint(cold), "skipped") && !strings.Contains(fmt.Sprint(cold), "expected-failure")
			if results[0].Passed() != clean {
				t.Errorf("end %s, cold %v", results[0].End, runErr)
			}
		})
	}
}
