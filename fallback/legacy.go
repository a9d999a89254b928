package fallback

import "encoding/binary"

// A legacy filter is lines, usually blocks, and keys with 32-bit hashes, which are the low halves of
// the hashes here. The hash modulo the number of lines is the key's line. The probes of a line of 2^m bits are the low
// m bits of hash, hash+delta, hash+2*delta and so on, delta being the hash rotated.

// legacyDelta returns the distance of a hash's probes.
func legacyDelta(hash uint32) uint32 { return hash>>17 | hash<<15 }

// LegacyWiden turns hashes of a filter whose lines are blocks into hashes of which the low
// half chooses the block as it does in other filters: see Block. The high half is the hash.
//
// reciprocal is that of the number of lines, as a Modulus. The low half is the fraction that it
// gives, in 32 bits, and one: it is more than hash%lines/lines, by 2/2^32 at most. That is exact
// for up to 2^30 lines.
func LegacyWiden(reciprocal uint64, hashes, wide []uint64) {
	wide = wide[:len(hashes)]
	for i, hash := range hashes {
		fraction := uint32(reciprocal*uint64(uint32(hash))>>32) + 1
		wide[i] = hash<<32 | uint64(fraction)
	}
}

// legacyLineContains reports whether all of a hash's bits are set in its line, of 2^m bytes.
func legacyLineContains(line []byte, probes int, hash uint32) bool {
	if len(line) == BlockBytes {
		return legacyBlockContains((*block)(line), probes, hash)
	}
	mask, delta := legacyMask(line), legacyDelta(hash)
	found := byte(1)
	for range probes {
		bit := hash & mask
		found &= line[bit/8] >> (bit % 8)
		hash += delta
	}
	return found != 0
}

// legacyBlockContains is legacyLineContains of a line that is a block. From a word a bit takes
// fewer instructions than from a byte.
func legacyBlockContains(b *block, probes int, hash uint32) bool {
	delta := legacyDelta(hash)
	found := uint32(1)
	for range probes {
		word := binary.LittleEndian.Uint32(b[hash/32%(blockBits/32)*4:])
		found &= word >> (hash % 32)
		hash += delta
	}
	return found&1 != 0
}

// LegacyContains reports whether all of a hash's bits are set in its line. The body is lines of the
// same size, 2^m bytes.
func LegacyContains(body []byte, lines uint32, probes int, hash uint64) bool {
	size := uint64(len(body)) / uint64(lines)
	line := body[uint64(uint32(hash)%lines)*size:][:size]
	if len(line) == BlockBytes { // without another call
		return legacyBlockContains((*block)(line), probes, uint32(hash))
	}
	return legacyLineContains(line, probes, uint32(hash))
}

// LegacyContainsBatch sets bit i%64 of hits[i/64] to LegacyContains of hashes[i], and the
// bits beyond the last hash in its word to zero.
func LegacyContainsBatch(body []byte, lines uint32, probes int, hashes, hits []uint64) {
	all := newLegacyLines(body, lines)
	for len(hashes) > 0 {
		keys := hashes[:min(group, len(hashes))]
		if len(body) > farFrom {
			all.load(keys)
		}
		word := uint64(0)
		for i := len(keys) - 1; i >= 0; i-- {
			word <<= 1
			if legacyLineContains(all.of(keys[i]), probes, uint32(keys[i])) {
				word |= 1
			}
		}
		hits[0] = word
		hits, hashes = hits[1:], hashes[len(keys):]
	}
}

// LegacyAdd sets the bits of every hash.
func LegacyAdd(body []byte, lines uint32, probes int, hashes []uint64) {
	all := newLegacyLines(body, lines)
	for len(hashes) > 0 {
		keys := hashes[:min(group, len(hashes))]
		if len(body) > farFrom {
			all.load(keys)
		}
		for _, hash := range keys {
			line, place := all.of(hash), uint32(hash)
			mask, delta := legacyMask(line), legacyDelta(place)
			for range probes {
				bit := place & mask
				line[bit/8] |= 1 << (bit % 8)
				place += delta
			}
		}
		hashes = hashes[len(keys):]
	}
}

// legacyLines are a filter's lines.
type legacyLines struct {
	body  []byte
	size  uint64
	lines Modulus
}

func newLegacyLines(body []byte, lines uint32) legacyLines {
	return legacyLines{body, uint64(len(body)) / uint64(lines), NewModulus(uint64(lines))}
}

// of returns the line of a hash.
func (l *legacyLines) of(hash uint64) []byte {
	return l.body[uint64(l.lines.of(uint32(hash)))*l.size:][:l.size]
}

// load is loadLines. It loads the first bytes only: where lines are longer than the
// machine's, it helps less.
//
//go:noinline
func (l *legacyLines) load(hashes []uint64) (all byte) {
	for _, hash := range hashes {
		all |= l.of(hash)[0]
	}
	return all
}

// legacyMask has the bits of a hash that are a position in the line.
func legacyMask(line []byte) uint32 { return uint32(8*uint64(len(line)) - 1) }
