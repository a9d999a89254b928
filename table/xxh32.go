package table

import (
	"encoding/binary"
	"math/bits"
)

const (
	prime32x1 = 0x9e3779b1
	prime32x2 = 0x85ebca77
	prime32x3 = 0xc2b2ae3d
	prime32x4 = 0x27d4eb2f
	prime32x5 = 0x165667b1
)

// xxh32 is XXH32 with seed 0 (specification: github.com/Cyan4973/xxHash,
// doc/xxhash_spec.md).
func xxh32(data []byte) uint32 {
	sum := uint32(prime32x5)
	rest := data
	if len(data) >= 16 {
		var seed uint32 // a variable, as the lanes' beginnings wrap
		lanes := [4]uint32{seed + prime32x1 + prime32x2, seed + prime32x2, seed, seed - prime32x1}
		for ; len(rest) >= 16; rest = rest[16:] {
			for i := range lanes {
				word := binary.LittleEndian.Uint32(rest[4*i:])
				lanes[i] = bits.RotateLeft32(lanes[i]+word*prime32x2, 13) * prime32x1
			}
		}
		sum = bits.RotateLeft32(lanes[0], 1) + bits.RotateLeft32(lanes[1], 7) +
			bits.RotateLeft32(lanes[2], 12) + bits.RotateLeft32(lanes[3], 18)
	}
	sum += uint32(len(data))
	for ; len(rest) >= 4; rest = rest[4:] {
		sum = bits.RotateLeft32(sum+binary.LittleEndian.Uint32(rest)*prime32x3, 17) * prime32x4
	}
	for _, b := range rest {
		sum = bits.RotateLeft32(sum+uint32(b)*prime32x5, 11) * prime32x1
	}
	sum = (sum ^ sum>>15) * prime32x2
	sum = (sum ^ sum>>13) * prime32x3
	return sum ^ sum>>16
}
