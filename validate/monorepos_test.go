package validate_test

import (
	"context"
	"strings"
	"testing"

	"favorbench/monorepos"
	"favorbench/suites"
)

// TestMonoreposAreTested runs the visible tests of every monorepo as it stands before a plot is laid on it: at least 80 of
// them, all pass, and they execute at least 70 % of the lines that are not tests.
func TestMonoreposAreTested(t *testing.T) {
	all, err := monorepos.Load(monorepos.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	engine, err := suites.New(context.Background(), suites.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	for _, m := range all {
		t.Run(m.Name, func(t *testing.T) {
			var code []string
			for _, p := range m.Repo.Paths() {
				if strings.HasSuffix(p, ".py") && !strings.Contains("/"+p, "/tests/") {
					code = append(code, p)
				}
			}
			results, err := engine.Run(t.Context(), suites.Request{Tree: m.Repo, PythonPath: m.PythonPath, Suites: []suites.Suite{{Name: "visible"}}, Trace: code})
			if err != nil {
				t.Fatal(err)
			}
			got := results[0]
			if !got.Passed() || len(got.Tests) < 80 {
				t.Errorf("%d tests, ended %s: %s %v", len(got.Tests), got.End, got.Message, got.Failing())
			}
			executed, executable := 0, 0
			for _, p := range code {
				executed += len(got.Lines[p])
				executable += len(got.Executable[p])
			}
			if executed*100 < executable*70 {
				t.Errorf("%d of %d lines are executed, want 70 %%", executed, executable)
			}
			t.Logf("%d tests execute %d of %d lines", len(got.Tests), executed, executable)
		})
	}
}
