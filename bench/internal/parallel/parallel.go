// Package parallel spreads counting over all CPUs.
package parallel

import (
	"runtime"
	"sync"
)

// Each calls do for 0 to n-1, in this order, with a goroutine for each CPU. Each goroutine
// has a do of its own, from newWorker, which is called before any of them starts. After an
// error no call begins; Each waits for the running calls and returns the first error.
func Each(n int, newWorker func() (do func(i int) error)) error {
	var (
		wait  sync.WaitGroup
		lock  sync.Mutex // of what follows
		next  int
		first error
	)
	take := func(err error) (i int, ok bool) {
		lock.Lock()
		defer lock.Unlock()
		if first == nil {
			first = err
		}
		if first != nil || next == n {
			return 0, false
		}
		next++
		return next - 1, true
	}
	workers := make([]func(int) error, runtime.GOMAXPROCS(0))
	for w := range workers {
		workers[w] = newWorker()
	}
	for _, do := range workers {
		wait.Go(func() {
			for i, ok := take(nil); ok; i, ok = take(do(i)) {
			}
		})
	}
	wait.Wait()
	return first
}
