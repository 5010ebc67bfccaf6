// Package inorder does many pieces of work at once, and gives their results in the order of the pieces.
package inorder

import (
	"context"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Map does the work for each piece, so many at once (0 is one a core), and returns the results in the order of the pieces. It calls
// done, unless that is nil, after each piece, from one goroutine at a time. The first error cancels the others and is returned.
func Map[P, R any](ctx context.Context, pieces []P, workers int, work func(context.Context, P) (R, error), done func(R)) ([]R, error) {
	if workers <= 0 {
		workers = runtime.NumCPU()
	}
	results := make([]R, len(pieces))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	var mu sync.Mutex
	for n, p := range pieces {
		group.Go(func() error {
			r, err := work(ctx, p)
			if err != nil {
				return err
			}
			results[n] = r
			if done != nil {
				mu.Lock()
				defer mu.Unlock()
				done(r)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return results, nil
}
