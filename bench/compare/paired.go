package main

import (
	"iter"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
)

// The numbers of blocks that a batch of the paired filter may have.
const (
	fewBatchBlocks  = 32
	manyBatchBlocks = 128
)

// pairedEntrant is the paired filter in batches of the size that the flags set, or in smaller
// ones if its size is not a multiple of those.
func pairedEntrant(s *settings, fill filling) *entrant {
	batchBlocks := s.batchBlocks
	if fill.bytes%(batchBlocks*asm.BlockBytes) != 0 {
		batchBlocks = fewBatchBlocks
	}
	e := &entrant{contestant: newPaired(s, batchBlocks), passes: 2}
	if least := fewBatchBlocks * asm.BlockBytes; fill.bytes%least != 0 {
		e.leftOut, e.note = true, "is left out: its size is a multiple of "+sizeText(least)
	} else if batchBlocks == fewBatchBlocks {
		e.note = "has batches of 32 blocks, not 128"
	}
	return e
}

// newPaired returns package paired's filter.
func newPaired(s *settings, batchBlocks int) *own[*paired.Filter] {
	return newBlocks(s, blocks[*paired.Filter]{
		kind: kind[*paired.Filter]{
			title:  "paired",
			prefix: "paired ",
			newBuilder: func(bitsPerKey float64, way building) (builder, error) {
				options := []paired.Option{paired.WithBatchBlocks(batchBlocks), paired.WithConcurrency(way.concurrency)}
				if way.verification {
					options = append(options, paired.WithVerification())
				}
				return paired.NewBuilder(bitsPerKey, keyhash.XX64, options...)
			},
			open:   paired.Open,
			chosen: func(f *paired.Filter) chosen { return probes(f.NumProbes()) },
			batch:  pairedBatch, bits: pairedBits, single: pairedSingle, stateless: pairedStateless, keys: pairedKeys,
		},
		fill: func(body []byte, probes int, hashes iter.Seq[[]uint64]) {
			counts := make([]uint16, len(body)/asm.BlockBytes)
			for chunk := range hashes {
				asm.PairedCount(counts, 0, uint32(len(counts)), chunk)
			}
			asm.PairedSetPairs(body, batchBlocks, counts)
			for chunk := range hashes {
				asm.PairedAdd(body, batchBlocks, probes, chunk)
			}
		},
		contains: func(body []byte, probes int, hash uint64) bool {
			return fallback.PairedContains(body, batchBlocks, probes, hash)
		},
	})
}

func pairedBatch(f *paired.Filter, q *queries) {
	for from, to := range q.calls() {
		f.ContainsHashes(q.hashes[from:to], q.bools[from:to])
	}
}

func pairedBits(f *paired.Filter, q *queries) {
	words := q.words
	for from, to := range q.calls() {
		f.ContainsHashBits(q.hashes[from:to], words)
		words = words[wordsOf(to-from):]
	}
}

func pairedSingle(f *paired.Filter, hashes []uint64) (found int) {
	for _, hash := range hashes {
		found += tables.One(f.ContainsHash(hash))
	}
	return found
}

func pairedStateless(data []byte, hashes []uint64) (found int) {
	for _, hash := range hashes {
		found += tables.One(paired.MayContainHash(data, hash))
	}
	return found
}

func pairedKeys(f *paired.Filter, q *queries) {
	for from, to := range q.calls() {
		f.ContainsKeys(q.keys[from:to], q.bools[from:to])
	}
}
