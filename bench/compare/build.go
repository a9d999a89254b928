package main

import (
	"fmt"

	"github.com/simdbloom/simdbloom/bench/internal/timing"
)

// build builds a filter of the keys numbered from 0 on, and adds to the time that the
// library takes: that of all its calls, with their allocations and page faults. Making the
// keys is not timed.
func (p *peer) build(s keySet, keys int, bitsPerKey float64, watch *timing.Stopwatch) (f filter, err error) {
	const inACall = 4096 // whose keys stay in a cache
	var b builder
	watch.Time(func() { b, err = p.new(keys, bitsPerKey) })
	room := newKeys(min(keys, inACall))
	for from := 0; from < keys && err == nil; from += len(room) {
		room = room[:min(len(room), keys-from)]
		for i, key := range room {
			s.put(key, uint64(from+i))
		}
		watch.Time(func() { err = b.add(room) })
	}
	if err == nil {
		watch.Time(func() { f, err = b.finish() })
	}
	if err != nil {
		return nil, fmt.Errorf("%s, %d keys at %v bits/key: %w", p.name, keys, bitsPerKey, err)
	}
	return f, nil
}
