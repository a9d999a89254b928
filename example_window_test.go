package simdbloom_test

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// A window remembers keys and forgets them later: a ring of filters, of which the newest takes keys. Any number of
// goroutines may use it.
type window struct {
	periods, keys int                                     // keys of a period
	rate          float64                                 // of the window: the filters' rates add up
	filters       atomic.Pointer[[]*simdbloom.Concurrent] // the newest first
	added         atomic.Int64                            // to the newest
	rotating      sync.Mutex
}

func newWindow(periods, keys int, rate float64) *window {
	w := &window{periods: periods, keys: keys, rate: rate}
	w.filters.Store(new([]*simdbloom.Concurrent))
	w.rotate(nil)
	return w
}

func (w *window) newest() *simdbloom.Concurrent { return (*w.filters.Load())[0] }

// rotate begins a period and drops the oldest one, unless another goroutine has replaced the newest filter. The dropped
// filter is not emptied and used again, since goroutines may still be adding to it.
func (w *window) rotate(newest *simdbloom.Concurrent) {
	w.rotating.Lock()
	defer w.rotating.Unlock()
	filters := *w.filters.Load()
	if len(filters) == 0 || filters[0] == newest {
		next := must(bloom.NewConcurrentForFPR(w.keys, w.rate/float64(w.periods), keyhash.XX64))
		more := append([]*simdbloom.Concurrent{next}, filters[:min(len(filters), w.periods-1)]...)
		w.added.Store(0)
		w.filters.Store(&more)
	}
}

// addIfAbsent reports whether the window did not have the key. Of goroutines that add a new key at once, at least one
// gets true.
func (w *window) addIfAbsent(key string) bool {
	hash, filters := keyhash.XX64.Sum64String(key), *w.filters.Load()
	for _, f := range filters[1:] {
		if f.ContainsHash(hash) {
			return false
		}
	}
	isNew := filters[0].AddHashIfAbsent(hash)
	if isNew && w.added.Add(1) >= int64(w.keys) {
		w.rotate(filters[0]) // before its time: else the rate would rise
	}
	return isNew
}

// Duplicates of the last three to four periods are found, and older keys are forgotten. A period ends by time, or with
// as many keys as were planned.
func ExampleConcurrent_window() {
	w := newWindow(4, 100_000, 0.001)
	fmt.Println(w.addIfAbsent("message 1"), w.addIfAbsent("message 1"))
	for range 3 {
		w.rotate(w.newest()) // a time.Ticker calls it
	}
	fmt.Println(w.addIfAbsent("message 1"))
	w.rotate(w.newest())
	fmt.Println(w.addIfAbsent("message 1"))

	var workers sync.WaitGroup
	var fresh atomic.Int64
	for range 4 { // all of them get the same messages
		workers.Add(1)
		go func() {
			defer workers.Done()
			for i := range 150_000 {
				if w.addIfAbsent(fmt.Sprint("message ", i)) {
					fresh.Add(1)
				}
			}
		}()
	}
	workers.Wait()
	fmt.Println(fresh.Load() > 149_000, len(*w.filters.Load()), "filters")
	// Output:
	// true false
	// false
	// true
	// true 4 filters
}
