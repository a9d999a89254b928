package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
	"github.com/simdbloom/simdbloom/internal/test/markdown"
	"github.com/simdbloom/simdbloom/internal/test/splitmix"
)

// A measuredPart is a part that can be measured by itself.
type measuredPart struct {
	name    string
	measure func(s *settings, p *part) error
}

// Settings of Linear, with rates like those of the binary fuse filters beside them.
var (
	byFuse   = []float64{8.5, 17} // filters of a size
	byKeys   = []float64{8, 12, 17}
	fuseBits = []string{"binary fuse 8", "binary fuse 16"}
)

// sizes are the sizes of the Linear filters whose lookups are measured. Binary fuse's have the same keys.
var sizes = []struct {
	name  string
	bytes int
}{{"16 KiB", 16 << 10}, {"1 MiB", 1 << 20}, {"32 MiB", 32 << 20}, {"1 GiB", 1 << 30}}

// Numbers of keys are powers of ten, and three between each two up to the last but one.
const leastPower, mostPower, inTen = 2, 9, 4

func parts() (all []measuredPart) {
	for _, size := range sizes {
		all = append(all, measuredPart{size.name, func(s *settings, p *part) error { return s.lookups(p, size.bytes) }})
	}
	of := func(from, to int) func(*settings, *part) error {
		return func(s *settings, p *part) error {
			for i := from; i <= to; i++ {
				if err := s.keys(p, int(math.Round(math.Pow(10, float64(i)/inTen)))); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return append(all,
		measuredPart{"100 to 1,000,000 keys", of(leastPower*inTen, 6*inTen)},
		measuredPart{"1,800,000 to 10,000,000 keys", of(6*inTen+1, 7*inTen)},
		measuredPart{"18,000,000 to 56,000,000 keys", of(7*inTen+1, 8*inTen-1)},
		measuredPart{"100,000,000 keys", of(8*inTen, 8*inTen)},
		measuredPart{"1,000,000,000 keys", func(s *settings, p *part) error { return s.manyKeys(p, 1_000_000_000) }})
}

// kinds returns Linear of some settings and binary fuse.
func kinds(bitsPerKey []float64) (all []kind, err error) {
	for _, bits := range bitsPerKey {
		k, wrong := newLinear(bits)
		all, err = append(all, k), errors.Join(err, wrong)
	}
	return append(all, new(fuseKind[uint8]), new(fuseKind[uint16])), err
}

// The ways of lookups. Others are numbers of hashes a call.
const (
	oneByOne = "one"
	inBytes  = "one, bytes"
)

var calls = []int{2, 8, 32, 1 << 16}

// mostBuilt is how many keys filters are built of from a list of hashes. A larger one gets them in pieces, and binary
// fuse filters of more have none.
const mostBuilt = 1 << 27

func (s *settings) lookups(p *part, bytes int) error {
	defer machine.Pin()()
	if err := machine.Lend(bytes); err != nil {
		return err
	}
	var filters []filter
	for i, bitsPerKey := range byFuse {
		keys := int(8 * float64(bytes) / bitsPerKey)
		linear, fuse, err := s.build(keys, bitsPerKey, i > 0)
		if err != nil {
			return err
		}
		filters = append(filters, linear, fuse)
		for _, name := range []string{fmt.Sprintf("Linear, %v bits/key", bitsPerKey), fuseBits[i]} {
			p.Lookups = append(p.Lookups, &lookups{name, keys, make(map[string]times), make(map[string]times)})
		}
	}
	runtime.GC()
	r := rand.New(rand.NewPCG(1, uint64(bytes)))
	bar := progress.Start(s.stderr, "Lookups", s.rounds*len(filters))
	defer bar.Done()
	for range s.rounds {
		for i, f := range filters {
			bar.Add(1)
			to := p.Lookups[i]
			known := to.Keys < mostBuilt || i%2 == 0
			for _, half := range []bool{false, true} {
				at := to.Ways
				if half {
					at = to.Half
				}
				pass := func(way string, lookUp func(hashes []uint64, hits []bool) bool) error {
					ns, err := s.pass(r, 0, to.Keys, half, known, lookUp)
					if ns > 0 {
						at[way] = append(at[way], ns)
					}
					return err
				}
				err := pass(oneByOne, func(hashes []uint64, hits []bool) bool { f.one(hashes, hits); return true })
				err = errors.Join(err, pass(inBytes, f.inBytes))
				for _, n := range calls {
					err = errors.Join(err, pass(fmt.Sprint(n), func(hashes []uint64, hits []bool) bool { return f.calls(n, hashes, hits) }))
				}
				if err != nil {
					return fmt.Errorf("%s: %w", to.Filter, err)
				}
			}
		}
	}
	return nil
}

// build builds a filter of each kind.
func (s *settings) build(keys int, bitsPerKey float64, wide bool) (ours, fuse filter, err error) {
	k, err := newLinear(bitsPerKey)
	if err != nil {
		return nil, nil, err
	}
	if keys >= mostBuilt {
		if ours, _, err = k.buildPieces(keys, s.stderr, "Keys"); err != nil {
			return nil, nil, err
		}
		k = nil
		runtime.GC()
		if wide {
			return ours, newFuse[uint16](keys), nil
		}
		return ours, newFuse[uint8](keys), nil
	}
	hashes := make([]uint64, keys)
	fillHashes(hashes, 0)
	if ours, err = k.build(hashes); err != nil {
		return nil, nil, err
	}
	if wide {
		fuse, err = new(fuseKind[uint16]).build(hashes)
	} else {
		fuse, err = new(fuseKind[uint8]).build(hashes)
	}
	return ours, fuse, err
}

// seed is that of the keys' hashes.
const seed = 0

func fillHashes(hashes []uint64, from int) {
	for i := range hashes {
		hashes[i] = splitmix.Value(seed, uint64(from+i))
	}
}

// pass returns the time of lookups of new hashes, in ns each, after the same number of others. Present are keys from
// a first number on.
func (s *settings) pass(r *rand.Rand, first, keys int, half, known bool, lookUp func(hashes []uint64, hits []bool) bool) (float64, error) {
	asked, hits, present := make([]uint64, s.queries), make([]bool, s.queries), make([]bool, s.queries)
	fill := func() {
		for i := range asked {
			present[i] = half && r.Uint64()&1 == 0
			if asked[i] = r.Uint64(); present[i] {
				asked[i] = splitmix.Value(seed, uint64(first)+r.Uint64N(uint64(keys)))
			}
		}
	}
	fill()
	if !lookUp(asked, hits) {
		return 0, nil
	}
	fill()
	ns := timing.PerKey(len(asked), func() { lookUp(asked, hits) })
	for i := range hits {
		if known && present[i] && !hits[i] {
			return 0, errors.New("a key was lost")
		}
	}
	return ns, nil
}

// keys measures filters of some number of keys, of every kind.
func (s *settings) keys(p *part, keys int) error {
	defer machine.Pin()()
	const least, usualRounds = 1 << 18, 10_000_000 // keys a round; from then on there are fewer rounds
	rounds := s.rounds
	if keys > usualRounds {
		rounds = min(rounds, 3)
	}
	all, err := kinds(byKeys)
	if err != nil {
		return err
	}
	var rows []*ofKeys
	for _, k := range all {
		rows = append(rows, &ofKeys{Filter: k.String(), Keys: keys})
	}
	builds := max(1, least/keys)
	hashes, own := make([]uint64, builds*keys), make([]uint64, keys)
	fillHashes(hashes, 0)
	r := rand.New(rand.NewPCG(2, uint64(keys)))
	bar := progress.Start(s.stderr, markdown.Thousands(keys)+" keys", (rounds+1)*len(all))
	defer bar.Done()
	for round := range rounds + 1 {
		for i, k := range all {
			bar.Add(1)
			row := rows[i]
			var watch timing.Stopwatch
			var f filter
			for build := range builds {
				copy(own, hashes[build*keys:]) // fuse sorts them where some are equal
				watch.Time(func() { f, err = k.build(own) })
				if err != nil {
					return err
				}
			}
			if round == 0 {
				continue // memory is taken
			}
			row.Build = append(row.Build, watch.PerKey(uint64(builds*keys)))
			row.plan(k)
			if err := s.lookupsOf(row, r, (builds-1)*keys, true, f); err != nil {
				return err
			}
		}
	}
	p.Keys = slices.Concat(p.Keys, rows)
	return nil
}

// plan measures planning, if there is any apart.
func (row *ofKeys) plan(k kind) {
	const plans = 1000
	if k.plan(row.Keys) {
		row.Plan = append(row.Plan, timing.PerKey(plans, func() {
			for range plans {
				k.plan(row.Keys)
			}
		}))
	}
}

// lookupsOf measures lookups in a filter of keys from a first number on, half of them present.
func (s *settings) lookupsOf(row *ofKeys, r *rand.Rand, first int, known bool, f filter) error {
	ns, err := s.pass(r, first, row.Keys, true, known, func(hashes []uint64, hits []bool) bool { f.one(hashes, hits); return true })
	row.One = append(row.One, ns)
	if err != nil {
		return err
	}
	ns, err = s.pass(r, first, row.Keys, true, known, func(hashes []uint64, hits []bool) bool { return f.calls(len(hashes), hashes, hits) })
	if ns > 0 {
		row.Batch = append(row.Batch, ns)
	}
	return err
}

// manyKeys measures filters of at least mostBuilt keys: Linear's are built once, and binary fuse filters are not built.
func (s *settings) manyKeys(p *part, keys int) error {
	defer machine.Pin()()
	r := rand.New(rand.NewPCG(2, uint64(keys)))
	measure := func(f filter, row *ofKeys, known bool) error {
		p.Keys = append(p.Keys, row)
		runtime.GC()
		for range s.rounds {
			if err := s.lookupsOf(row, r, 0, known, f); err != nil {
				return err
			}
		}
		return nil
	}
	for _, bitsPerKey := range byKeys {
		k, err := newLinear(bitsPerKey)
		if err != nil {
			return err
		}
		row := &ofKeys{Filter: k.String(), Keys: keys}
		f, ns, err := k.buildPieces(keys, s.stderr, row.Filter)
		if err != nil {
			return err
		}
		row.Build = times{ns}
		row.plan(k)
		k = nil // its memory is more than the filter's
		if err := measure(f, row, true); err != nil {
			return err
		}
	}
	return errors.Join(
		measure(newFuse[uint8](keys), &ofKeys{Filter: fuseBits[0], Keys: keys}, false),
		measure(newFuse[uint16](keys), &ofKeys{Filter: fuseBits[1], Keys: keys}, false))
}
