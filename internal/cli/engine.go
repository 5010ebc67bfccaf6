package cli

import (
	"runtime"
	"time"

	"favorbench/suites"

	"github.com/spf13/cobra"
)

// engineOptions are the flags of commands that run suites.
type engineOptions struct {
	workers int
	python  string
	timeout time.Duration
}

func (o *engineOptions) addEngine(cmd *cobra.Command) {
	pathVar(cmd, &o.python, "python", pythonUsage)
	cmd.Flags().IntVar(&o.workers, "workers", 0, "interpreters at once (default: one a core)")
	cmd.Flags().DurationVar(&o.timeout, "timeout", 20*time.Second, "time limit of one suite in one state")
}

const pythonUsage = "interpreter, 3.11 or newer (default: $FAVORBENCH_PYTHON, then python3)"

// checkEngine refuses flags that make no sense, before any work.
func (o *engineOptions) checkEngine() error {
	if o.workers < 0 {
		return usagef("--workers %d: want 1 or more, or 0 for one a core", o.workers)
	}
	if o.timeout <= 0 {
		return usagef("--timeout %s: want a time above 0", o.timeout)
	}
	if o.workers == 0 {
		o.workers = runtime.NumCPU()
	}
	return nil
}

// start starts an engine as the flags say; the round of a repetition, from 0, sets hash seed and order of tests. Who prints results
// closes the engine before: a reader of ours that went away ends the process, and the engine's folder would stay.
func (o *engineOptions) start(cmd *cobra.Command, round int) (*suites.Engine, error) {
	return suites.New(cmd.Context(), suites.Options{
		Python: o.python, Workers: o.workers, Limits: suites.Limits{Time: o.timeout}, HashSeed: round, Randomize: round > 0,
	})
}
