package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/keyhash"
)

// building is how a row builds.
type building struct {
	concurrency  int
	verification bool
	again        bool // whether the builder has built a filter before
	begin        func(fill filling) (builder, error)
	// open returns the filter that a builder has built.
	open func(b builder, data []byte) (filter reader, has chosen, err error)
	// suits reports whether filters of the filling's keys may have that many bytes.
	suits func(fill filling, bytes int) bool
}

// builder has methods of all of simdbloom's builders.
type builder interface {
	AddHashes(hashes []uint64)
	Finish() ([]byte, error)
}

// reader is a filter that was built.
type reader interface {
	ContainsHash(hash uint64) bool
}

// mapped is a builder whose filter is not in Go's heap.
type mapped interface {
	HugeShare() (float64, error)
	Unmap() error
}

// site is where filters are built.
type site struct {
	filling
	buffer []uint64 // for hashes on their way to a builder, in the caches
	add    int      // how many of them a call takes
	memory memory
}

func newSite(s *settings, fill filling) *site {
	const fits = 64 << 10
	return &site{fill, make([]uint64, s.add*max(1, fits/s.add)), s.add, s.memory}
}

// built is what is known of a filter after it was built.
type built struct {
	chosen
	bytes     int
	digest    uint64
	hugeShare float64
	peak      int // bytes of memory more than before, if that says anything
}

// build builds a filter of the seed's hashes and adds the time to the stopwatch.
func (t *site) build(r *row, seed uint64, watch *timing.Stopwatch) (*built, error) {
	t.forget()
	lender := newLender(t.memory)
	defer r.takeCPUs()()
	restore := cpu.Limit(r.level)
	defer restore()
	b, earlier, err := t.begin(r.build, seed, lender, watch)
	if err != nil {
		return nil, err
	}
	data, err := t.feed(b, seed, lender, watch)
	if err != nil {
		return nil, err
	}
	runtime.KeepAlive(earlier) // so that its memory is not this one's
	lender.notePeak()
	is, err := t.inspect(r.build, b, data, seed)
	if err == nil && t.memory != heapsMemory {
		is.peak = lender.peak
	}
	return is, err
}

// begin returns a new builder, or one that has built an earlier filter.
func (t *site) begin(way *building, seed uint64, lender *lender, watch *timing.Stopwatch) (b builder, earlier []byte, err error) {
	if err := lender.filter(t.filling); err != nil {
		return nil, nil, err
	}
	if !way.again {
		watch.Time(func() { b, err = way.begin(t.filling) })
		return b, nil, err
	}
	if b, err = way.begin(t.filling); err == nil {
		earlier, err = t.feed(b, ^seed, lender, new(timing.Stopwatch))
	}
	return b, earlier, err
}

// forget collects what earlier builds have left, twice since the first time pools keep
// it, and returns free memory to the system unless Go's heap is to keep it: what is
// allocated next is in pages that are not there yet.
func (t *site) forget() {
	runtime.GC()
	if t.memory == heapsMemory {
		runtime.GC()
		return
	}
	debug.FreeOSMemory() // collects, too
}

// takeCPUs keeps a row to one CPU, or gives it its number of CPUs.
func (r *row) takeCPUs() (release func()) {
	if r.build.concurrency == 1 {
		return machine.Pin()
	}
	before := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(max(before, r.build.concurrency))
	return func() { runtime.GOMAXPROCS(before) }
}

// feed adds all hashes and finishes. Making the hashes is not timed.
func (t *site) feed(b builder, seed uint64, lender *lender, watch *timing.Stopwatch) (data []byte, err error) {
	for hashes := range t.hashesIn(t.buffer, seed) {
		if err := lender.hashes(t.filling, len(hashes)); err != nil {
			return nil, err
		}
		watch.Time(inCalls(hashes, t.add, b.AddHashes))
	}
	if err := lender.filter(t.filling); err != nil {
		return nil, err
	}
	watch.Time(func() { data, err = b.Finish() })
	return data, err
}

// inCalls returns what adds hashes.
func inCalls[H uint64 | []byte](hashes []H, most int, add func([]H)) func() {
	return func() {
		for call := range slices.Chunk(hashes, most) {
			add(call)
		}
	}
}

// inspect looks for hashes that were added, and then gives the filter up.
func (t *site) inspect(way *building, b builder, data []byte, seed uint64) (*built, error) {
	filter, has, err := way.open(b, data)
	if err != nil {
		return nil, err
	}
	if !way.suits(t.filling, len(data)) {
		return nil, fmt.Errorf("%d bytes were built, where there is memory for %d and a trailer", len(data), t.bytes)
	}
	const looked = 10_000
	for number := uint64(0); number < t.keys; number += max(1, t.keys/looked) {
		if !filter.ContainsHash(hashOf(seed, number)) {
			return nil, fmt.Errorf("FALSE NEGATIVE, which must not happen: key %d of %d is not in the filter", number, t.keys)
		}
	}
	is := &built{bytes: len(data), chosen: has, digest: keyhash.XX64.Sum64(data)}
	if m, ok := b.(mapped); ok {
		if is.hugeShare, err = m.HugeShare(); err == nil {
			err = m.Unmap()
		}
	}
	return is, err
}
