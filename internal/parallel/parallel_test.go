package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestEach(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, goroutines := range []int{-1, 0, 1, 2, 7} {
		for _, n := range []int{0, 1, 2, 3, 7, 100} {
			for slow := range min(n, 5) + 1 {
				done := make([]int, n)
				busy := make([]atomic.Bool, max(goroutines, 1))
				Each(goroutines, n, func(goroutine, piece int) {
					if !busy[goroutine].CompareAndSwap(false, true) {
						t.Errorf("%d pieces: goroutine %d of %d does two at a time", n, goroutine, goroutines)
					}
					if piece == slow {
						time.Sleep(2 * time.Millisecond)
					}
					done[piece]++
					busy[goroutine].Store(false)
				})
				for piece, times := range done {
					if times != 1 {
						t.Errorf("%d goroutines: piece %d of %d was done %d times", goroutines, piece, n, times)
					}
				}
			}
		}
	}
}

// TestOneSlowPiece has a piece that ends after all others: a goroutine takes them all.
func TestOneSlowPiece(t *testing.T) {
	const n = 100
	var others sync.WaitGroup
	others.Add(n - 1)
	Each(2, n, func(_, piece int) {
		if piece == 0 {
			others.Wait()
		} else {
			others.Done()
		}
	})
}
