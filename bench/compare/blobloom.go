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
	bytes, hashFunctions := blobloomFor(fill, len(memory))
	if b.filter, err = blobloomIn(memory, hashFunctions); err != nil {
		return 0, chosen{}, err
	}
	for chunk := range hashes {
		for _, hash := range chunk {
			b.filter.Add(hash)
		}
	}
	return bytes, probes(hashFunctions - 1), nil // one of them chooses the block
}

// blobloomFor returns the size and the number of hash functions that Blobloom chooses.
func blobloomFor(fill filling, memory int) (bytes, hashFunctions int) {
	const tiny = 1e-300 // a rate for which all the memory is taken
	size, hashFunctions := blocked.Optimize(blocked.Config{Capacity: fill.keys, FPRate: tiny, MaxBits: 8 * uint64(memory)})
	return int(size / 8), max(hashFunctions, 2) // as Blobloom has it, too
}

// blobloomIn returns an empty filter over memory. Blobloom has its own in Go's
// heap, which would be a comparison of pages; so its slice of blocks, which is
// the first of its fields, is made to point elsewhere.
func blobloomIn(memory []byte, hashFunctions int) (*blocked.Filter, error) {
	f := blocked.New(blocked.BlockBits, hashFunctions)
	if err := moveBlobloom(unsafe.Pointer(f), memory); err != nil {
		return nil, err
	}
	if f.NumBits() != 8*uint64(len(memory)) {
		return nil, fmt.Errorf("%d bits of %d bytes", f.NumBits(), len(memory))
	}
	return f, nil
}

// moveBlobloom makes an empty filter of one block begin at the memory.
func moveBlobloom(filter unsafe.Pointer, memory []byte) error {
	type block [blocked.BlockBits / 8]byte
	blocks := (*[]block)(filter)
	if len(*blocks) != 1 || cap(*blocks) != 1 {
		return fmt.Errorf("another layout of its filter: %d blocks of %d", len(*blocks), cap(*blocks))
	}
	*blocks = unsafe.Slice((*block)(unsafe.Pointer(unsafe.SliceData(memory))), len(memory)/len(block{}))
	return nil
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
