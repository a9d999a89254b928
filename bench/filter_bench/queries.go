package main

import (
	"fmt"
	"io"
	"math"

	"github.com/simdbloom/simdbloom/bench/internal/timing"
)

// queryAll times every mode with a mix of keys: with the filters, and dry.
func (b *bench) queryAll(m mix, queries int) error {
	writef(b.out, rule+"%s\n", m.title)
	for _, mode := range b.modes() {
		net := 0.0
		if _, _, ok := mode.spread(len(b.filters)); ok {
			gross, err := b.query(mode, m, queries, false)
			if err != nil {
				return err
			}
			b.sumRates()
			dry, err := b.query(mode, m, queries, true)
			if err != nil {
				return err
			}
			net = gross - dry
		}
		writef(b.out, "  %s net ns/op: %v", mode, net)
		if net < 0 {
			writef(b.out, " (the dry run took longer: other load disturbed the times)")
		}
		writef(b.out, "\n")
	}
	return nil
}

// query makes the given number of queries and returns the nanoseconds that one took. A dry
// run queries no filter. The random numbers are drawn as RocksDB draws them.
func (b *bench) query(mode mode, m mix, queries int, dry bool) (float64, error) {
	for i := range b.filters {
		b.filters[i].outsideQueries, b.filters[i].falsePositives = 0, 0
	}
	hot, threshold, _ := mode.spread(len(b.filters))
	cold := uint32(len(b.filters)) - hot
	batch := 1
	if mode.batched() {
		batch = len(b.makers)
	}
	keys, hits := make([][]byte, batch), make([]bool, batch)
	dryHash := uint32(0)
	answer := b.answer(mode)
	if dry {
		answer = b.dryAnswer(&dryHash)
	}

	b.random.Seed(uint64(b.seed) + m.seed)
	start := timing.Now()
	for queried := 0; queried < queries; queried += batch {
		inside := b.random.Uint32() <= m.inside
		var at uint32
		if b.random.Uint32() <= threshold {
			at = fastRange(b.random.Uint32(), hot)
		} else {
			at = hot + fastRange(b.random.Uint32(), cold)
		}
		f := &b.filters[at]
		for i := range keys {
			number := fastRange(b.random.Uint32(), uint32(f.keys))
			if !inside {
				number |= outsideBit
				f.outsideQueries++
			}
			keys[i] = b.makers[i].key(f, number)
		}
		answer(f, keys, hits)
		for i, hit := range hits {
			if inside {
				if !hit {
					return 0, fmt.Errorf("%w: filter %d, key %q", errFalseNegative, at, keys[i])
				}
			} else if hit {
				f.falsePositives++
			}
		}
	}
	ns := float64(timing.Since(start).Nanoseconds()) / float64(queries)
	if !b.quick {
		if dry {
			writef(b.out, "    Dry run (%x) ns/op: %v\n", dryHash&0xfffff, ns)
		} else {
			writef(b.out, "    Gross filter    ns/op: %v\n", ns)
		}
	}
	return ns, nil
}

// answer returns a function that looks some keys up in a filter, as the mode does.
func (b *bench) answer(mode mode) func(f *benchFilter, keys [][]byte, hits []bool) {
	if mode == batchPrepared {
		return func(f *benchFilter, keys [][]byte, hits []bool) { f.ContainsKeys(keys, hits) }
	}
	return func(f *benchFilter, keys [][]byte, hits []bool) {
		for i, key := range keys {
			hits[i] = f.Contains(key)
		}
	}
}

// dryAnswer returns the function that replaces a filter in a dry run: it does the part of the
// work that does not count as the filter's, and finds all keys.
func (b *bench) dryAnswer(sum *uint32) func(f *benchFilter, keys [][]byte, hits []bool) {
	hash := b.policy.Hash()
	handle := func(key []byte) uint32 { return uint32(hash.Sum64(key)) }
	if b.netIncludesHashing {
		handle = touch
	}
	return func(_ *benchFilter, keys [][]byte, hits []bool) {
		for i, key := range keys {
			*sum += handle(key)
			hits[i] = true
		}
	}
}

// touch replaces the lookup of a key in a dry run if hashing counts as the filter's.
func touch(key []byte) uint32 {
	sum := uint32(len(key))
	if len(key) >= 4 {
		sum += uint32(int8(key[3])) // a char, which amd64 takes for signed
	}
	return sum
}

// rates are those that the queries of outside keys of a mode met.
type rates struct {
	queries, falsePositives int
	worst, best             float64 // of a filter
}

// sumRates sums up the rates of the mode that ran.
func (b *bench) sumRates() {
	b.rates = rates{best: 1}
	for i := range b.filters {
		f := &b.filters[i]
		b.rates.queries += f.outsideQueries
		b.rates.falsePositives += f.falsePositives
		if f.outsideQueries > 0 {
			own := float64(f.falsePositives) / float64(f.outsideQueries)
			b.rates.worst = max(b.rates.worst, own)
			b.rates.best = min(b.rates.best, own)
		}
	}
}

func (r rates) print(w io.Writer, all bool) {
	average := float64(r.falsePositives) / float64(r.queries)
	writef(w, "    Average FP rate %%: %v\n", 100*average)
	if all {
		writef(w, "    Worst   FP rate %%: %v\n", 100*r.worst)
		writef(w, "    Best    FP rate %%: %v\n", 100*r.best)
		writef(w, "    Best possible bits/key: %v\n", -math.Log2(average))
	}
}
