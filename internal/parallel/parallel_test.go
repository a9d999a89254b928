package parallel

import (
	"runtime"
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

func TestEachTakesPiecesFromSlowGoroutines(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	const n = 100
	var by [2]int
	Each(2, n, func(goroutine, piece int) {
		if by[goroutine]++; piece == 0 {
			time.Sleep(300 * time.Millisecond)
		} else {
			time.Sleep(time.Millisecond)
		}
	})
	if by[0]+by[1] != n || max(by[0], by[1]) < n-10 {
		t.Errorf("of %d pieces, the goroutines did %d", n, by)
	}
}
