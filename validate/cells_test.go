package validate_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"favorbench/favor"
	"favorbench/validate"

	"github.com/google/go-cmp/cmp"
)

// TestEveryCellIsPinnedOnce derives the cells of the state table from the checks, and demands each of them exactly once.
func TestEveryCellIsPinnedOnce(t *testing.T) {
	want, got := map[string]int{}, map[string]int{}
	for _, state := range favor.States() {
		for _, suite := range favor.Suites() {
			want[state.String()+" "+string(suite)] = 1
		}
	}
	for _, c := range validate.Checks() {
		for _, cell := range c.Cells {
			got[cell.State.String()+" "+string(cell.Suite)]++
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("cells (-table +checks):\n%s", d)
	}
}

func TestChecksComeInOrder(t *testing.T) {
	want := []string{"tree", "green", "blocked", "obvious", "safe", "unseen", "harm", "rollback", "independent", "favor"}
	var got []string
	for _, c := range validate.Checks() {
		for _, before := range c.After {
			if !strings.Contains(strings.Join(got, " "), before) {
				t.Errorf("%s comes after %s, which is not before it", c.Name, before)
			}
		}
		if c.Holds == "" {
			t.Errorf("%s does not say when it holds", c.Name)
		}
		got = append(got, c.Name)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("checks (-want +got):\n%s", d)
	}
}

// pythonHashes returns a list literal of hashes as the engine's first interpreter makes them.
func pythonHashes() (string, error) {
	python := os.Getenv("FAVORBENCH_PYTHON")
	if python == "" {
		python = "python3"
	}
	cmd := exec.Command(python, "-c", "print([hash(str(n)) for n in range(9)])")
	cmd.Env = append(os.Environ(), "PYTHONHASHSEED=0")
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}
