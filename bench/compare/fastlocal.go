package main

import (
	"iter"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
)

// fastLocal is package bloom's filter. The floors are rows of it.
type fastLocal struct{ *own[*bloom.Filter] }

func newFastLocal(s *settings) fastLocal {
	return fastLocal{newBlocks(s, blocks[*bloom.Filter]{
		kind: kind[*bloom.Filter]{
			title: "simdbloom",
			newBuilder: func(bitsPerKey float64, way building) (builder, error) {
				options := []bloom.Option{bloom.WithConcurrency(way.concurrency)}
				if way.verification {
					options = append(options, bloom.WithVerification())
				}
				return bloom.NewBuilder(bitsPerKey, keyhash.XX64, options...)
			},
			open:   bloom.Open,
			chosen: func(f *bloom.Filter) chosen { return probes(f.NumProbes()) },
			batch:  fastLocalBatch, bits: fastLocalBits, single: fastLocalSingle, stateless: fastLocalStateless, keys: fastLocalKeys,
		},
		fill: func(body []byte, probes int, hashes iter.Seq[[]uint64]) {
			for chunk := range hashes {
				asm.FastLocalAdd(body, probes, chunk)
			}
		},
		contains: fallback.FastLocalContains,
	})}
}

func (f fastLocal) rows() []*row {
	return append(append(f.own.rows(), touchRows(f)...), hashingRow())
}

func fastLocalBatch(f *bloom.Filter, q *queries) {
	for from, to := range q.calls() {
		f.ContainsHashes(q.hashes[from:to], q.bools[from:to])
	}
}

func fastLocalBits(f *bloom.Filter, q *queries) {
	words := q.words
	for from, to := range q.calls() {
		f.ContainsHashBits(q.hashes[from:to], words)
		words = words[wordsOf(to-from):]
	}
}

func fastLocalSingle(f *bloom.Filter, hashes []uint64) (found int) {
	for _, hash := range hashes {
		found += tables.One(f.ContainsHash(hash))
	}
	return found
}

func fastLocalStateless(data []byte, hashes []uint64) (found int) {
	for _, hash := range hashes {
		found += tables.One(bloom.MayContainHash(data, hash))
	}
	return found
}

func fastLocalKeys(f *bloom.Filter, q *queries) {
	for from, to := range q.calls() {
		f.ContainsKeys(q.keys[from:to], q.bools[from:to])
	}
}
