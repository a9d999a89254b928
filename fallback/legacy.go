package fallback

// A legacy filter is lines, usually blocks, and keys with 32-bit hashes. The hash modulo the
// number of lines is the key's line. The probes of a line of 2^m bits are the low m bits of
// hash, hash+delta, hash+2*delta and so on, delta being the hash rotated.

// LegacyDelta returns the distance of a hash's probes.
func LegacyDelta(hash uint32) uint32 { return hash>>17 | hash<<15 }

// LegacyReciprocal returns what LegacyLine multiplies by: 2^64/lines, rounded up. It is 0,
// which stands for 2^64, for a single line.
func LegacyReciprocal(lines uint32) uint64 { return ^uint64(0)/uint64(lines) + 1 }

// MostLegacyLines is the most lines that LegacyLine is exact for, and more than a filter of
// 4 GiB has.
const MostLegacyLines = 1 << 30

// LegacyLine returns hash modulo lines, which is 1 to MostLegacyLines.
//
// The product of the hash and the reciprocal, without its overflow, is the fraction
// hash%lines/lines in 64 bits, or more by less than 2^32. Its upper 32 bits and one are more
// than the fraction in 32 bits, but by 2 at most.
func LegacyLine(hash, lines uint32, reciprocal uint64) uint32 {
	return uint32(uint64(legacyFraction(hash, reciprocal)) * uint64(lines) >> 32)
}

func legacyFraction(hash uint32, reciprocal uint64) uint32 {
	return uint32(reciprocal*uint64(hash)>>32) + 1
}

// LegacyWiden turns hashes of a filter whose lines are blocks into hashes of which the low
// half chooses the block as it does in other filters: see Block. The high half is the hash.
func LegacyWiden(reciprocal uint64, hashes []uint32, wide []uint64) {
	wide = wide[:len(hashes)]
	for i, hash := range hashes {
		wide[i] = uint64(hash)<<32 | uint64(legacyFraction(hash, reciprocal))
	}
}

// LegacyLineContains reports whether all of a hash's bits are set in its line, of 2^m bytes.
func LegacyLineContains(line []byte, probes int, hash uint32) bool {
	mask, delta := uint32(8*uint64(len(line))-1), LegacyDelta(hash)
	found := byte(1)
	for range probes {
		bit := hash & mask
		found &= line[bit/8] >> (bit % 8)
		hash += delta
	}
	return found != 0
}

// LegacyContains is LegacyLineContains of the hash's line. The body is lines of the same size,
// 2^m bytes.
func LegacyContains(body []byte, lines uint32, probes int, hash uint32) bool {
	return LegacyLineContains(legacyLine(body, lines, hash%lines), probes, hash)
}

// LegacyContainsBatch sets bit i%64 of hits[i/64] to LegacyContains of hashes[i], and the
// bits beyond the last hash in its word to zero.
func LegacyContainsBatch(body []byte, lines uint32, probes int, hashes []uint32, hits []uint64) {
	for len(hashes) > 0 {
		keys := hashes[:min(group, len(hashes))]
		if len(body) > farFrom {
			loadLegacyLines(body, lines, keys)
		}
		word := uint64(0)
		for i := len(keys) - 1; i >= 0; i-- {
			word <<= 1
			if LegacyContains(body, lines, probes, keys[i]) {
				word |= 1
			}
		}
		hits[0] = word
		hits, hashes = hits[1:], hashes[len(keys):]
	}
}

// LegacyAdd sets the bits of every hash.
func LegacyAdd(body []byte, lines uint32, probes int, hashes []uint32) {
	for len(hashes) > 0 {
		keys := hashes[:min(group, len(hashes))]
		if len(body) > farFrom {
			loadLegacyLines(body, lines, keys)
		}
		for _, hash := range keys {
			line := legacyLine(body, lines, hash%lines)
			mask, delta := uint32(8*uint64(len(line))-1), LegacyDelta(hash)
			for range probes {
				bit := hash & mask
				line[bit/8] |= 1 << (bit % 8)
				hash += delta
			}
		}
		hashes = hashes[len(keys):]
	}
}

func legacyLine(body []byte, lines, index uint32) []byte {
	size := uint64(len(body)) / uint64(lines)
	return body[uint64(index)*size:][:size:size]
}

// loadLegacyLines is loadLines of a legacy filter. It loads the first bytes only: where lines
// are longer than the machine's, it helps less.
//
//go:noinline
func loadLegacyLines(body []byte, lines uint32, hashes []uint32) (all byte) {
	for _, hash := range hashes {
		all |= legacyLine(body, lines, hash%lines)[0]
	}
	return all
}
