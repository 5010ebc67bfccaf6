package suites

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"favorbench/tree"
)

// shopTree is a tree of 36 files, as large as those the engine is made for: a package of modules that import one another, data,
// and tests.
func shopTree() tree.Files {
	f := tree.Files{"README.md": "# shop\n", "pyproject.toml": "[project]\nname = \"shop\"\n", "src/shop/__init__.py": "", "tests/__init__.py": ""}
	const n = 18
	for i := range n {
		var b strings.Builder
		b.WriteString("\"\"\"Module of the shop.\"\"\"\nfrom __future__ import annotations\n\nimport json\nfrom dataclasses import dataclass, field\nfrom decimal import Decimal\nfrom enum import Enum\nfrom pathlib import Path\n\n")
		if i > 0 {
			fmt.Fprintf(&b, "from shop import part%02d\n", i-1)
		}
		if i > 3 {
			fmt.Fprintf(&b, "from shop.part%02d import Item as Other\n", i/2)
		}
		fmt.Fprintf(&b, "\n\nclass State(Enum):\n    OPEN = \"open\"\n    DONE = \"done\"\n\n\n@dataclass(frozen=True)\nclass Item:\n    name: str\n    price: Decimal\n    tags: tuple[str, ...] = field(default=())\n\n    def total(self, count: int) -> Decimal:\n        if count < 0:\n            raise ValueError(f\"count {count} is negative\")\n        return self.price * count\n\n")
		for k := range 12 {
			fmt.Fprintf(&b, "\ndef rule_%d(value: int, limit: int = %d) -> int:\n    \"\"\"Applies a rule.\"\"\"\n    if value > limit:\n        return limit\n    total = 0\n    for step in range(value %% 7):\n        total += step * %d\n    return total + value\n\n", k, 50+k, k+1)
		}
		fmt.Fprintf(&b, "\ndef rates() -> dict:\n    return json.loads((Path(__file__).parent / \"data\" / \"rates%d.json\").read_text())\n", i%4)
		f[fmt.Sprintf("src/shop/part%02d.py", i)] = b.String()
	}
	for i := range 4 {
		f[fmt.Sprintf("src/shop/data/rates%d.json", i)] = "{\"eur\": 1, \"usd\": 2}\n"
	}
	for i := range 10 {
		f[fmt.Sprintf("tests/test_part%02d.py", i)] = shopTest(i)
	}
	return f
}

func shopTest(i int) string {
	return fmt.Sprintf(`import unittest
from decimal import Decimal

from shop import part%02[1]d as part, part17


class PartTest(unittest.TestCase):
    def setUp(self):
        self.item = part.Item("pen", Decimal("1.50"))

    def test_total(self):
        self.assertEqual(self.item.total(3), Decimal("4.50"))

    def test_negative(self):
        with self.assertRaisesRegex(ValueError, "negative"):
            self.item.total(-1)

    def test_rules(self):
        for value in range(10):
            with self.subTest(value=value):
                self.assertEqual(part.rule_0(value), value + sum(range(value %% 7)))

    def test_limit(self):
        self.assertEqual(part.rule_3(1000), 53)

    def test_rates(self):
        self.assertEqual(part.rates()["usd"], 2)

    def test_last(self):
        self.assertEqual(part17.State("done"), part17.State.DONE)
`, i)
}

// shopStates are trees as instances have them: the same but for a file or two.
func shopStates(n int) []tree.Files {
	base := shopTree()
	states := []tree.Files{base}
	for i := 1; i < n; i++ {
		p := fmt.Sprintf("src/shop/part%02d.py", i%18)
		states = append(states, base.Overlay(tree.Files{p: strings.Replace(base[p], "return self.price * count", fmt.Sprintf("return self.price * count * %d", i%3), 1)}))
	}
	return states
}

// shopSuites are the visible tests and three suites from outside the tree.
func shopSuites() []Suite {
	suites := []Suite{{Name: "visible"}}
	for i := range 3 {
		suites = append(suites, Suite{Name: fmt.Sprintf("hidden%d", i), Modules: map[string]string{fmt.Sprintf("test_hidden%d.py", i): shopTest(10 + i)}})
	}
	return suites
}

// BenchmarkIsolated runs four suites on a state, with as many states at once as there are workers. One operation is one state.
func BenchmarkIsolated(b *testing.B) {
	e := newEngine(b, Options{})
	states, suites := shopStates(7), shopSuites()
	run := func(i int) {
		results, err := e.Run(b.Context(), Request{Tree: states[i%len(states)], PythonPath: []string{"src"}, Suites: suites})
		if err != nil || len(results) != len(suites) || results[0].End != OK && results[0].End != Fail {
			b.Errorf("%+v, %v", results, err)
		}
	}
	each(b.N, run) // warms every worker
	b.ResetTimer()
	each(b.N, run)
	workers := min(runtime.NumCPU(), b.N)
	b.ReportMetric(b.Elapsed().Seconds()*1000*float64(workers)/float64(b.N), "worker-ms/state")
	b.StopTimer()
	if path, err := python(); err == nil {
		perState := coldState(b, path, states[0], suites, "-m", "unittest")
		b.ReportMetric(perState/(b.Elapsed().Seconds()*1000*float64(workers)/float64(b.N)), "times-faster-than-cold-unittest")
	}
}

// each calls f for 0 to n-1, on all processors.
func each(n int, f func(i int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.NumCPU() {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// coldState measures one state the cold way, alone, in milliseconds.
func coldState(b *testing.B, python string, state tree.Files, suites []Suite, runner ...string) float64 {
	dir := b.TempDir()
	const times = 3
	begin := time.Now()
	for range times {
		cold(b, python, dir, state, suites, runner...)
	}
	return time.Since(begin).Seconds() * 1000 / times
}

// cold writes a tree and runs each suite in a fresh interpreter.
func cold(b testing.TB, python, dir string, state tree.Files, suites []Suite, runner ...string) {
	root := filepath.Join(dir, "tree")
	if err := os.MkdirAll(root, 0o755); err != nil {
		b.Fatal(err)
	}
	if err := tree.Write(root, state); err != nil {
		b.Fatal(err)
	}
	for _, s := range suites {
		var what []string
		extra := ""
		if s.Modules == nil {
			for _, p := range state.Paths() {
				if strings.HasPrefix(filepath.Base(p), "test_") {
					what = append(what, target(runner, root, p))
				}
			}
		} else {
			extra = filepath.Join(dir, "hidden")
			if err := os.MkdirAll(extra, 0o755); err != nil {
				b.Fatal(err)
			}
			if err := tree.Write(extra, s.Modules); err != nil {
				b.Fatal(err)
			}
			for p := range s.Modules {
				what = append(what, target(runner, extra, p))
			}
		}
		cmd := exec.CommandContext(context.Background(), python, append(append([]string{"-B"}, runner...), what...)...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(root, "src")+":"+extra, "PYTHONHASHSEED=0")
		if out, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != 1 {
			b.Fatalf("%v: %v\n%s", cmd.Args, err, out)
		}
	}
}

// target names a test file as the runner wants it.
func target(runner []string, root, p string) string {
	if runner[1] == "unittest" {
		return strings.ReplaceAll(strings.TrimSuffix(p, ".py"), "/", ".")
	}
	return filepath.Join(root, p)
}

// BenchmarkColdUnittest is what the engine replaces: a process for each suite and state.
func BenchmarkColdUnittest(b *testing.B) { benchmarkCold(b, "-m", "unittest") }

// BenchmarkColdPytest is the same with pytest.
func BenchmarkColdPytest(b *testing.B) {
	path, err := python()
	if err != nil {
		b.Skipf("no Python: %v", err)
	}
	if err := exec.Command(path, "-c", "import pytest").Run(); err != nil {
		b.Skipf("%s has no pytest", path)
	}
	benchmarkCold(b, "-m", "pytest", "-q", "-p", "no:cacheprovider")
}

func benchmarkCold(b *testing.B, runner ...string) {
	path, err := python()
	if err != nil {
		b.Skipf("no Python: %v", err)
	}
	states, suites := shopStates(7), shopSuites()
	dirs := make(chan string, runtime.NumCPU())
	for range cap(dirs) {
		dirs <- b.TempDir()
	}
	b.ResetTimer()
	each(b.N, func(i int) {
		dir := <-dirs
		defer func() { dirs <- dir }()
		cold(b, path, dir, states[i%len(states)], suites, runner...)
	})
	b.ReportMetric(b.Elapsed().Seconds()*1000*float64(min(runtime.NumCPU(), b.N))/float64(b.N), "worker-ms/state")
}
