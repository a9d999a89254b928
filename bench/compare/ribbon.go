package main

import (
	"encoding/binary"
	"fmt"
	"iter"
	"runtime"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/ribbon"
)

// ribbonEntrant is a Ribbon filter with FastLocal's rate, where there are enough keys for one
// and not too many for memory.
func ribbonEntrant(c contestant, fill filling) *entrant {
	const (
		finishTakes = 10   // times what adding keys does
		fewest      = 1000 // of fewer keys, it may be a FastLocal filter
	)
	e := notInLarge(c, fill, "memory")
	e.passes = 1 + finishTakes
	if fill.keys < fewest {
		e.leftOut, e.note = true, fmt.Sprintf("is left out: of fewer than %d keys, it may be a FastLocal filter", fewest)
	}
	return e
}

// newRibbon returns package ribbon's filter.
func newRibbon(s *settings) *own[*ribbon.Filter] { return newOwn(s, ribbonKind) }

var ribbonKind = kind[*ribbon.Filter]{
	title:  "ribbon",
	prefix: "ribbon ",
	newBuilder: func(bitsPerKey float64, way building) (builder, error) {
		options := []ribbon.Option{ribbon.WithConcurrency(way.concurrency)}
		if way.verification {
			options = append(options, ribbon.WithVerification())
		}
		return ribbon.NewBuilder(bitsPerKey, keyhash.XX64, options...)
	},
	write:     writeRibbon,
	open:      ribbon.Open,
	chosen:    func(f *ribbon.Filter) chosen { return probes(f.NumProbes()) },
	smaller:   true,
	bodyBytes: func(bytes int) int { return bytes - ribbonTrailerBytes },
	inPureGo: func(f *ribbon.Filter, body []byte) func(hash uint64) bool {
		last := binary.LittleEndian.Uint32(f.Bytes()[len(body)+1:]) // the seed, and the blocks
		shape := fallback.NewRibbonShape(uint64(len(body)), last>>8, byte(last))
		return func(hash uint64) bool { return fallback.RibbonContains(body, &shape, hash) }
	},
	batch: ribbonBatch, bits: ribbonBits, single: ribbonSingle, stateless: ribbonStateless, keys: ribbonKeys,
}

const ribbonTrailerBytes = 5

// writeRibbon holds the hashes of all keys: their equations are solved together.
func writeRibbon(memory []byte, fill filling, hashes iter.Seq[[]uint64]) ([]byte, error) {
	b, err := ribbon.NewBuilder(fill.bitsPerKey, keyhash.XX64, ribbon.WithConcurrency(runtime.NumCPU()))
	if err != nil {
		return nil, err
	}
	for chunk := range hashes {
		b.AddHashes(chunk)
	}
	return b.AppendFinish(memory)
}

func ribbonBatch(f *ribbon.Filter, q *queries) {
	for from, to := range q.calls() {
		f.ContainsHashes(q.hashes[from:to], q.bools[from:to])
	}
}

func ribbonBits(f *ribbon.Filter, q *queries) {
	words := q.words
	for from, to := range q.calls() {
		f.ContainsHashBits(q.hashes[from:to], words)
		words = words[wordsOf(to-from):]
	}
}

func ribbonSingle(f *ribbon.Filter, hashes []uint64) (found int) {
	for _, hash := range hashes {
		found += tables.One(f.ContainsHash(hash))
	}
	return found
}

func ribbonStateless(data []byte, hashes []uint64) (found int) {
	for _, hash := range hashes {
		found += tables.One(ribbon.MayContainHash(data, hash))
	}
	return found
}

func ribbonKeys(f *ribbon.Filter, q *queries) {
	for from, to := range q.calls() {
		f.ContainsKeys(q.keys[from:to], q.bools[from:to])
	}
}
