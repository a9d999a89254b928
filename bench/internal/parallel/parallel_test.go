package parallel

import (
	"errors"
	"sync/atomic"
	"testing"
)

func TestEachOfThemOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		calls := make([]atomic.Int32, n)
		if err := Each(n, func() func(int) error {
			return func(i int) error { calls[i].Add(1); return nil }
		}); err != nil {
			t.Error(err)
		}
		for i := range calls {
			if got := calls[i].Load(); got != 1 {
				t.Errorf("%d of %d: %d times", i, n, got)
			}
		}
	}
}

func TestNothingBeginsAfterAnError(t *testing.T) {
	failure := errors.New("failure")
	var calls atomic.Int32
	err := Each(1_000_000, func() func(int) error {
		return func(i int) error {
			calls.Add(1)
			if i >= 10 {
				return failure
			}
			return nil
		}
	})
	if !errors.Is(err, failure) || calls.Load() > 10_000 {
		t.Errorf("%v after %d calls", err, calls.Load())
	}
}
