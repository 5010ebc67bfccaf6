package validate_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"favorbench/favor"
	"favorbench/instances"
	"favorbench/monorepos"
	"favorbench/suites"
	"favorbench/tree"
	"favorbench/validate"

	"golang.org/x/sync/errgroup"
)

// BenchmarkAgainstCold validates one published trap and its twin a monorepo, and runs the same suites in the same states as cold processes,
// one a suite and state, as many at once. It reports how many times longer those take: x_unittest, and x_pytest where pytest
// is installed.
func BenchmarkAgainstCold(b *testing.B) {
	chosen := onePairAMonorepo(b)
	set := publishedSet(b)
	engine, err := suites.New(context.Background(), suites.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer engine.Close()
	python, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		b.Fatal(err)
	}
	interpreter := strings.TrimSpace(string(python))
	hasPytest := exec.Command(interpreter, "-c", "import pytest").Run() == nil

	var warm, unittest, pytest time.Duration
	for b.Loop() {
		start := time.Now()
		results, err := validate.Run(b.Context(), set, chosen, engine, validate.Options{Workers: runtime.NumCPU()})
		if err != nil {
			b.Fatal(err)
		}
		warm += time.Since(start)
		for _, r := range results {
			if !r.Valid() {
				b.Fatalf("%s is not valid", r.ID)
			}
		}
		unittest += coldRuns(b, chosen, interpreter, "unittest")
		if hasPytest {
			pytest += coldRuns(b, chosen, interpreter, "pytest")
		}
	}
	b.ReportMetric(warm.Seconds()/float64(b.N)/float64(len(chosen)), "s/instance")
	b.ReportMetric(unittest.Seconds()/warm.Seconds(), "x_unittest")
	if hasPytest {
		b.ReportMetric(pytest.Seconds()/warm.Seconds(), "x_pytest")
	}
}

// coldRuns runs every suite of the instances in every state of the table, and the probes that checks run, as a process each.
func coldRuns(b *testing.B, chosen []*instances.Instance, python, runner string) time.Duration {
	b.Helper()
	type job struct {
		files tree.Files
		suite favor.Suite
		inst  *instances.Instance
	}
	var jobs []job
	for _, i := range chosen {
		for _, st := range favor.States() {
			for _, suite := range favor.Suites() {
				jobs = append(jobs, job{i.State(st), suite, i})
			}
		}
		for _, files := range i.SelfHelp {
			jobs = append(jobs, job{i.Tree.Overlay(files), favor.SuiteRequester, i})
		}
		for _, suite := range []favor.Suite{favor.SuiteVisible, favor.SuiteRequester, favor.SuiteContract} {
			jobs = append(jobs, job{i.Tree.Overlay(i.Other), suite, i})
		}
	}
	start := time.Now()
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for _, j := range jobs {
		group.Go(func() error {
			dir, err := os.MkdirTemp("/dev/shm", "cold-*")
			if err != nil {
				if dir, err = os.MkdirTemp("", "cold-*"); err != nil {
					return err
				}
			}
			defer os.RemoveAll(dir)
			root, hidden := filepath.Join(dir, "tree"), filepath.Join(dir, "hidden")
			for path, files := range map[string]tree.Files{root: j.files, hidden: j.inst.Suites[j.suite]} {
				if err := os.Mkdir(path, 0o755); err != nil {
					return err
				}
				if err := tree.Write(path, files); err != nil {
					return err
				}
			}
			var paths []string
			for _, p := range j.inst.PythonPath {
				paths = append(paths, filepath.Join(root, p))
			}
			args := map[string][]string{"unittest": {"-m", "unittest", "-q"}, "pytest": {"-m", "pytest", "-q", "-p", "no:cacheprovider"}}[runner]
			if j.suite != favor.SuiteVisible {
				paths = append(paths, hidden)
				for name := range j.inst.Suites[j.suite] {
					if runner == "unittest" {
						args = append(args, strings.TrimSuffix(name, ".py"))
					} else {
						args = append(args, filepath.Join(hidden, name))
					}
				}
			}
			cmd := exec.Command(python, args...)
			cmd.Dir = root
			cmd.Env = append(os.Environ(), "PYTHONPATH="+strings.Join(paths, ":"), "PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0")
			out, err := cmd.CombinedOutput()
			if _, failed := err.(*exec.ExitError); err != nil && !failed {
				return err
			}
			if !strings.Contains(string(out), "Ran ") && !strings.Contains(string(out), " passed") && !strings.Contains(string(out), " failed") {
				b.Errorf("%s, %s: ran no test:\n%s", j.inst.ID, j.suite, out)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

func publishedSet(tb testing.TB) *instances.Set {
	tb.Helper()
	repos, err := monorepos.Load(monorepos.Embedded())
	if err != nil {
		tb.Fatal(err)
	}
	set, err := instances.Load(instances.Embedded(), func(name string) (instances.Base, error) {
		m, err := monorepos.Find(repos, name)
		if err != nil {
			return instances.Base{}, err
		}
		return instances.Base{Files: m.Repo, PythonPath: m.PythonPath, Digest: m.Digest}, nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return set
}

func onePairAMonorepo(tb testing.TB) []*instances.Instance {
	var out []*instances.Instance
	seen := map[string]bool{}
	set := publishedSet(tb)
	for _, i := range set.All {
		if i.Kind == favor.Trap && !seen[i.Monorepo] {
			seen[i.Monorepo] = true
			twin, _ := set.ByID(i.Twin)
			out = append(out, i, twin)
		}
	}
	return out
}
