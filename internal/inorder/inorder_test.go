package inorder_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"favorbench/internal/inorder"

	"github.com/google/go-cmp/cmp"
)

// TestResultsStandInTheOrderOfThePieces: the first piece waits for the last, and its result stands first all the same.
func TestResultsStandInTheOrderOfThePieces(t *testing.T) {
	last := make(chan struct{})
	var done []int
	got, err := inorder.Map(t.Context(), []int{1, 2, 3}, 3, func(_ context.Context, n int) (int, error) {
		switch n {
		case 1:
			<-last
		case 3:
			close(last)
		}
		return 10 * n, nil
	}, func(r int) { done = append(done, r) })
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int{10, 20, 30}, got); d != "" {
		t.Errorf("results (-want +got):\n%s", d)
	}
	slices.Sort(done)
	if d := cmp.Diff(got, done); d != "" {
		t.Errorf("reported as done (-want +got):\n%s", d)
	}
}

// TestAnErrorEndsTheOthers: work that goes on is cancelled, what failed is not reported as done, and the error is returned.
func TestAnErrorEndsTheOthers(t *testing.T) {
	fault := errors.New("fault")
	got, err := inorder.Map(t.Context(), []int{1, 2}, 2, func(ctx context.Context, n int) (int, error) {
		if n == 2 {
			return 0, fault
		}
		<-ctx.Done()
		return 0, ctx.Err()
	}, func(int) { t.Error("reported as done") })
	if !errors.Is(err, fault) || got != nil {
		t.Errorf("results %v, error %v, want the fault alone", got, err)
	}
}
