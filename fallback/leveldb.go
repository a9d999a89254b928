package fallback

import (
	"math"
	"math/bits"
)

// A LevelDB filter's probes are anywhere in its body: the first at the hash modulo the number
// of bits, each later one a fixed distance behind, before the modulo (util/bloom.cc).

// LevelDBModulus returns the number of a body's bits as a Modulus. The body has a byte at
// least.
func LevelDBModulus(body []byte) Modulus { return NewModulus(8 * uint64(len(body))) }

// LevelDBContains reports whether all of a hash's bits are set, which they are for every hash
// that was added. The modulus is the body's.
func LevelDBContains(body []byte, modulus Modulus, probes int, hash uint32) bool {
	return levelDBAllSet(body, modulus, probes, hash, levelDBDistance(hash))
}

// LevelDBContainsOnce is LevelDBContains without a Modulus. For a few lookups in a body, their divisions
// take less time than preparing one.
func LevelDBContainsOnce(body []byte, probes int, hash uint32) bool {
	if uint64(len(body)) > math.MaxUint32/8 {
		return LevelDBContains(body, LevelDBModulus(body), probes, hash)
	}
	place, distance, modulus := hash, levelDBDistance(hash), 8*uint32(len(body))
	for ; probes > 1; probes -= 2 {
		if levelDBBit(body, place%modulus)&levelDBBit(body, (place+distance)%modulus)&1 == 0 {
			return false
		}
		place += 2 * distance
	}
	return probes == 0 || levelDBBit(body, place%modulus)&1 != 0
}

// levelDBDistance returns the distance between a hash's probes.
func levelDBDistance(hash uint32) uint32 { return bits.RotateLeft32(hash, -17) }

// levelDBAllSet reports whether the given number of probes from a place on find their bits. It
// stops at the first two of which one does not: a branch on each is mispredicted more often.
func levelDBAllSet(body []byte, modulus Modulus, probes int, place, distance uint32) bool {
	for ; probes > 1; probes -= 2 {
		if levelDBBit(body, modulus.Of(place))&levelDBBit(body, modulus.Of(place+distance))&1 == 0 {
			return false
		}
		place += 2 * distance
	}
	return probes <= 0 || levelDBBit(body, modulus.Of(place))&1 != 0
}

// levelDBBit returns a bit in bit 0, with others above it.
func levelDBBit(body []byte, bit uint32) byte { return body[bit>>3] >> (bit & 7) }

// LevelDBContainsBatch sets bit i%64 of hits[i/64] to LevelDBContains of hashes[i], and the
// bits beyond the last hash in its word to zero.
func LevelDBContainsBatch(body []byte, modulus Modulus, probes int, hashes []uint32, hits []uint64) {
	oneByOne := probes < levelDBFirst
	for len(hashes) > 0 {
		keys := hashes[:min(group, len(hashes))]
		if oneByOne {
			hits[0] = levelDBOneByOne(body, modulus, probes, keys)
		} else {
			hits[0] = levelDBAnswers(body, modulus, probes, keys)
		}
		oneByOne = probes < levelDBFirst || bits.OnesCount64(hits[0]) > levelDBMostPresent
		hits, hashes = hits[1:], hashes[len(keys):]
	}
}

const (
	levelDBFirst       = 2             // the number of probes that a batch takes for all of its keys
	levelDBMostPresent = 3 * group / 4 // if more keys of a group are present, branches foresee the next
)

// levelDBAnswers returns the answers of at most 64 hashes. All take their first two probes,
// without branches, which ends it for three of four absent keys. Mispredicted branches make
// absent keys take 1.5 to 2 times as long, and a mix of both 1 to 1.4 times, but are not there
// if all keys are present. (k = 6 and 11, 16 KiB to 32 MiB, Zen 3, noisy. To load lines ahead, to take
// one, four or all probes so, or each probe of all keys before the next, gained nothing: a
// processor already has the loads of many keys under way.)
func levelDBAnswers(body []byte, modulus Modulus, probes int, hashes []uint32) (word uint64) {
	var left [group]uint8
	n := 0
	for i, hash := range hashes {
		first := levelDBBit(body, modulus.Of(hash))
		second := levelDBBit(body, modulus.Of(hash+levelDBDistance(hash)))
		left[n%group] = uint8(i)
		n += int(first & second & 1)
	}
	for _, i := range left[:n] {
		hash := hashes[i]
		distance := levelDBDistance(hash)
		if levelDBAllSet(body, modulus, probes-levelDBFirst, hash+levelDBFirst*distance, distance) {
			word |= 1 << (i % group)
		}
	}
	return word
}

// levelDBOneByOne returns the answers of at most 64 hashes for any number of probes.
func levelDBOneByOne(body []byte, modulus Modulus, probes int, hashes []uint32) (word uint64) {
	for i, hash := range hashes {
		if LevelDBContains(body, modulus, probes, hash) {
			word |= 1 << (i % group)
		}
	}
	return word
}

// LevelDBAdd sets the bits of every hash.
func LevelDBAdd(body []byte, modulus Modulus, probes int, hashes []uint32) {
	for _, hash := range hashes {
		place, distance := hash, levelDBDistance(hash)
		for range probes {
			bit := modulus.Of(place)
			body[bit>>3] |= 1 << (bit & 7)
			place += distance
		}
	}
}
