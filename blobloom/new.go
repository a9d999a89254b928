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
	const blockBits = 8 * asm.BlockBytes
	blocks := (max(bits, 1)-1)/blockBits + 1
	size, err := building.CheckSize(0, blobloom.HeaderBytes+asm.BlockBytes*blocks, blocks <= asm.MaxBodyBytes/asm.BlockBytes, aligned.Slack)
	if err != nil {
		return nil, fmt.Errorf("blobloom: a filter of %d bits is %w", bits, simdbloom.ErrTooLarge)
	}
	data := make([]byte, size)
	written := uint32(min(uint64(max(k, 2)), math.MaxUint32))
	blobloom.PutK(data, written)
	blobloom.PutHeader(data, blocks, blobloom.ProbesOf(written))
	return simdbloom.OpenMutable(simdbloom.Blobloom, data, hash)
}
