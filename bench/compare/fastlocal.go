package main

import (
	"fmt"
	"iter"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/keyhash"
)

// fastLocal is package bloom's filter.
type fastLocal struct {
	levels []cpu.Level
	body   []byte
	data   []byte
}

func (f *fastLocal) name() string { return "simdbloom" }

// build does what a bloom.Builder would, without holding the hashes of all keys.
func (f *fastLocal) build(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (bytes, probes int, err error) {
	trailer, probes, err := trailerOf(fill.bitsPerKey)
	if err != nil {
		return 0, 0, err
	}
	for chunk := range hashes {
		asm.FastLocalAdd(memory, probes, chunk)
	}
	f.body = memory
	f.data = append(memory, trailer...)
	if opened := f.open().NumProbes(); opened != probes {
		err = fmt.Errorf("a filter of %d probes was built, and one of %d opened", probes, opened)
	}
	return fill.bytes + len(trailer), probes, err
}

// open opens the filter, which keeps to the level that it was opened at.
func (f *fastLocal) open() *bloom.Filter {
	filter, err := bloom.Open(f.data, keyhash.XX64)
	if err != nil {
		panic(err) // build has made it
	}
	return filter
}

// trailerOf returns what follows the blocks of all filters with so many bits per
// key.
func trailerOf(bitsPerKey float64) (trailer []byte, probes int, err error) {
	b, err := bloom.NewBuilder(bitsPerKey, keyhash.XX64)
	if err != nil {
		return nil, 0, err
	}
	b.AddHash(0)
	data, err := b.Finish()
	if err != nil {
		return nil, 0, err
	}
	f, err := bloom.Open(data, keyhash.XX64)
	if err != nil {
		return nil, 0, err
	}
	return data[len(data)/asm.BlockBytes*asm.BlockBytes:], f.NumProbes(), nil
}

func (f *fastLocal) rows() (rows []*row) {
	for _, level := range f.levels {
		rows = append(rows,
			&row{level.String() + " batch", level, f.askBools, (*queries).trues},
			&row{level.String() + " bits", level, f.askBits, (*queries).ones},
			&row{level.String() + " single", level, f.askSingly, (*queries).count})
	}
	return append(rows, touchRows(f)...)
}

func (f *fastLocal) askBools(q *queries) {
	filter := f.open()
	for from := 0; from < len(q.hashes); from += q.batch {
		to := min(from+q.batch, len(q.hashes))
		filter.ContainsHashes(q.hashes[from:to], q.bools[from:to])
	}
}

func (f *fastLocal) askBits(q *queries) {
	filter, words := f.open(), q.words
	for from := 0; from < len(q.hashes); from += q.batch {
		filter.ContainsHashBits(q.hashes[from:min(from+q.batch, len(q.hashes))], words)
		words = words[min(wordsOf(q.batch), len(words)):]
	}
}

func (f *fastLocal) askSingly(q *queries) { q.found = countSingly(f.open(), q.hashes) }

// countSingly is a loop by itself: how the compiler lays out a loop with a call
// of assembly in it makes a difference of 10 %.
//
//go:noinline
func countSingly(filter *bloom.Filter, hashes []uint64) (found int) {
	for _, hash := range hashes {
		found += one(filter.ContainsHash(hash))
	}
	return found
}

// verify compares every level's answers, given in every way, with plain Go's.
func (f *fastLocal) verify(q *queries) error {
	probes := f.open().NumProbes()
	for _, level := range f.levels {
		restore := cpu.Limit(level)
		f.askBools(q)
		f.askBits(q)
		filter := f.open()
		for i, hash := range q.hashes {
			word := i/q.batch*wordsOf(q.batch) + i%q.batch/64
			bit := q.words[word]>>(i%q.batch%64)&1 != 0
			single := filter.ContainsHash(hash)
			if want := fallback.FastLocalContains(f.body, probes, hash); q.bools[i] != want || bit != want || single != want {
				restore()
				return fmt.Errorf("level %s, hash %#x: batch says %v, bits %v, single %v, and %v is right",
					level, hash, q.bools[i], bit, single, want)
			}
		}
		restore()
	}
	return nil
}
