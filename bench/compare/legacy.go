package main

import (
	"iter"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
)

// legacyFilter is package legacy's filter, for hashes of 64 bits.
type legacyFilter struct{ *legacy.Filter }

func (f legacyFilter) ContainsHash(hash uint64) bool { return f.Filter.ContainsHash(uint32(hash)) }

func (f legacyFilter) CopyAligned() legacyFilter { return legacyFilter{f.Filter.CopyAligned()} }

// newLegacy returns package legacy's filter.
func newLegacy(s *settings) *own[legacyFilter] { return newOwn(s, legacyKind) }

var legacyKind = kind[legacyFilter]{
	title:      "legacy",
	prefix:     "legacy ",
	bitsPerKey: wholeBits,
	newBuilder: func(bitsPerKey float64, way building) (builder, error) {
		b, err := newLegacyBuilder(bitsPerKey, way)
		return b, err
	},
	write: func(memory []byte, fill filling, hashes iter.Seq[[]uint64]) ([]byte, error) {
		b, err := newLegacyBuilder(fill.bitsPerKey, building{})
		if err != nil {
			return nil, err
		}
		return b.write(memory, hashes)
	},
	open: func(data []byte, _ keyhash.Hash) (legacyFilter, error) {
		f, err := legacy.Open(data)
		return legacyFilter{f}, err
	},
	chosen:  func(f legacyFilter) chosen { return probes(f.NumProbes()) },
	smaller: true,
	more:    asm.BlockBytes, // numbers of lines are odd
	oneCPU:  true,
	keyHash: func(key []byte) uint64 { return uint64(legacy.Hash(key)) },
	inPureGo: func(f legacyFilter, body []byte) func(hash uint64) bool {
		lines, probes := uint32(f.NumLines()), f.NumProbes()
		return func(hash uint64) bool { return fallback.LegacyContains(body, lines, probes, uint32(hash)) }
	},
	batch: legacyBatch, bits: legacyBits, single: legacySingle, stateless: legacyStateless, keys: legacyKeys,
}

func newLegacyBuilder(bitsPerKey float64, way building) (*wideBuilder, error) {
	var options []legacy.Option
	if way.verification {
		options = append(options, legacy.WithVerification())
	}
	b, err := legacy.NewBuilder(bitsPerKey, options...)
	return &wideBuilder{narrowBuilder: b}, err
}

func legacyBatch(f legacyFilter, q *queries) {
	for from, to := range q.calls() {
		f.ContainsHashes(q.narrow[from:to], q.bools[from:to])
	}
}

func legacyBits(f legacyFilter, q *queries) {
	words := q.words
	for from, to := range q.calls() {
		f.ContainsHashBits(q.narrow[from:to], words)
		words = words[wordsOf(to-from):]
	}
}

func legacySingle(f legacyFilter, hashes []uint64) (found int) {
	for _, hash := range hashes {
		found += tables.One(f.Filter.ContainsHash(uint32(hash)))
	}
	return found
}

func legacyStateless(data []byte, hashes []uint64) (found int) {
	for _, hash := range hashes {
		found += tables.One(legacy.MayContainHash(data, uint32(hash)))
	}
	return found
}

func legacyKeys(f legacyFilter, q *queries) {
	for from, to := range q.calls() {
		f.ContainsKeys(q.keys[from:to], q.bools[from:to])
	}
}
