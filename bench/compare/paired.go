package main

import (
	"iter"

	root "github.com/simdbloom/simdbloom"
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
func newPaired(s *settings, batchBlocks int) *own {
	return newOwn(s, kind{
		title: "paired", prefix: "paired ", hash: keyhash.XX64,
		newBuilder: func(bitsPerKey float64, hash keyhash.Hash, options ...root.Option) (*root.Builder, error) {
			return paired.NewBuilder(bitsPerKey, hash, append(options, paired.WithBatchBlocks(batchBlocks))...)
		},
		open: paired.Open,
		inBytes: func(data []byte, hashes []uint64) (found int) {
			for _, hash := range hashes {
				found += tables.One(paired.MayContainHash(data, hash))
			}
			return found
		},
		fill: func(body []byte, probes int, hashes iter.Seq[[]uint64]) {
			counts := make([]uint16, len(body)/asm.BlockBytes)
			for chunk := range hashes {
				asm.PairedCount(counts, 0, uint32(len(counts)), chunk)
			}
			fallback.PairedSetPairs(body, batchBlocks, counts)
			for chunk := range hashes {
				asm.PairedAdd(body, batchBlocks, probes, chunk)
			}
		},
		inPureGo: func(f *root.Filter, body []byte) func(hash uint64) bool {
			probes := f.NumProbes()
			return func(hash uint64) bool { return fallback.PairedContains(body, batchBlocks, probes, hash) }
		},
	})
}
