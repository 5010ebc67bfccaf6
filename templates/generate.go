package templates

import (
	"context"
	"runtime"
	"sync"

	"favorbench/favor"
	"favorbench/instances"

	"golang.org/x/sync/errgroup"
)

// Options say how to generate.
type Options struct {
	Workers int                       // how many jobs at once; 0 is one a core
	Keep    func(k favor.Kind) bool   // kinds to keep; nil keeps all
	Done    func(*instances.Instance) // called after each instance, from one goroutine at a time; may be nil
}

// Generate makes the jobs' instances as files, with their sum file. The result depends on the jobs alone.
func Generate(ctx context.Context, jobs []Job, o Options) (instances.Rendered, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.NumCPU()
	}
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(o.Workers)
	var mu sync.Mutex
	out, sums := instances.Rendered{}, map[string]string{}
	failed := make([]error, len(jobs))
	for n, j := range jobs {
		if running.Err() != nil {
			break // those before the one that failed run to their end, so that the first failure is found
		}
		group.Go(func() error {
			made, err := j.Synthesize()
			if err != nil {
				failed[n] = err
				return err
			}
			for _, i := range made {
				if o.Keep != nil && !o.Keep(i.Kind) {
					continue
				}
				data, err := instances.Format(i)
				if err != nil {
					failed[n] = err
					return err
				}
				sum := instances.Sum(i, data)
				mu.Lock()
				out[instances.FileName(i.ID)], sums[i.ID] = data, sum
				if o.Done != nil {
					o.Done(i)
				}
				mu.Unlock()
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		for _, first := range failed { // the first in the order of the jobs, whatever the order of the workers
			if first != nil {
				return nil, first
			}
		}
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	out[instances.SumFile] = instances.FormatSums(sums)
	return out, nil
}
