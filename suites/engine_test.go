package suites

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"favorbench/tree"
)

// python finds the interpreter once for all tests, as each resolving of a shim costs a third of a second.
var python = sync.OnceValues(func() (string, error) { return findPython(context.Background(), "") })

func newEngine(t testing.TB, o Options) *Engine {
	t.Helper()
	if o.Python == "" {
		path, err := python()
		if err != nil {
			t.Skipf("no Python: %v", err)
		}
		o.Python = path
	}
	e, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		dir := e.backend.(*pool).dir
		if err := e.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the folder %s is left behind", dir)
		}
		if left := processesOf(dir); len(left) > 0 {
			t.Errorf("processes are left behind: %v", left)
		}
	})
	return e
}

// processesOf lists processes that name a folder in their command line or environment, or work in it.
func processesOf(dir string) []string {
	var found []string
	entries, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range entries {
		cmdline, _ := os.ReadFile(p + "/cmdline")
		environ, _ := os.ReadFile(p + "/environ")
		cwd, _ := os.Readlink(p + "/cwd")
		if filepath.Base(p) != fmt.Sprint(os.Getpid()) && strings.Contains(string(cmdline)+string(environ)+cwd, dir) {
			found = append(found, filepath.Base(p))
		}
	}
	return found
}

const head = "import os, signal, sys, threading, time, unittest\n"

// one wraps a method body, given by its lines, into a test class T.
func one(body ...string) string {
	return head + "class T(unittest.TestCase):\n    def test_x(self):\n        " + strings.Join(body, "\n        ") + "\n"
}

const add = "def add(a, b):\n    return a + b\n"

// plain is a request that passes in every engine that the run before it left alone.
var plain = Request{
	Tree: tree.Files{
		"kit/__init__.py": "", "kit/sums.py": add, "data/a.txt": "a\n", "data/b.txt": "b\n",
		"tests/test_sums.py": "import unittest, pathlib, os, random, json\nfrom kit.sums import add\n" +
			"class T(unittest.TestCase):\n" +
			"    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n" +
			"    def test_clean(self):\n" +
			"        here = pathlib.Path(__file__).parent.parent\n" +
			"        self.assertEqual(sorted(p.name for p in here.iterdir()), ['data', 'kit', 'tests'])\n" +
			"        self.assertEqual((here / 'data/a.txt').read_text(), 'a\\n')\n" +
			"        self.assertEqual(os.listdir(os.environ['TMPDIR']), [])\n" +
			"        self.assertEqual(json.dumps([1]), '[1]')\n",
	},
	Suites: []Suite{{Name: "visible"}},
}

func TestEnds(t *testing.T) {
	short := Limits{Time: 1500 * time.Millisecond}
	e := newEngine(t, Options{Workers: 1, Limits: short})
	tests := []struct {
		name    string
		files   tree.Files // besides tests/test_x.py
		source  string
		end     End
		message string // part of the result's message
		tests   string // "id outcome" of every test, without its module, in order of ids
		why     string // part of the first test's exception and message
	}{
		{name: "pass", source: one("pass"), end: OK, tests: "T.test_x passed"},
		{name: "failure", source: one("self.assertEqual(1, 2)"), end: Fail, tests: "T.test_x failed", why: "AssertionError: 1 != 2"},
		{name: "error", source: one("{}['k']"), end: Fail, tests: "T.test_x errored", why: "KeyError: 'k'"},
		{name: "skip", source: one("self.skipTest('not today')"), end: Fail, tests: "T.test_x skipped", why: "not today"},
		{name: "skipped class", source: head + "@unittest.skip('all')\nclass T(unittest.TestCase):\n    def test_x(self): pass\n", end: Fail, tests: "T.test_x skipped", why: "all"},
		{name: "skipped module", source: head + "raise unittest.SkipTest('mod')\nclass T(unittest.TestCase):\n    def test_x(self): pass\n", end: Fail, tests: "T.test_x skipped", why: "mod"},
		{name: "expected failure", source: head + "class T(unittest.TestCase):\n    @unittest.expectedFailure\n    def test_x(self): self.fail()\n", end: Fail, tests: "T.test_x expected-failure"},
		{name: "unexpected success", source: head + "class T(unittest.TestCase):\n    @unittest.expectedFailure\n    def test_x(self): pass\n", end: Fail, tests: "T.test_x unexpected-success"},
		{name: "subtest", source: one("for i in range(3):", "    with self.subTest(i=i): self.assertNotEqual(i, 1)"), end: Fail, tests: "T.test_x failed", why: "(i=1) 1 == 1"},
		{name: "subtests pass", source: one("for i in range(3):", "    with self.subTest(i=i): pass"), end: OK, tests: "T.test_x passed"},
		{name: "teardown fails", source: one("pass") + "    def tearDown(self): raise OSError('late')\n", end: Fail, tests: "T.test_x errored", why: "OSError: late"},
		{name: "setUpClass", source: one("pass") + "    def test_y(self): pass\n    @classmethod\n    def setUpClass(cls): raise ValueError('cold')\n", end: Broken, message: "ValueError: setUpClass: cold", tests: "T.test_x not-run, T.test_y not-run", why: "ValueError: setUpClass: cold"},
		{name: "setUpClass skips", source: one("pass") + "    @classmethod\n    def setUpClass(cls): raise unittest.SkipTest('cold')\n", end: Fail, tests: "T.test_x skipped", why: "cold"},
		{name: "setUpModule", source: one("pass") + "def setUpModule(): raise ValueError('cold')\n", end: Broken, message: "setUpModule: cold", tests: "T.test_x not-run"},
		{name: "tearDownClass", source: one("pass") + "    @classmethod\n    def tearDownClass(cls): raise ValueError('hot')\n", end: Broken, message: "tearDownClass: hot", tests: "T.test_x passed"},
		{name: "async", source: head + "class T(unittest.IsolatedAsyncioTestCase):\n    async def test_x(self): self.assertTrue(False)\n", end: Fail, tests: "T.test_x failed"},
		{name: "import error", source: "import nowhere\n" + one("pass"), end: Broken, message: "No module named 'nowhere'", tests: "T.test_x not-run", why: "ModuleNotFoundError: No module named 'nowhere'"},
		{name: "syntax error in an imported module", files: tree.Files{"kit/bad.py": "def f(:\n"}, source: "import kit.bad\n" + one("pass"), end: Broken, message: "SyntaxError", tests: "T.test_x not-run"},
		{name: "syntax error in the suite", source: "def f(:\n", end: Broken, message: "tests/test_x.py does not parse: line 1"},
		{name: "null byte", source: "x = '\x00'\n", end: Broken, message: "does not parse"},
		{name: "no tests", source: head + "class T(unittest.TestCase): pass\n", end: NoTests},
		{name: "exit at import", source: head + "sys.exit(0)\nclass T(unittest.TestCase):\n    def test_x(self): pass\n", end: Broken, message: "SystemExit: 0", tests: "T.test_x not-run"},
		{name: "os._exit at import", source: head + "os._exit(0)\nclass T(unittest.TestCase):\n    def test_x(self): pass\n", end: Died, message: "exit status 0", tests: "T.test_x not-run"},
		{name: "os._exit(0)", source: one("os._exit(0)"), end: Died, message: "exit status 0 in tests.test_x.T.test_x", tests: "T.test_x not-run", why: "while the test ran"},
		{name: "sys.exit", source: one("sys.exit(0)"), end: Fail, tests: "T.test_x errored", why: "SystemExit: 0"},
		{name: "keyboard interrupt", source: one("raise KeyboardInterrupt") + "    def test_y(self): pass\n", end: Died, message: "KeyboardInterrupt", tests: "T.test_x errored, T.test_y not-run"},
		{name: "atexit", source: "import atexit, os\natexit.register(os._exit, 0)\n" + one("self.fail('x')"), end: Fail, tests: "T.test_x failed"},
		{name: "killed", source: one("os.kill(os.getpid(), signal.SIGKILL)"), end: Died, message: "SIGKILL", tests: "T.test_x not-run"},
		{name: "crash", source: one("import ctypes", "ctypes.string_at(0)"), end: Died, message: "SIGSEGV", tests: "T.test_x not-run"},
		{name: "recursion", source: one("def f(): f()", "f()"), end: Fail, tests: "T.test_x errored", why: "RecursionError"},
		{name: "memory", source: one("x = 'a' * (8 << 30)"), end: Fail, tests: "T.test_x errored", why: "MemoryError"},
		{name: "endless loop", source: one("while True: pass"), end: Timeout, message: "time limit of 1.5 s in tests.test_x.T.test_x", tests: "T.test_x not-run"},
		{name: "sleep", source: one("time.sleep(100)"), end: Timeout, tests: "T.test_x not-run"},
		{name: "ignores signals", source: one("for s in range(1, 60):", "    try: signal.signal(s, signal.SIG_IGN)", "    except (OSError, ValueError): pass", "while True: time.sleep(1)"), end: Timeout, tests: "T.test_x not-run"},
		{name: "10 MB of output", source: one("print('x' * 10_000_000)"), end: OutputLimit, message: "more than 1048576 bytes", tests: "T.test_x not-run"},
		{name: "much output in small pieces", source: one("for _ in range(200_000): os.write(2, b'0123456789')"), end: OutputLimit, tests: "T.test_x not-run"},
		{name: "output that is no text", source: one("os.write(1, b'\\xf0\\xff')"), end: OK, tests: "T.test_x passed"},
		{name: "printed verdict", source: head + "print('tests.test_x.T.test_x ... ok\\nRan 1 test\\n\\nOK')\n" + one("self.fail('no')"), end: Fail, tests: "T.test_x failed"},
		{name: "message that is no text", source: one("self.fail('a\\udcffb\\x00')"), end: Fail, tests: "T.test_x failed", why: `a\udcffb`},
		{name: "long message", source: one("self.fail('x' * 5_000_000)"), end: Fail, tests: "T.test_x failed", why: "x [cut]"},
		{name: "message that raises", source: head + "class E(Exception):\n    def __str__(self): raise ValueError\n" + one("raise E"), end: Fail, tests: "T.test_x errored", why: "tests.test_x.E: <text of the message raised ValueError>"},
		{name: "address in a message", source: one("self.fail(repr(object()))"), end: Fail, tests: "T.test_x failed", why: "AssertionError: <object object>"},
		{name: "path in a message", source: one("open(os.getcwd() + '/none')"), end: Fail, tests: "T.test_x errored", why: "No such file or directory: 'none'"},
		{name: "temporary path in a message", source: one("import tempfile", "self.fail(tempfile.mkdtemp())"), end: Fail, tests: "T.test_x failed", why: "AssertionError: <tmp>"},
		{name: "closes everything", source: one("os.closerange(0, 1000)"), end: Died, tests: "T.test_x not-run"},
		{name: "junk to every descriptor", source: one("for fd in range(3, 300):", "    try: os.write(fd, b'junk' * 10)", "    except OSError: pass"), end: Protocol, message: "bytes in the report", tests: "T.test_x not-run"},
		{name: "zero bytes to every descriptor", source: one("for fd in range(3, 300):", "    try: os.write(fd, b'\\0\\0\\0\\0')", "    except OSError: pass"), end: Protocol, message: "bytes in the report", tests: "T.test_x not-run"},
		{name: "closes and takes the place of the report", source: one("os.close(3)", "os.open('tests/test_x.py', os.O_RDWR)"), end: Died, tests: "T.test_x not-run"},
		{name: "background child", source: one("if os.fork() == 0:", "    os.setsid()", "    if os.fork() == 0: time.sleep(1000)", "    os._exit(0)"), end: OK, tests: "T.test_x passed"},
		{name: "background child, then hangs", source: one("if os.fork() == 0:", "    os.setsid()", "    if os.fork() == 0: time.sleep(1000)", "    os._exit(0)", "time.sleep(1000)"), end: Timeout, tests: "T.test_x not-run"},
		{name: "background command", source: one("import subprocess", "subprocess.Popen(['sleep', '1000'], start_new_session=True, env={}, close_fds=False)"), end: OK, tests: "T.test_x passed"},
		{name: "fork goes on", source: one("os.fork()"), end: OK, tests: "T.test_x passed"},
		{name: "thread lives on", source: one("threading.Thread(target=time.sleep, args=(1000,)).start()"), end: OK, tests: "T.test_x passed"},
		{name: "kills its parent", source: one("os.kill(os.getppid(), signal.SIGTERM)", "time.sleep(0.3)", "os.kill(os.getppid(), signal.SIGKILL)", "time.sleep(0.3)"), end: OK, tests: "T.test_x passed"},
		{name: "patched TestCase.run", source: head + "def run(self, result=None):\n    result.startTest(self); result.addSuccess(self); result.stopTest(self)\nunittest.TestCase.run = run\n" + one("self.fail('x')"), end: Protocol, message: "TestCase.run of unittest was replaced", tests: "T.test_x not-run"},
		{name: "patched assertEqual", files: tree.Files{"kit/evil.py": "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n"}, source: "import kit.evil\n" + one("self.assertEqual(1, 2)"), end: Protocol, message: "TestCase.assertEqual of unittest was replaced", tests: "T.test_x not-run"},
		{name: "patched while it ran", source: one("unittest.TestCase.fail = lambda *a: None") + "    def test_y(self): self.fail('x')\n", end: Protocol, message: "TestCase.fail of unittest was replaced", tests: "T.test_x passed, T.test_y passed"},
		{name: "patched TestResult and json", source: head + "import json\nfor n in ('addFailure', 'addError'): setattr(unittest.TestResult, n, lambda *a: None)\njson.dumps = json.JSONEncoder.encode = json.encoder.c_make_encoder = lambda *a, **k: '[]'\n" + one("self.fail('x')"), end: Fail, tests: "T.test_x failed"},
		{name: "patched builtins", source: "import builtins\nbuiltins.len = builtins.str = builtins.isinstance = lambda *a: 1 / 0\n" + one("self.assertTrue(False)"), end: Died, message: "ZeroDivisionError", tests: "T.test_x not-run"},
		{name: "emptied sys.modules", source: one("sys.modules.clear()"), end: OK, tests: "T.test_x passed"},
		{name: "reports for itself", source: one("r = self._outcome.result", "r.addSuccess(self)", "self.fail('x')"), end: Fail, tests: "T.test_x failed"},
		{name: "reports twice", source: one("r = self._outcome.result", "r.addSuccess(self)", "r.stopTest(self)", "r.startTest(self)"), end: Protocol, message: "reported twice", tests: "T.test_x passed"},
		{name: "test made at run time", source: one("pass") + "setattr(T, 'test a b', lambda self: None)\n", end: Protocol, message: "does not hold: tests.test_x.T.test a b", tests: "T.test_x passed"},
		{name: "test taken away at run time", source: one("pass") + "delattr(T, 'test_x')\n", end: Protocol, message: "never reported", tests: "T.test_x not-run"},
		{name: "constructor raises", source: one("pass") + "    def __init__(self, name): raise ValueError('no')\n", end: Broken, message: "ValueError: no", tests: "T.test_x not-run"},
		{name: "writes into the tree", source: one("open('data/a.txt', 'w').write('X\\n')", "os.remove('data/b.txt')", "os.mkdir('more')", "open('kit/sums.py', 'a').write('boom(')"), end: OK, tests: "T.test_x passed"},
		{name: "writes through a map", source: one("import mmap", "f = open('data/a.txt', 'r+b')", "m = mmap.mmap(f.fileno(), 0)", "m[0:1] = b'X'"), end: OK, tests: "T.test_x passed"},
		{name: "removes the tree", source: one("import shutil", "shutil.rmtree(os.getcwd())"), end: OK, tests: "T.test_x passed"},
		{name: "puts a link in place of the tree", source: one("root = os.getcwd()", "os.rename(root, root + '2')", "os.symlink('/', root)"), end: OK, tests: "T.test_x passed"},
		{name: "puts links into the tree", source: one("os.remove('data/a.txt')", "os.symlink('/etc/passwd', 'data/a.txt')", "os.link('data/b.txt', os.environ['TMPDIR'] + '/b')", "os.chmod('kit', 0)"), end: OK, tests: "T.test_x passed"},
		{name: "fills the temporary folder", source: one("open(os.environ['TMPDIR'] + '/x', 'w').write('x')"), end: OK, tests: "T.test_x passed"},
		{name: "stale bytecode", files: tree.Files{"kit/__pycache__/sums.cpython-311.pyc": "junk", "kit/ghost.pyc": "junk"}, source: "import kit.sums\ntry:\n    import kit.ghost\nexcept ImportError: pass\n" + one("self.assertEqual(kit.sums.add(1, 1), 2)"), end: OK, tests: "T.test_x passed"},
		{name: "project module named as one of the library", files: tree.Files{"statistics.py": "HERE = 1\n"}, source: "import statistics\n" + one("self.assertEqual(statistics.HERE, 1)"), end: OK, tests: "T.test_x passed"},
		{name: "no secrets", source: one("self.assertLessEqual(set(os.environ), {'PATH', 'LANG', 'TZ', 'HOME', 'TMPDIR', 'PYTHONHASHSEED', 'FAVORBENCH_WORKER', 'LC_CTYPE'})"), end: OK, tests: "T.test_x passed"},
		{name: "base class in another file", files: tree.Files{"kit/cases.py": "import unittest as u\nclass Base(u.TestCase):\n    def test_base(self): pass\n"}, source: "from kit import cases\nclass T(cases.Base):\n    def test_x(self): pass\n", end: OK, tests: "T.test_base passed, T.test_x passed"},
		{name: "mixin and inherited", source: head + "class M:\n    def test_m(self): self.fail('m')\nclass A(unittest.TestCase):\n    def test_a(self): pass\nclass B(M, A):\n    test_a = None\n", end: Fail, tests: "A.test_a passed, B.test_m failed"},
		{name: "class under a condition", source: head + "if sys.maxsize < 3:\n    class T(unittest.TestCase):\n        def test_x(self): pass\n", end: Protocol, message: "never reported", tests: "T.test_x not-run"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := Request{Tree: plain.Tree.Filter(func(p string) bool { return !strings.HasPrefix(p, "tests/") }).
				Overlay(test.files, tree.Files{"tests/test_x.py": test.source}), Suites: []Suite{{Name: "s"}}}
			begin := time.Now()
			results, err := e.Run(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(begin); took > short.Time+3*time.Second {
				t.Errorf("took %v", took)
			}
			got := results[0]
			if got.End != test.end || !strings.Contains(got.Message, test.message) {
				t.Errorf("end %s %q, want %s and %q", got.End, got.Message, test.end, test.message)
			}
			var all []string
			for _, one := range got.Tests {
				all = append(all, strings.TrimPrefix(one.ID, "tests.test_x.")+" "+string(one.Outcome))
			}
			if list := strings.Join(all, ", "); list != test.tests {
				t.Errorf("tests %s, want %s", list, test.tests)
			}
			if test.why != "" {
				if text := got.Tests[0].Exception + ": " + got.Tests[0].Message; !strings.Contains(text, test.why) {
					t.Errorf("the test says %.300q, want %q", text, test.why)
				}
			}
			for _, one := range got.Tests {
				if len([]rune(one.Message)) > 2000 {
					t.Errorf("a message of %d characters", len(one.Message))
				}
			}
			if left := childrenOf(e); left > 0 {
				t.Errorf("%d processes of the run are alive", left)
			}
			after, err := e.Run(t.Context(), plain)
			if err != nil || !after[0].Passed() {
				t.Errorf("the run after it is not clean: %+v, %v", after, err)
			}
		})
	}
}

// childrenOf counts processes below the engine's workers.
func childrenOf(e *Engine) int {
	n := 0
	for _, s := range e.backend.(*pool).all {
		s.mu.Lock()
		if s.worker != nil {
			data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", s.worker.cmd.Process.Pid))
			n += len(strings.Fields(string(data)))
		}
		s.mu.Unlock()
	}
	return n
}

func TestSuitesAfterOneThatEndsBadlyStillRun(t *testing.T) {
	e := newEngine(t, Options{Workers: 1, Limits: Limits{Time: time.Second}})
	hidden := func(name, source string) Suite {
		return Suite{Name: name, Modules: map[string]string{"test_h.py": source}}
	}
	r := Request{Tree: plain.Tree, Suites: []Suite{
		hidden("passes", one("pass")), hidden("hangs", one("time.sleep(100)")), hidden("passes", one("pass")),
		hidden("dies", one("os._exit(0)")), hidden("empty", ""), hidden("talks", one("print('x' * 3_000_000)")),
		hidden("leaks", one("import json", "json.dumps = None")), hidden("sees", one("import json", "json.dumps(1)")),
		{Name: "visible"}, {Name: "none", Modules: map[string]string{}},
	}}
	results, err := e.Run(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var got []End
	for _, result := range results {
		got = append(got, result.End)
	}
	want := []End{OK, Timeout, OK, Died, NoTests, OutputLimit, OK, OK, OK, NoTests}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ends (-want +got):\n%s%+v", diff, results)
	}
}

func TestHiddenSuites(t *testing.T) {
	e := newEngine(t, Options{Workers: 1})
	source := head + "import inspect, linecache, helpers\nfrom kit import peek\nSECRET = 'only here'\nclass T(unittest.TestCase):\n" +
		"    def test_nothing_to_see(self):\n" +
		"        self.assertEqual(__name__, 'test_h')\n" +
		"        self.assertFalse(os.path.exists(__file__))\n" +
		"        self.assertEqual(peek.lines(), [])\n" +
		"        with self.assertRaises((OSError, TypeError)): inspect.getsource(type(self).test_nothing_to_see)\n" +
		"        self.assertEqual(helpers.TWO, 2)\n" +
		"    def test_frames(self): peek.boom()\n"
	r := Request{
		Tree:       tree.Files{"src/kit/peek.py": "import linecache, sys\ndef lines():\n    return linecache.getlines(sys._getframe(1).f_code.co_filename)\n\ndef boom():\n    raise LookupError('boom')\n"},
		PythonPath: []string{"src"},
		Suites:     []Suite{{Name: "hidden", Modules: map[string]string{"test_h.py": source, "helpers.py": "TWO = 2\n"}}},
	}
	results, err := e.Run(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	want := []Result{{Suite: "hidden", End: Fail, Tests: []Test{
		{ID: "test_h.T.test_frames", Outcome: Errored, Exception: "LookupError", Message: "boom", Frames: []string{"src/kit/peek.py:6 in boom"}},
		{ID: "test_h.T.test_nothing_to_see", Outcome: Passed, Frames: []string{}},
	}}}
	if diff := cmp.Diff(want, results); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}

	// A patch below the surface, where no name changes, is caught by tests that must fail.
	r.Suites[0].Modules = map[string]string{"test_h.py": one("from kit import evil", "self.assertEqual(1, 2)")}
	r.Tree = tree.Files{"src/kit/evil.py": "import unittest\nunittest.TestCase._baseAssertEqual.__code__ = (lambda self, first, second, msg=None: None).__code__\n"}
	results, err = e.Run(t.Context(), r)
	if err != nil || results[0].End != Protocol || !strings.Contains(results[0].Message, "must fail did not: equal") {
		t.Errorf("a suite whose machinery was patched: %+v, %v", results, err)
	}
}

func TestTrace(t *testing.T) {
	e := newEngine(t, Options{Workers: 1})
	source := "\"\"\"Doc.\"\"\"\nimport functools\n\n\n@functools.cache\ndef f(x):\n    \"\"\"Doc.\"\"\"\n    if x:\n        return 1\n    return 2\n\n\nclass C:\n    def m(self):\n        yield 3\n"
	r := Request{Tree: tree.Files{"kit.py": source, "other.py": "x = 1\n"}, Trace: []string{"kit.py", "other.py"},
		Suites: []Suite{{Name: "h", Modules: map[string]string{"test_h.py": "import kit\n" + one("kit.f(1)")}}}}
	results, err := e.Run(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string][]int{"kit.py": {1, 2, 5, 6, 8, 9, 10, 13, 14, 15}, "other.py": {1}}, results[0].Executable); diff != "" {
		t.Errorf("executable (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string][]int{"kit.py": {1, 2, 5, 6, 8, 9, 13, 14}, "other.py": {}}, results[0].Lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestShuffleChangesTheOrderOfTestsOnly(t *testing.T) {
	e := newEngine(t, Options{Workers: 2})
	source := head + "seen = []\nclass T(unittest.TestCase):\n"
	for i := range 8 {
		source += fmt.Sprintf("    def test_%d(self): seen.append(%[1]d); self.addCleanup(lambda: None); self.fail(str(len(seen)))\n", 7-i)
	}
	order := func(seed int64) string {
		results, err := e.Run(t.Context(), Request{Tree: plain.Tree, Shuffle: seed, Suites: []Suite{{Name: "h", Modules: map[string]string{"test_h.py": source}}}})
		if err != nil {
			t.Fatal(err)
		}
		var at strings.Builder
		for _, test := range results[0].Tests {
			at.WriteString(test.Message)
		}
		return at.String()
	}
	if got := order(0); got != "87654321" {
		t.Errorf("without a seed the order of the source is not kept: places %s", got)
	}
	if a, b := order(1), order(2); a == b || a == "87654321" || a != order(1) {
		t.Errorf("seeds 1 and 2 give places %s and %s", a, b)
	}
}

func TestSameResultTwiceAndConcurrently(t *testing.T) {
	e := newEngine(t, Options{Workers: 2})
	r := Request{Tree: plain.Tree.Overlay(tree.Files{"tests/test_y.py": head + "import glob, random\nclass T(unittest.TestCase):\n" +
		"    def test_set(self): self.fail(str({'a', 'b', 'c', 'dd', 'ee'}))\n" +
		"    def test_random(self): self.fail(str(random.random()))\n" +
		"    def test_object(self): self.fail(repr(self) + repr(threading.current_thread))\n" +
		"    def test_listing(self): self.fail(str(os.listdir('data')) + str(glob.glob('**/*', recursive=True)))\n"}), Suites: []Suite{{Name: "a"}, {Name: "b"}}}
	want, err := e.Run(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			if i%3 == 0 {
				// Trees of another shape in between, so that folders are changed back and forth.
				if _, err := e.Run(t.Context(), plain); err != nil {
					t.Error(err)
				}
			}
			got, err := e.Run(t.Context(), r)
			if err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("not the same result (-first +now):\n%s", diff)
			}
		})
	}
	wg.Wait()
}

func TestInvalidRequests(t *testing.T) {
	e := &Engine{backend: refuses{t}}
	for _, r := range []Request{
		{Tree: tree.Files{"../a": ""}},
		{Tree: tree.Files{"a": "", "a/b": ""}},
		{Tree: plain.Tree, PythonPath: []string{"/etc"}},
		{Tree: plain.Tree, Trace: []string{"none.py"}},
		{Tree: plain.Tree, Suites: []Suite{{Modules: map[string]string{"a/test_x.py": ""}}}},
		{Tree: plain.Tree, Suites: []Suite{{Modules: map[string]string{"test_x.txt": ""}}}},
	} {
		if _, err := e.Run(t.Context(), r); err == nil {
			t.Errorf("%+v is accepted", r)
		}
	}
}

// refuses is a backend that no request may reach.
type refuses struct{ t *testing.T }

func (r refuses) run(context.Context, Request, Limits) ([]Result, error) {
	r.t.Error("an invalid request reached the backend")
	return nil, nil
}
func (r refuses) inspect(context.Context, map[string]string) ([]Source, error) { return nil, nil }
func (r refuses) describe() string                                             { return "" }
func (r refuses) close() error                                                 { return nil }

func TestCancel(t *testing.T) {
	e := newEngine(t, Options{Workers: 1})
	ctx, cancel := context.WithCancel(t.Context())
	r := Request{Tree: plain.Tree.Overlay(tree.Files{"tests/test_x.py": one("os.mkfifo('/dev/shm/' + str(os.getppid()) + 'x') if 0 else None", "time.sleep(100)")}), Suites: []Suite{{Name: "s"}}}
	timer := time.AfterFunc(500*time.Millisecond, cancel)
	defer timer.Stop()
	begin := time.Now()
	if _, err := e.Run(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if took := time.Since(begin); took > 3*time.Second {
		t.Errorf("returned after %v", took)
	}
	if left := processesOf(e.backend.(*pool).dir); len(left) > 0 {
		t.Errorf("processes left: %v", left)
	}
	if results, err := e.Run(t.Context(), plain); err != nil || !results[0].Passed() {
		t.Errorf("the run after it: %+v, %v", results, err)
	}
}

func TestEndOfTheEnginesContext(t *testing.T) {
	path, err := python()
	if err != nil {
		t.Skipf("no Python: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	e, err := New(ctx, Options{Python: path, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	dir := e.backend.(*pool).dir
	cancel()
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder is left behind")
	}
	if left := processesOf(dir); len(left) > 0 {
		t.Errorf("processes left: %v", left)
	}
	if _, err := e.Run(t.Context(), plain); !errors.Is(err, errClosed) {
		t.Errorf("a run after the end: %v", err)
	}
}

// TestKilledDriver starts this very test in a process of its own, which says where its folder is, and kills it during a run.
func TestKilledDriver(t *testing.T) {
	hangs := Request{Tree: tree.Files{"test_x.py": one("if os.fork() == 0: os.setsid()", "time.sleep(1000)")}, Suites: []Suite{{Name: "s"}}}
	if os.Getenv("FAVORBENCH_TEST_DRIVER") != "" {
		e := newEngine(t, Options{Workers: 2})
		if _, err := e.Run(t.Context(), plain); err != nil {
			t.Fatal(err)
		}
		fmt.Println(e.backend.(*pool).dir)
		e.Run(t.Context(), hangs)
		return
	}
	path, err := python()
	if err != nil {
		t.Skipf("no Python: %v", err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledDriver$")
	cmd.Env = append(os.Environ(), "FAVORBENCH_TEST_DRIVER=1", "FAVORBENCH_PYTHON="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	dir, err := bufio.NewReader(out).ReadString('\n')
	dir = strings.TrimSpace(dir)
	cmd.Process.Kill()
	cmd.Wait()
	if err != nil || !strings.Contains(dir, "favorbench-suites-") {
		t.Fatalf("the process says %q, %v", dir, err)
	}
	// The workers notice by themselves; there is nobody to wait for.
	gone := func() bool {
		_, err := os.Stat(dir)
		return errors.Is(err, os.ErrNotExist) && len(processesOf(dir)) == 0
	}
	for deadline := time.Now().Add(10 * time.Second); !gone(); runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("left behind: %s, processes %v", dir, processesOf(dir))
		}
	}
}

func TestWorkerIsReplaced(t *testing.T) {
	e := newEngine(t, Options{Workers: 1})
	p := e.backend.(*pool)
	if _, err := e.Run(t.Context(), plain); err != nil {
		t.Fatal(err)
	}
	p.all[0].worker.cmd.Process.Kill()
	if results, err := e.Run(t.Context(), plain); err != nil || !results[0].Passed() {
		t.Errorf("after its worker was killed: %+v, %v", results, err)
	}
	old := p.all[0].worker
	old.from.Close()
	if results, err := e.Run(t.Context(), plain); err != nil || !results[0].Passed() {
		t.Errorf("after its pipe was closed: %+v, %v", results, err)
	}
}

// TestWithoutNamespace runs what the namespace takes care of where there is none.
func TestWithoutNamespace(t *testing.T) {
	e := newEngine(t, Options{Workers: 1, Limits: Limits{Time: time.Second}})
	p := e.backend.(*pool)
	p.all[0].drop()
	p.namespace = false
	r := Request{Tree: plain.Tree, Suites: []Suite{
		{Name: "daemon", Modules: map[string]string{"test_h.py": one("if os.fork() == 0:", "    os.setsid()", "    if os.fork() == 0: time.sleep(1000)", "    os._exit(0)")}},
		{Name: "killer", Modules: map[string]string{"test_h.py": one("if os.fork() == 0:", "    os.setsid()", "    time.sleep(1000)", "os.kill(os.getppid(), 9)", "time.sleep(100)")}},
		{Name: "visible"},
		{Name: "hangs", Modules: map[string]string{"test_h.py": one("if os.fork() == 0:", "    os.setsid()", "    if os.fork() == 0: time.sleep(1000)", "    os._exit(0)", "time.sleep(100)")}},
	}}
	results, err := e.Run(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, result := range results {
		for _, test := range result.Tests {
			got = append(got, result.Suite+" "+string(result.End)+" "+string(test.Outcome))
		}
	}
	want := []string{"daemon ok passed", "killer died not-run", "visible ok passed", "visible ok passed", "hangs timeout not-run"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results (-want +got):\n%s%+v", diff, results)
	}
	if n := childrenOf(e); n > 0 {
		t.Errorf("%d processes are left", n)
	}
	if left := processesOf(p.dir); len(left) != 1 {
		t.Errorf("processes %v, want the worker alone", left)
	}
}

func TestOldPython(t *testing.T) {
	var old string
	for _, name := range []string{"python3.10", "python3.9", "python3.8"} {
		found, err := exec.LookPath(name)
		if err == nil && exec.Command(found, "-c", "").Run() == nil {
			old = found
			break
		}
	}
	if old == "" {
		matches, _ := filepath.Glob(filepath.Join(os.Getenv("HOME"), ".pyenv/versions/3.10.*/bin/python3.10"))
		if len(matches) == 0 {
			t.Skip("no Python older than 3.11 on this machine")
		}
		old = matches[0]
	}
	_, err := New(t.Context(), Options{Python: old})
	if err == nil || !strings.Contains(err.Error(), "install Python 3.11 or later") {
		t.Errorf("error %v, want one that says what to install", err)
	}
}

func TestInspect(t *testing.T) {
	e := newEngine(t, Options{Workers: 1})
	files := map[string]string{
		"shop/__init__.py": "",
		"shop/base.py":     "from unittest import TestCase as TC\nclass Base(TC):\n    def test_base(self): ...\n",
		"shop/test_a.py": "import unittest as u\nfrom .base import Base\nfrom .money import Amount as A\nimport shop.rates.daily\n" +
			"class T(Base, u.TestCase):\n    def setUp(self): self.basket = A('two-words', currency_code='eur')\n" +
			"    def test_x(self):\n        self.assertEqual(self.basket.grand_total().lower(), shop.rates.daily.load(strict_mode=True, indent=2))\n" +
			"    def helper(self, named): return self.helper(named=1)\nclass Plain:\n    def test_no(self): ...\n",
		"bad.py": "x = (\n", "bad.toml": "a = 1\nb =\n", "bad.json": "{\n\"a\": }\n", "bad.ini": "[a]\nx = 1\nx = 2\n", "bad.cfg": "x\n",
		"ok.toml": "a = 1\n", "ok.json": "[]", "ok.ini": "[a]\nb = %x\n", "any.csv": "\"", "note.md": "", "latin.py": "x = '\xff'\n",
	}
	got, err := e.Inspect(t.Context(), files)
	if err != nil {
		t.Fatal(err)
	}
	want := []Source{
		{Path: "any.csv"}, {Path: "bad.cfg", Syntax: "line 1: File contains no section headers. file: '<string>', line: 1 'x\\n'"},
		{Path: "bad.ini", Syntax: "line 3: While reading from '<string>' [line 3]: option 'x' in section 'a' already exists"},
		{Path: "bad.json", Syntax: "line 2: Expecting value"}, {Path: "bad.py", Syntax: "line 1: '(' was never closed"},
		{Path: "bad.toml", Syntax: "line 2: Invalid value"}, {Path: "latin.py", Syntax: "line 1: not UTF-8"}, {Path: "note.md"},
		{Path: "ok.ini"}, {Path: "ok.json"}, {Path: "ok.toml"},
		{Path: "shop/__init__.py", Imports: []string{}, Names: []string{}, Tests: []string{}},
		{Path: "shop/base.py", Tests: []string{"Base.test_base"}, Imports: []string{"unittest", "unittest.TestCase"}, Names: []string{}},
		{Path: "shop/test_a.py", Tests: []string{"T.test_base", "T.test_x"},
			Imports: []string{"shop.base", "shop.base.Base", "shop.money", "shop.money.Amount", "shop.rates.daily", "unittest"},
			Names:   []string{"Amount", "Base", "currency_code", "daily", "grand_total", "rates", "strict_mode", "two-words"}},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Source{}, "Units")); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
}

// TestUnits: the shape of a function is what is left of it without names, values and docstring, so that a renamed copy has the same.
func TestUnits(t *testing.T) {
	e := newEngine(t, Options{Workers: 1})
	got, err := e.Inspect(t.Context(), map[string]string{
		"a.py": "\"\"\"Doc.\"\"\"\nimport os\nLIMIT = 3\nclass Desk:\n    \"\"\"Doc.\"\"\"\n    size = 2\n    def take(self, one):\n        \"\"\"Take.\"\"\"\n        return one + self.size\n",
		"b.py": "async def other(): pass\ndef give(this, two):\n    return two + this.width\n",
		"c.py": "def give(this, two):\n    return two - this.width\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	take := []string{"FunctionDef", "arguments", "arg", "arg", "Return", "BinOp", "Name", "Add", "Attribute", "Name"}
	minus := slices.Clone(take)
	minus[7] = "Sub"
	want := []Source{
		{Path: "a.py", Units: []Unit{{"Desk.take", 7, take}, {"", 1, []string{"Assign", "Name", "Constant", "Assign", "Name", "Constant"}}}},
		{Path: "b.py", Units: []Unit{{"other", 1, []string{"AsyncFunctionDef", "arguments", "Pass"}}, {"give", 2, take}}},
		{Path: "c.py", Units: []Unit{{"give", 1, minus}}},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Source{}, "Tests", "Imports", "Names")); diff != "" {
		t.Errorf("units (-want +got):\n%s", diff)
	}
}
