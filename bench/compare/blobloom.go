package main

import (
	"fmt"
	"iter"
	"unsafe"

	blocked "github.com/greatroar/blobloom"

	"github.com/simdbloom/simdbloom/internal/test/tables"
)

// blobloom is Blobloom's filter, with as many probes as it takes for the best.
type blobloom struct{ filter *blocked.Filter }

func (b *blobloom) name() string { return "blobloom" }

func (b *blobloom) build(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (bytes int, has chosen, err error) {
	const tiny = 1e-300 // a rate for which all the memory is taken
	size, hashFunctions := blocked.Optimize(blocked.Config{Capacity: fill.keys, FPRate: tiny, MaxBits: 8 * uint64(len(memory))})
	hashFunctions = max(hashFunctions, 2) // as Blobloom has it, too
	if b.filter, err = blobloomIn(memory, hashFunctions); err != nil {
		return 0, chosen{}, err
	}
	for chunk := range hashes {
		for _, hash := range chunk {
			b.filter.Add(hash)
		}
	}
	return int(size / 8), probes(hashFunctions - 1), nil // one of them chooses the block
}

// blobloomIn returns an empty filter over memory. Blobloom has its own in Go's
// heap, which would be a comparison of pages; so its slice of blocks, which is
// the first of its fields, is made to point elsewhere.
func blobloomIn(memory []byte, hashFunctions int) (*blocked.Filter, error) {
	type block [blocked.BlockBits / 8]byte
	f := blocked.New(blocked.BlockBits, hashFunctions)
	blocks := (*[]block)(unsafe.Pointer(f))
	if len(*blocks) != 1 || cap(*blocks) != 1 {
		return nil, fmt.Errorf("another layout of its filter: %d blocks of %d", len(*blocks), cap(*blocks))
	}
	*blocks = unsafe.Slice((*block)(unsafe.Pointer(unsafe.SliceData(memory))), len(memory)/len(block{}))
	if f.NumBits() != 8*uint64(len(memory)) {
		return nil, fmt.Errorf("%d bits of %d bytes", f.NumBits(), len(memory))
	}
	return f, nil
}

func (b *blobloom) rows() []*row {
	return countingRows(b.name(), func(hashes []uint64) (found int) {
		filter := b.filter
		for _, hash := range hashes {
			found += tables.One(filter.Has(hash))
		}
		return found
	})
}
