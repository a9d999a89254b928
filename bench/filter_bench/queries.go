package main

import (
	"fmt"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/progress"
)

// queryAll times every mode with a mix of keys: with the filters, and dry.
func (b *bench) queryAll(m mix, queries int) error {
	writef(b.text, rule+"%s\n", m.title)
	for _, mode := range b.modes() {
		r := queryReport{Mix: m.name, InsideShare: m.share(), Mode: mode.String()}
		if _, _, ok := mode.spread(len(b.filters)); ok {
			var err error
			if r.GrossNS, err = b.query(mode, m, queries, false); err != nil {
				return err
			}
			b.report.LastRate = b.rate()
			if r.DryNS, err = b.query(mode, m, queries, true); err != nil {
				return err
			}
			r.NetNS = r.GrossNS - r.DryNS
		} else {
			r.Skipped = true
		}
		b.report.Queries = append(b.report.Queries, r)
		r.print(b.text)
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

	// On a terminal: moved often enough to be seen, seldom enough to cost nothing.
	const stride = 1 << 20
	bar := progress.Start(b.progress, mode.String(), queries)
	defer bar.Done()
	b.random.Seed(uint64(b.seed) + m.seed)
	start := time.Now()
	for queried, shown := 0, 0; queried < queries; queried += batch {
		if queried-shown >= stride {
			bar.Add(queried - shown)
			shown = queried
		}
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
	ns := float64(time.Since(start).Nanoseconds()) / float64(queries)
	bar.Done()
	if !b.quick {
		if dry {
			writef(b.text, "    Dry run (%x) ns/op: %v\n", dryHash&0xfffff, ns)
		} else {
			writef(b.text, "    Gross filter    ns/op: %v\n", ns)
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

// touch is what a dry run does with a key if hashing counts as the filter's.
func touch(key []byte) uint32 {
	sum := uint32(len(key))
	if len(key) >= 4 {
		sum += uint32(int8(key[3])) // a char, which amd64 takes for signed
	}
	return sum
}

// rate sums up the rates of the last mode; it is nil if that queried no outside keys.
func (b *bench) rate() *rateReport {
	r := &rateReport{Best: 1}
	for i := range b.filters {
		f := &b.filters[i]
		r.OutsideQueries += f.outsideQueries
		r.FalsePositives += f.falsePositives
		if f.outsideQueries > 0 {
			own := float64(f.falsePositives) / float64(f.outsideQueries)
			r.Worst = max(r.Worst, own)
			r.Best = min(r.Best, own)
		}
	}
	if r.OutsideQueries == 0 {
		return nil
	}
	r.Average = float64(r.FalsePositives) / float64(r.OutsideQueries)
	return r
}
