// Package touch is the floor of every filter's lookups: it finds each key's block
// and loads its line, and nothing else.
package touch

import (
	"encoding/binary"
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
)

// Hint says how lines are prefetched.
type Hint uint8

// The hints, as amd64 names them.
const (
	None Hint = iota
	T0
	T1
	T2
	NTA
)

var names = [...]string{None: "none", T0: "t0", T1: "t1", T2: "t2", NTA: "nta"}

// String returns the hint's name, such as "t0".
func (h Hint) String() string {
	if int(h) < len(names) {
		return names[h]
	}
	return fmt.Sprintf("touch.Hint(%d)", uint8(h))
}

// Lines loads the line of every hash's block of the body and returns the OR of
// the first 8 bytes of each. With a hint, lines are prefetched the given number of hashes
// ahead; without one, a machine with AVX-512 computes the addresses in vectors, which is
// faster for cached lines.
func Lines(body []byte, hashes []uint64, hint Hint, distance int) uint64 {
	all, hashes := most(body, hashes, hint, distance)
	blocks := uint32(uint64(len(body)) / asm.BlockBytes)
	for _, hash := range hashes {
		all |= binary.LittleEndian.Uint64(body[uint(fallback.Block(hash, blocks))*asm.BlockBytes:])
	}
	return all
}
