package cli

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestScaffoldsBuiltIn does what a contributor does: scaffolds a family and a monorepo where the published ones lie, generates, and
// builds a binary with all three in it. The copy of the module holds no other data, so this proves that nothing needs any.
func TestScaffoldsBuiltIn(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it builds the program three times")
	}
	python := findPython()
	if python == "" {
		t.Skip("no Python 3.11")
	}
	dir := t.TempDir()
	copyProgram(t, filepath.Join("..", ".."), dir)
	run := func(want int, line string) string {
		t.Helper()
		words := strings.Fields(line)
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "FAVORBENCH_PYTHON="+python, "GOFLAGS=-buildvcs=false", "GOWORK=off", "GOPROXY=off")
		out, err := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Fatalf("%s: exit status %d, want %d: %v\n%s", line, got, want, err, out)
		}
		return string(out)
	}
	holds := func(text, want string) {
		t.Helper()
		if !strings.Contains(text, want) {
			t.Errorf("want %q in:\n%s", want, text)
		}
	}
	run(0, "favorbench new monorepo postline")
	run(0, "favorbench new family booking-limit")
	const build = "go build -o bin/fb ./cmd/favorbench"
	run(0, build)
	holds(run(3, "bin/fb list"), "open instances.sum: file does not exist")
	holds(run(0, "bin/fb generate"), "instances: 4 files written")
	holds(run(0, "bin/fb validate --set instances --check tree"), "3 of 3 instances valid")

	// Built again, the set is inside.
	run(0, build)
	holds(run(0, "bin/fb list"), "3 instances")
	holds(run(0, "bin/fb validate"), "3 of 3 instances valid")
	holds(run(0, "bin/fb generate --check"), "instances is as generated")
	holds(run(0, "bin/fb diff published instances"), "3 the same, 0 differing")

	// A plot less: what is extra is named, then removed, and the next binary holds two.
	if err := os.Remove(filepath.Join(dir, "families", "booking-limit", "shared-limit-raised.txtar")); err != nil {
		t.Fatal(err)
	}
	run(0, build)
	holds(run(1, "bin/fb generate --check"), "extra   booking-limit/postline-shared-limit-raised-safe.txtar")
	run(0, "bin/fb generate")
	holds(run(1, "bin/fb diff published instances"), "only in published: booking-limit/postline-shared-limit-raised-safe")
}

// copyProgram copies a module's source without its tests and without the data of families, monorepos and instances.
func copyProgram(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		slash := filepath.ToSlash(rel)
		if d.IsDir() {
			parent, _, _ := strings.Cut(slash, "/")
			data := parent != slash && (parent == "families" || parent == "monorepos" || parent == "instances")
			if data || rel == "bin" || rel == "out" || d.Name() == "testdata" || rel != "." && strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		if !d.Type().IsRegular() || strings.HasSuffix(slash, "_test.go") || slash == "instances/instances.sum" {
			return nil
		}
		bytes, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), bytes, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}
