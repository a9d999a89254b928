package main

import (
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// linearEntrant is the linear filter, where the bits per key are enough for one.
func linearEntrant(s *settings, fill filling) *entrant {
	const finishTakes = 4 // times what adding keys does
	e := &entrant{contestant: newLinear(s), passes: 1 + finishTakes}
	if least := linear.BitsPerKeyFor(int(fill.keys), 1); fill.bitsPerKey < least {
		e.leftOut, e.note = true, fmt.Sprintf("is left out: it takes at least %.1f bits/key", least)
	}
	return e
}

// newLinear returns package linear's filter.
func newLinear(s *settings) *own[*linear.Filter] { return newOwn(s, linearKind) }

// newLinearOfRate returns it with the fewest bits per key at which fingerprints have the given
// number of bits, at the highest level.
func newLinearOfRate(s *settings, title string, fingerprint int) *own[*linear.Filter] {
	k := linearKind
	k.title, k.prefix = title, title+" "
	k.bitsPerKey = func(fill filling) float64 {
		return linear.BitsPerKeyFor(int(fill.keys), math.Ldexp(1, -fingerprint))
	}
	o := newOwn(s, k)
	o.levels = []cpu.Level{slices.Max(o.levels)}
	return o
}

var linearKind = kind[*linear.Filter]{
	title:  "linear",
	prefix: "linear ",
	newBuilder: func(bitsPerKey float64, way building) (builder, error) {
		options := []linear.Option{linear.WithConcurrency(way.concurrency)}
		if way.verification {
			options = append(options, linear.WithVerification())
		}
		return linear.NewBuilder(bitsPerKey, keyhash.XX64, options...)
	},
	write:   writeLinear,
	open:    linear.Open,
	chosen:  func(f *linear.Filter) chosen { return chosen{Fingerprint: f.FingerprintBits()} },
	smaller: true,
	inPureGo: func(f *linear.Filter, body []byte) func(hash uint64) bool {
		var layers []uint32
		lines := 0
		for _, n := range f.Layers() {
			layers = append(layers, uint32(n))
			lines += n
		}
		body = body[:lines*asm.BlockBytes]
		return func(hash uint64) bool { return fallback.LinearContains(body, layers, f.FingerprintBits(), hash) }
	},
	batch: linearBatch, bits: linearBits, single: linearSingle, stateless: linearStateless, keys: linearKeys,
}

// writeLinear holds the hashes of all keys: a line's equations are solved together.
func writeLinear(memory []byte, fill filling, hashes iter.Seq[[]uint64]) ([]byte, error) {
	b, err := linear.NewBuilder(fill.bitsPerKey, keyhash.XX64, linear.WithConcurrency(runtime.NumCPU()))
	if err != nil {
		return nil, err
	}
	for chunk := range hashes {
		b.AddHashes(chunk)
	}
	return b.AppendFinish(memory)
}

func linearBatch(f *linear.Filter, q *queries) {
	for from, to := range q.calls() {
		f.ContainsHashes(q.hashes[from:to], q.bools[from:to])
	}
}

func linearBits(f *linear.Filter, q *queries) {
	words := q.words
	for from, to := range q.calls() {
		f.ContainsHashBits(q.hashes[from:to], words)
		words = words[wordsOf(to-from):]
	}
}

func linearSingle(f *linear.Filter, hashes []uint64) (found int) {
	for _, hash := range hashes {
		found += tables.One(f.ContainsHash(hash))
	}
	return found
}

func linearStateless(data []byte, hashes []uint64) (found int) {
	for _, hash := range hashes {
		found += tables.One(linear.MayContainHash(data, hash))
	}
	return found
}

func linearKeys(f *linear.Filter, q *queries) {
	for from, to := range q.calls() {
		f.ContainsKeys(q.keys[from:to], q.bools[from:to])
	}
}
