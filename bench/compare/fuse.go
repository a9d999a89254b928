package main

import (
	"fmt"
	"iter"
	"unsafe"

	"github.com/FastFilter/xorfilter"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
)

// fuse is xorfilter's binary fuse filter with fingerprints of type T. It takes as much memory
// as it needs for the keys.
type fuse[T uint8 | uint16] struct{ filter *xorfilter.BinaryFuse[T] }

// fuseEntrants returns the binary fuse filters, each after a linear filter of the same rate:
// for fields whose filters have about the same number of bits per key.
func fuseEntrants(s *settings, fill filling) []*entrant {
	pair := func(c contestant, fingerprint int, least, most float64) []*entrant {
		pair := []*entrant{
			notInLarge(newLinearOfRate(s, "linear as "+c.name(), fingerprint), fill, "memory"),
			notInLarge(c, fill, "memory"),
		}
		pair[1].room = 2 * fill.bytes
		for _, e := range pair {
			if fill.bitsPerKey < least || fill.bitsPerKey > most {
				e.leftOut, e.note = true, ""
			}
		}
		return pair
	}
	return append(pair(new(fuse[uint8]), 8, 9, 12), pair(new(fuse[uint16]), 16, 18, 24)...)
}

func (f *fuse[T]) fingerprint() int {
	var of T
	return 8 * int(unsafe.Sizeof(of))
}

func (f *fuse[T]) name() string { return fmt.Sprint("fuse ", f.fingerprint()) }

// build copies the filter into memory that others have, too.
func (f *fuse[T]) build(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (bytes int, has chosen, err error) {
	b := newFuseBuilder[T](fill)
	for chunk := range hashes {
		b.AddHashes(chunk)
	}
	data, err := b.Finish()
	if err != nil {
		return 0, chosen{}, err
	}
	if len(data) > cap(memory) {
		return 0, chosen{}, fmt.Errorf("%d bytes are beyond what there was room for", len(data))
	}
	f.filter = b.filter
	f.filter.Fingerprints = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(memory))), len(f.filter.Fingerprints))
	copy(memory[:len(data)], data)
	return len(data), chosen{Fingerprint: f.fingerprint()}, nil
}

func (f *fuse[T]) rows() []*row {
	hashes := countingRows(f.name(), func(hashes []uint64) (found int) {
		filter := f.filter
		for _, hash := range hashes {
			found += tables.One(filter.Contains(hash))
		}
		return found
	})
	keys := &row{name: f.name() + " keys", level: cpu.Current(), keys: true, query: f.queryKeys, hits: (*queries).trues}
	built := &row{name: f.name(), level: cpu.Current(), build: &building{
		concurrency: 1,
		begin:       func(fill filling) (builder, error) { return newFuseBuilder[T](fill), nil },
		open: func(b builder, _ []byte) (reader, chosen, error) {
			return b.(*fuseBuilder[T]), chosen{Fingerprint: f.fingerprint()}, nil
		},
		suits: func(filling, int) bool { return true },
	}}
	return append(hashes, keys, built)
}

func (f *fuse[T]) queryKeys(q *queries) {
	filter := f.filter
	for i, key := range q.keys {
		q.bools[i] = filter.Contains(keyhash.XX64.Sum64(key))
	}
}

// fuseBuilder collects hashes in a slice that has room for all of them from the beginning.
type fuseBuilder[T uint8 | uint16] struct {
	hashes []uint64
	filter *xorfilter.BinaryFuse[T]
}

func newFuseBuilder[T uint8 | uint16](fill filling) *fuseBuilder[T] {
	return &fuseBuilder[T]{hashes: make([]uint64, 0, fill.keys)}
}

func (b *fuseBuilder[T]) AddHashes(hashes []uint64) { b.hashes = append(b.hashes, hashes...) }

func (b *fuseBuilder[T]) Finish() ([]byte, error) {
	f, err := xorfilter.NewBinaryFuse[T](b.hashes)
	if err != nil {
		return nil, err
	}
	b.filter = f
	fingerprints := unsafe.SliceData(f.Fingerprints)
	return unsafe.Slice((*byte)(unsafe.Pointer(fingerprints)), len(f.Fingerprints)*int(unsafe.Sizeof(*fingerprints))), nil
}

func (b *fuseBuilder[T]) ContainsHash(hash uint64) bool { return b.filter.Contains(hash) }
