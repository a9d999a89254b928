package fuzz

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// counts are memory for the counts of blocks between unreadable pages.
type counts []uint16

const mostCounts = 2 * mostBlocks

func newCounts(f *testing.F) counts {
	memory := testmem.Between(f, 2*mostCounts)
	return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(memory))), len(memory)/2)
}

// check counts hashes that belong to some blocks of a filter of any size. It tests that a
// single hash of another block is noticed and not counted.
func (c counts) check(t *testing.T, hashes []uint64, share, some, place byte, more uint16) {
	t.Helper()
	blocks := 1 + uint32(more)<<(place%11)
	from := uint32(uint64(blocks) * uint64(share) / 256)
	n := int(min(blocks-from, 1+uint32(some)*4))
	at := int(place) % (len(c) - n + 1)
	if place&1 != 0 {
		at = len(c) - n - at
	}
	own := c[at : at+n]
	for i := range c {
		c[i] = uint16(i) * 0x5555
	}

	other := slices.IndexFunc(hashes, func(hash uint64) bool { return fallback.Block(hash, blocks)-from >= uint32(n) })
	var stranger uint64
	if other >= 0 {
		stranger = hashes[other]
	}

	for i, hash := range hashes { // the same in the blocks that have counts
		block := from + uint32(hash>>32)%uint32(n)
		lowest, above := lowestOf(block, blocks), lowestOf(block+1, blocks)
		hashes[i] = hash&^(1<<32-1) | (lowest + hash&(1<<32-1)%(above-lowest))
	}
	for i := range own {
		own[i] = uint16(i) * 0x1111 // some wrap
	}
	want, original := slices.Clone(own), slices.Clone(hashes)
	fallback.PairedCount(want, from, blocks, hashes)
	asm.PairedCount(own, from, blocks, hashes)
	if !slices.Equal(own, want) || !slices.Equal(hashes, original) {
		t.Fatalf("%d hashes in %d blocks from %d on of %d: other counts", len(hashes), n, from, blocks)
	}
	if other >= 0 {
		hashes[int(share)*len(hashes)/256] = stranger
		if !panics(func() { asm.PairedCount(own, from, blocks, hashes) }) {
			t.Fatalf("hash %#x of other blocks than %d from %d on of %d was counted", stranger, n, from, blocks)
		}
	}
	for i, count := range c {
		if (i < at || i >= at+n) && count != uint16(i)*0x5555 {
			t.Fatalf("%d blocks from %d on of %d: wrote beside the counts", n, from, blocks)
		}
	}
}

func panics(f func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	f()
	return false
}

// lowestOf returns the lowest lower half of a hash of a block.
func lowestOf(block, blocks uint32) uint64 {
	return (uint64(block)<<32 + uint64(blocks) - 1) / uint64(blocks)
}
