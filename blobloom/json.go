package blobloom

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats/blobloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// OpenJSON returns the filter that Milvus's copy of the module (github.com/weiliu1031/blobloom) wrote as JSON: an
// object with the number k and the array b, of a string for each block, its 64 bytes in base64 for URLs. Other members
// do not matter. In Milvus's statistics of primary keys the object is the "bf" of an entry whose bfType is 4; elsewhere
// it is of bits-and-blooms/bloom.
//
// The error wraps [simdbloom.ErrCorrupt] and describes what is wrong: no such JSON, k below 2, no blocks, or one of
// another length. It wraps [simdbloom.ErrTooLarge] for 4 GiB of blocks or more. The zero Hash is an error, too.
//
// It costs some hundred nanoseconds a block, and memory for the text and the filter.
func OpenJSON(text []byte, hash keyhash.Hash) (*simdbloom.Filter, error) {
	var stored struct {
		K int64    `json:"k"`
		B []string `json:"b"`
	}
	if err := json.Unmarshal(text, &stored); err != nil {
		return nil, fmt.Errorf("blobloom: %w: %w", simdbloom.ErrCorrupt, err)
	}
	const leastK, mostK int64 = 2, 1<<32 - 1 // of the module's New, and of a dump
	if stored.K < leastK || stored.K > mostK {
		return nil, fmt.Errorf("blobloom: %w: k must be %d to %d, not %d", simdbloom.ErrCorrupt, leastK, mostK, stored.K)
	}
	if len(stored.B) == 0 {
		return nil, fmt.Errorf("blobloom: %w: no blocks", simdbloom.ErrCorrupt)
	}
	dump, err := newDump(uint64(len(stored.B)), uint32(stored.K))
	if err != nil {
		return nil, err
	}
	for i, block := range stored.B {
		data, err := base64.URLEncoding.DecodeString(block)
		switch {
		case err != nil:
			return nil, fmt.Errorf("blobloom: %w: block %d is no base64 for URLs: %w", simdbloom.ErrCorrupt, i, err)
		case len(data) != asm.BlockBytes:
			return nil, fmt.Errorf("blobloom: %w: block %d has %d bytes, not %d", simdbloom.ErrCorrupt, i, len(data), asm.BlockBytes)
		}
		copy(dump[blobloom.HeaderBytes+i*asm.BlockBytes:], data)
	}
	return Open(dump, hash)
}
