// Package parallel shares work out among goroutines.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls do for the pieces 0 to n-1, in at most the given number of goroutines, and
// returns after all calls. Each goroutine gets the next piece until none is left, so they
// end together even if one begins late or has a slower processor. do gets the number of
// the goroutine that calls it. Goroutine 0 is the caller's.
//
// It also suits short work that is repeated, from 50 µs on: the caller stays on its
// processor, whose caches keep the data of goroutine 0.
func Each(goroutines, n int, do func(goroutine, piece int)) {
	goroutines = min(goroutines, n)
	if goroutines <= 1 {
		for piece := range n {
			do(0, piece)
		}
		return
	}
	var taken, working atomic.Int64
	work := func(goroutine int) {
		for piece := int(taken.Add(1)) - 1; piece < n; piece = int(taken.Add(1)) - 1 {
			do(goroutine, piece)
		}
	}
	var others sync.WaitGroup
	others.Add(goroutines)
	working.Store(int64(goroutines - 1))
	for i := 1; i < goroutines; i++ {
		go func() {
			work(i)
			working.Add(-1)
			others.Done()
		}()
	}
	// Go keeps the newest goroutine for the processor that started it, and other
	// processors take it only after 60 µs. So the newest is one without work.
	go others.Done()
	work(0)
	// A goroutine that sleeps wakes up on the processor where the last of the others ends.
	// So this one sleeps only if they take more than about 100 µs.
	for i := 0; i < 1000 && working.Load() > 0; i++ {
		runtime.Gosched()
	}
	others.Wait()
}
