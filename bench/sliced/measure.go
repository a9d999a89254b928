package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/sliced"
)

const (
	bitsPerKey = 10
	together   = 1000      // keys a call
	oneByOne   = 2_000_000 // lookups of a pass in one filter after the other, about
	mostEach   = 10_240    // filters that are appended one by one
	warming    = 3 * time.Millisecond
)

// The ways of lookups, besides those of AppendHits, which are levels, and those of appending.
const (
	loop, appendFilters        = "loop", "AppendFilters"
	rootCandidates, ours, hits = "root's Candidates", "Candidates", "Hits"
	appendAll, appendEach      = "AppendAll", "Append"
)

// levels are those of AppendHits.
var levels = []cpu.Level{cpu.AVX512, cpu.AVX2, cpu.NEON, cpu.Generic}

// A run measures filters of one size.
type run struct {
	random  *rand.Rand
	filters []*simdbloom.Filter
	sliced  *sliced.Filters
	hashes  [together]uint64
	wanted  [(together + 63) / 64]uint64
	dst     []int
	to      *size
}

func newRun(n, keys int) (*run, error) {
	r := &run{random: rand.New(rand.NewPCG(uint64(n), uint64(keys))), filters: make([]*simdbloom.Filter, n), sliced: sliced.New(keyhash.XX64)}
	b, err := bloom.NewBuilder(bitsPerKey, keyhash.XX64)
	if err != nil {
		return nil, err
	}
	bytes := 0
	for i := range r.filters {
		for range keys {
			b.AddHash(r.random.Uint64())
		}
		if r.filters[i], err = b.Filter(); err != nil {
			return nil, err
		}
		bytes += r.filters[i].SizeBytes()
	}
	for i := range r.wanted {
		r.wanted[i] = ^uint64(0)
	}
	_, err = r.sliced.AppendAll(r.filters)
	r.to = &size{Filters: n, Keys: keys, Bytes: r.filters[0].SizeBytes(), MoreMemory: float64(r.sliced.SizeBytes())/float64(bytes) - 1, Ways: make(map[string]times)}
	return r, err
}

// size measures every way in each round, with absent keys.
func (s *settings) size(name string, n, keys int) (*size, error) {
	defer machine.Pin()()
	r, err := newRun(n, keys)
	if err != nil {
		return nil, err
	}
	bar := progress.Start(s.stderr, name, s.rounds)
	defer bar.Done()
	for range s.rounds {
		r.lookups()
		if err := errors.Join(r.check(), r.appending()); err != nil {
			return nil, err
		}
		bar.Add(1)
	}
	return r.to, nil
}

// pass measures a way with some keys, after others that warm the caches: a way that comes after one that reads other
// memory would seem slower.
func (r *run) pass(way string, keys int, do func(hashes []uint64)) {
	once := func() float64 {
		for i := range r.hashes[:keys] {
			r.hashes[i] = r.random.Uint64()
		}
		return timing.PerKey(keys, func() { do(r.hashes[:keys]) })
	}
	for begun := timing.Now(); ; {
		if once(); timing.Since(begun) > warming {
			break
		}
	}
	r.to.Ways[way] = append(r.to.Ways[way], once()/1000)
}

func (r *run) lookups() {
	few := min(max(20, oneByOne/len(r.filters)), together)
	r.pass(loop, few, func(hashes []uint64) {
		for _, hash := range hashes {
			r.dst = r.dst[:0]
			for i, f := range r.filters {
				if f.ContainsHash(hash) {
					r.dst = append(r.dst, i)
				}
			}
		}
	})
	r.pass(appendFilters, few, func(hashes []uint64) {
		for _, hash := range hashes {
			r.dst = simdbloom.AppendFilters(r.dst[:0], r.filters, hash)
		}
	})
	for _, level := range levels {
		if cpu.Current().Includes(level) {
			restore := cpu.Limit(level)
			r.pass(level.String(), together, func(hashes []uint64) {
				for _, hash := range hashes {
					r.dst = r.sliced.AppendHits(r.dst[:0], hash)
				}
			})
			restore()
		}
	}
	r.pass(rootCandidates, together, func(hashes []uint64) {
		for range simdbloom.Candidates(r.filters, hashes, r.wanted[:]) {
		}
	})
	r.pass(ours, together, func(hashes []uint64) {
		for range r.sliced.Candidates(hashes, r.wanted[:]) {
		}
	})
	r.pass(hits, together, func(hashes []uint64) {
		for range r.sliced.Hits(hashes) {
		}
	})
}

// check compares answers.
func (r *run) check() error {
	for _, hash := range r.hashes[:5] {
		if want := simdbloom.AppendFilters(nil, r.filters, hash); !slices.Equal(r.sliced.AppendHits(nil, hash), want) {
			return fmt.Errorf("other filters than %v may contain %#x", want, hash)
		}
	}
	return nil
}

// appending measures it, a filter.
func (r *run) appending() error {
	var errs []error
	all, each := sliced.New(keyhash.XX64), sliced.New(keyhash.XX64)
	record := func(way string, do func()) {
		r.to.Ways[way] = append(r.to.Ways[way], timing.PerKey(len(r.filters), do)/1000)
	}
	record(appendAll, func() {
		_, err := all.AppendAll(r.filters)
		errs = append(errs, err)
	})
	if len(r.filters) <= mostEach {
		record(appendEach, func() {
			for _, f := range r.filters {
				_, err := each.Append(f)
				errs = append(errs, err)
			}
		})
	}
	return errors.Join(errs...)
}
