package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	standard "github.com/bits-and-blooms/bloom/v3"
	"github.com/cespare/xxhash/v2"
	blocked "github.com/greatroar/blobloom"
	locked "github.com/holiman/bloomfilter/v2"
	split "github.com/parquet-go/parquet-go/bloom"

	root "github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
)

var errFalseNegative = errors.New("FALSE NEGATIVE: a present key was not found")

// adderBits are the bits per key of filters that take keys at any time, when they are full.
const adderBits = 10

// adderTimes are the nanoseconds for each key that is added to a filter which has half of its keys, hashing
// included.
type adderTimes struct {
	Name  string `json:"name"`
	Own   bool   `json:"own,omitempty"`
	Bytes int    `json:"bytes"`         // of the filter
	One   times  `json:"one_ns"`        // one key a call
	Turns times  `json:"turns_ns"`      // a key, and then a lookup of another one, half of them present
	Batch times  `json:"batch_ns"`      // all keys in a call; empty without such a call
	Two   times  `json:"goroutines_ns"` // two goroutines, each with half of the keys; empty if they may not

	adder
	new  func(keys int) (adder, error)
	room int // for keys
	next uint64
}

// adder is a filter that accepts keys at any time. Each call is one through a function's value, for all alike.
type adder struct {
	add      func(key []byte)
	contains func(key []byte) bool
	addAll   func(keys [][]byte) // nil if there is no such call
	shared   bool                // goroutines may add at once
}

var adders = []struct {
	name string
	own  bool
	new  func(keys int) (adder, error)
}{
	{"Mutable", true, func(keys int) (adder, error) {
		f, err := root.NewMutable(root.FastLocal, keys, adderBits, keyhash.XX64)
		return adder{f.Add, f.Contains, f.AddKeys, false}, err
	}},
	{"Mutable, SplitBlock", true, func(keys int) (adder, error) {
		f, err := root.NewMutable(root.SplitBlock, keys, adderBits, keyhash.XX64)
		return adder{f.Add, f.Contains, f.AddKeys, false}, err
	}},
	{"Concurrent", true, func(keys int) (adder, error) {
		f, err := root.NewConcurrent(root.FastLocal, keys, adderBits, keyhash.XX64)
		return adder{f.Add, f.Contains, f.AddKeys, true}, err
	}},
	{"parquet-go", false, func(keys int) (adder, error) {
		f := make(split.SplitBlockFilter, bytesFor(keys, adderBits)/split.BlockSize)
		return adder{
			add:      func(key []byte) { f.Insert(xxhash.Sum64(key)) },
			contains: func(key []byte) bool { return f.Check(xxhash.Sum64(key)) },
			addAll:   func(keys [][]byte) { _ = parquet{f}.add(keys) }, // which never fails
		}, nil
	}},
	{"blobloom", false, func(keys int) (adder, error) {
		f := blocked.NewOptimized(blocked.Config{Capacity: uint64(keys), FPRate: 1e-300, MaxBits: uint64(adderBits * keys)})
		return adder{
			add:      func(key []byte) { f.Add(xxhash.Sum64(key)) },
			contains: func(key []byte) bool { return f.Has(xxhash.Sum64(key)) },
		}, nil
	}},
	{"blobloom sync", false, func(keys int) (adder, error) {
		f := blocked.NewSyncOptimized(blocked.Config{Capacity: uint64(keys), FPRate: 1e-300, MaxBits: uint64(adderBits * keys)})
		return adder{
			add:      func(key []byte) { f.Add(xxhash.Sum64(key)) },
			contains: func(key []byte) bool { return f.Has(xxhash.Sum64(key)) },
			shared:   true,
		}, nil
	}},
	{"bits-and-blooms", false, func(keys int) (adder, error) {
		f := standard.New(uint(adderBits*keys), optimalProbes(adderBits))
		return adder{add: func(key []byte) { f.Add(key) }, contains: f.Test}, nil
	}},
	{"holiman", false, func(keys int) (adder, error) {
		f, err := locked.New(uint64(adderBits*keys), uint64(math.Round(math.Ln2*adderBits)))
		if err != nil {
			return adder{}, err
		}
		return adder{
			add:      func(key []byte) { f.AddHash(xxhash.Sum64(key)) },
			contains: func(key []byte) bool { return f.ContainsHash(xxhash.Sum64(key)) },
			shared:   true,
		}, nil
	}},
}

// adders times adding keys to filters that have half of them.
func (s *settings) adders(r *runResults, terminal io.Writer) error {
	r.Adders = newPart[adderTimes]()
	for _, keys := range []int{middle, large} {
		if keys > s.sizes[len(s.sizes)-1] {
			continue
		}
		var rows []*adderTimes
		for _, g := range adders {
			rows = append(rows, &adderTimes{Name: g.name, Own: g.own, new: g.new})
		}
		bar := progress.Start(terminal, fmt.Sprintf("Adding %d keys", keys), s.rounds*len(rows))
		coin := rand.New(rand.NewPCG(s.keys.seed, uint64(keys)))
		for turn := range s.rounds * len(rows) {
			row := rows[turnOf(turn, len(rows))]
			row.Bytes = bytesFor(keys, adderBits)
			if err := row.time(s.keys, keys, s.queries, coin); err != nil {
				return fmt.Errorf("%s, %d keys: %w", row.Name, keys, err)
			}
			bar.Add(1)
		}
		bar.Done()
		r.Adders.Rows = append(r.Adders.Rows, rows...)
	}
	return nil
}

// time times every way to add keys.
func (g *adderTimes) time(set keySet, keys, passKeys int, coin *rand.Rand) error {
	release := machine.Pin()
	defer func() { release() }()
	g.room = 0 // every round begins with a new filter
	pass := func(t *times, add func(added, queried [][]byte)) error {
		watch, timed := new(timing.Stopwatch), 0
		for timed < passKeys {
			n, err := g.take(set, keys, min(passKeys-timed, 1<<16))
			if err != nil {
				return err
			}
			added, queried := newKeys(n), newKeys(n)
			for i := range n {
				set.put(added[i], g.next+uint64(i))
				number := g.next + uint64(n+i) // not added yet
				if coin.IntN(2) == 0 {
					number = coin.Uint64N(uint64(keys) / 2)
				}
				set.put(queried[i], number)
			}
			g.next += uint64(n)
			watch.Time(func() { add(added, queried) })
			if countHits(g.contains, added) < n {
				return errFalseNegative
			}
			timed += n
		}
		*t = append(*t, watch.PerKey(uint64(timed)))
		return nil
	}
	one := func(added, _ [][]byte) {
		for _, key := range added {
			g.add(key)
		}
	}
	found := 0
	failures := []error{pass(new(times), one), pass(&g.One, one), pass(&g.Turns, func(added, queried [][]byte) {
		for i, key := range added {
			g.add(key)
			found += tables.One(g.contains(queried[i]))
		}
	})}
	if g.addAll != nil {
		failures = append(failures, pass(&g.Batch, func(added, _ [][]byte) { g.addAll(added) }))
	}
	release()
	release = func() {}
	if g.shared && runtime.NumCPU() > 1 {
		failures = append(failures, pass(&g.Two, func(added, _ [][]byte) {
			var both sync.WaitGroup
			half := len(added) / 2
			for _, part := range [][][]byte{added[:half], added[half:]} {
				both.Go(func() { one(part, nil) })
			}
			both.Wait()
		}))
	}
	return errors.Join(failures...)
}

// take returns how many keys of those wanted the filter has room for. A full one is replaced by one with half of
// its keys.
func (g *adderTimes) take(set keySet, keys, wanted int) (n int, err error) {
	if g.room == 0 {
		if g.adder, err = g.new(keys); err != nil {
			return 0, err
		}
		g.room, g.next = keys-keys/2, uint64(keys/2)
		key := make([]byte, keyBytes)
		for number := range uint64(keys / 2) {
			set.put(key, number)
			g.add(key)
		}
	}
	n = min(wanted, g.room)
	g.room -= n
	return n, nil
}
