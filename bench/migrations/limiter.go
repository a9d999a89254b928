package main

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Limiter limits the number of different hashes that are added in an interval. It has the methods of Limiter in
// VictoriaMetrics' lib/bloomfilter, and may be used concurrently as that.
type Limiter struct {
	maxItems int
	now      atomic.Pointer[interval]
	stop     chan struct{}
	stopped  sync.WaitGroup
}

// interval has the hashes since the last tick.
type interval struct {
	items  atomic.Int64
	filter *simdbloom.Concurrent
}

// NewLimiter returns a Limiter of up to maxItems different hashes an interval.
func NewLimiter(maxItems int, refreshInterval time.Duration) *Limiter {
	l := &Limiter{maxItems: maxItems, stop: make(chan struct{})}
	l.refresh()
	l.stopped.Go(func() {
		ticker := time.NewTicker(refreshInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				l.refresh()
			case <-l.stop:
				return
			}
		}
	})
	return l
}

func (l *Limiter) refresh() {
	filter, err := bloom.NewConcurrent(l.maxItems, 16, keyhash.XX64)
	if err != nil {
		panic(err) // maxItems is negative, or larger than memory
	}
	l.now.Store(&interval{filter: filter})
}

// MustStop ends the goroutine of l, which nobody may use any more.
func (l *Limiter) MustStop() {
	close(l.stop)
	l.stopped.Wait()
}

func (l *Limiter) MaxItems() int { return l.maxItems }

// CurrentItems returns how many different hashes came in this interval.
func (l *Limiter) CurrentItems() int { return int(l.now.Load().items.Load()) }

// Add reports whether h is one of the first maxItems different hashes of this interval.
func (l *Limiter) Add(h uint64) bool {
	now := l.now.Load()
	if now.items.Load() >= int64(l.maxItems) {
		return now.filter.ContainsHash(h)
	}
	if now.filter.AddHashIfAbsent(h) {
		now.items.Add(1)
	}
	return true
}
