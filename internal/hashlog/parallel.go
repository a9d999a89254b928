package hashlog

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// inParallel calls do with 0 to n-1, in as many goroutines, and returns after all of
// them. It is made for work of less than a millisecond that is done again and again:
// do(0) is called by the caller's goroutine, which stays on its processor, and so do
// the data of do(0) in that processor's caches.
func inParallel(n int, do func(int)) {
	var left atomic.Int64
	var running sync.WaitGroup
	left.Store(int64(n - 1))
	for i := 1; i < n; i++ {
		running.Add(1)
		go func() {
			defer running.Done()
			do(i)
			left.Add(-1)
		}()
	}
	// Go keeps the newest goroutine for the processor that started it: another one
	// takes it only after 60 us. So the newest is one that does nothing.
	go func() {}()
	do(0)
	// A goroutine that sleeps is woken on the processor where the last of the others
	// ends. So this one sleeps only if that takes more than 100 us.
	for i := 0; i < 1000 && left.Load() > 0; i++ {
		runtime.Gosched()
	}
	running.Wait()
}
