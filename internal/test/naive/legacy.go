package naive

import (
	"encoding/binary"
	"math/bits"
)

// mostLegacyProbes is the most that a legacy filter can record.
const mostLegacyProbes = 127

// legacyBits appends the bits of the body that a hash's probes look at. The body is lines of
// 2^m bytes.
func legacyBits(all []uint64, body []byte, lines uint32, k int, hash uint32) []uint64 {
	lineBits := uint64(len(body)) / uint64(lines) * 8
	own, delta := uint64(hash%lines), bits.RotateLeft32(hash, -17)
	for range k {
		all = append(all, own*lineBits+uint64(hash)%lineBits)
		hash += delta
	}
	return all
}

// LegacyBits returns the bits of the body that a hash's probes look at.
func LegacyBits(body []byte, lines uint32, k int, hash uint32) []uint64 {
	return legacyBits(nil, body, lines, k, hash)
}

// LegacyAdd sets a hash's bits.
func LegacyAdd(body []byte, lines uint32, k int, hash uint32) {
	var room [mostLegacyProbes]uint64
	set(body, legacyBits(room[:0], body, lines, k, hash))
}

// LegacyContains reports whether they are set.
func LegacyContains(body []byte, lines uint32, k int, hash uint32) bool {
	var room [mostLegacyProbes]uint64
	return contains(body, legacyBits(room[:0], body, lines, k, hash))
}

// LegacyReads is the answer of RocksDB's reader for any bytes, but where its product of lines
// and their size wraps, and it would read out of bounds: those may contain every key.
func LegacyReads(data []byte, hash uint32) bool {
	if len(data) <= 5 {
		return false
	}
	body, k := data[:len(data)-5], int(data[len(data)-5])
	lines := binary.LittleEndian.Uint32(data[len(data)-4:])
	if k == 0 || k > mostLegacyProbes || lines == 0 || uint64(len(body))%uint64(lines) != 0 ||
		bits.OnesCount64(uint64(len(body))/uint64(lines)) != 1 {
		return true
	}
	return LegacyContains(body, lines, k, hash)
}
