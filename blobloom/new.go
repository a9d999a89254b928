package blobloom

import (
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/blobloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// New returns the filter without keys that the module's New returns for the same number of bits and k: bits are rounded
// up to blocks of 512, at least one, and k below 2 counts as 2. After the same keys, its Bytes are the module's Dump.
//
// The error wraps [simdbloom.ErrTooLarge] for 4 GiB or more, or more than a slice can have on this
// machine. The zero Hash is an error, too.
func New(bits uint64, k int, hash keyhash.Hash) (*simdbloom.Mutable, error) {
	dump, err := newDump((max(bits, 1)-1)/(8*asm.BlockBytes)+1, written(k))
	if err != nil {
		return nil, err
	}
	return simdbloom.OpenMutable(simdbloom.Blobloom, dump, hash)
}

// OpenBlocks returns the filter of a dump's blocks without the header, and of the k that the module's New was given. It
// copies the blocks behind a header, into memory that begins at a multiple of 64. k below 2 counts as 2, as in New.
//
// The error wraps [simdbloom.ErrCorrupt] unless the blocks are one or more of 64 bytes each, of less than 4 GiB
// together. The zero Hash is an error, too.
//
// Milvus's binary statistics of primary keys have such blocks: see the example.
func OpenBlocks(blocks []byte, k int, hash keyhash.Hash) (*simdbloom.Filter, error) {
	if len(blocks) == 0 || len(blocks)%asm.BlockBytes != 0 || uint64(len(blocks)) > asm.MaxBodyBytes {
		return nil, fmt.Errorf("blobloom: %w: %d bytes are no positive multiple of 64 below 4 GiB", simdbloom.ErrCorrupt, len(blocks))
	}
	dump, err := newDump(uint64(len(blocks)/asm.BlockBytes), written(k))
	if err != nil {
		return nil, err
	}
	copy(dump[blobloom.HeaderBytes:], blocks)
	return Open(dump, hash)
}

// written returns the k of a header.
func written(k int) uint32 { return uint32(min(uint64(max(k, 2)), math.MaxUint32)) }

// newDump returns the header for a number of blocks and k, and as many clear blocks.
func newDump(blocks uint64, k uint32) ([]byte, error) {
	const most = asm.MaxBodyBytes / asm.BlockBytes
	size, err := building.CheckSize(0, blobloom.HeaderBytes+asm.BlockBytes*blocks, blocks <= most, aligned.Slack)
	if err != nil {
		return nil, fmt.Errorf("blobloom: a filter of %d blocks of 64 bytes is %w", blocks, simdbloom.ErrTooLarge)
	}
	dump := aligned.Make(size)
	blobloom.PutK(dump, k)
	blobloom.PutHeader(dump, blocks, blobloom.ProbesOf(k))
	return dump, nil
}
