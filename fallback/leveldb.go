package fallback

import (
	"math"
	"math/bits"
)

// A LevelDB filter's probes are anywhere in its body: the first at the hash modulo the number
// of bits, each later one a fixed distance behind, before the modulo (util/bloom.cc). The hash has 32
// bits: the low half of the hashes here.

// LevelDBContains reports whether all of a hash's bits are set, which they are for every hash
// that was added. The modulus is the number of a body's bits, at least eight.
func LevelDBContains(body []byte, modulus Modulus, probes int, hash uint64) bool {
	return levelDBAllSet(body, modulus, probes, uint32(hash), levelDBDistance(hash))
}

// LevelDBContainsOnce is LevelDBContains without a Modulus. For a few lookups in a body, their divisions
// take less time than preparing one.
func LevelDBContainsOnce(body []byte, probes int, hash uint64) bool {
	if uint64(len(body)) > math.MaxUint32/8 {
		return LevelDBContains(body, NewModulus(8*uint64(len(body))), probes, hash)
	}
	place, distance, modulus := uint32(hash), levelDBDistance(hash), 8*uint32(len(body))
	for ; probes > 1; probes -= 2 {
		if levelDBBit(body, place%modulus)&levelDBBit(body, (place+distance)%modulus)&1 == 0 {
			return false
		}
		place += 2 * distance
	}
	return probes == 0 || levelDBBit(body, place%modulus)&1 != 0
}

// levelDBDistance returns the distance between a hash's probes.
func levelDBDistance(hash uint64) uint32 { return bits.RotateLeft32(uint32(hash), -17) }

// levelDBAllSet reports whether the given number of probes from a place on find their bits. It
// stops at the first two of which one does not: a branch on each is mispredicted more often.
func levelDBAllSet(body []byte, modulus Modulus, probes int, place, distance uint32) bool {
	for ; probes > 1; probes -= 2 {
		if levelDBBit(body, modulus.of(place))&levelDBBit(body, modulus.of(place+distance))&1 == 0 {
			return false
		}
		place += 2 * distance
	}
	return probes <= 0 || levelDBBit(body, modulus.of(place))&1 != 0
}

// levelDBBit returns a bit in bit 0, with others above it.
func levelDBBit(body []byte, bit uint32) byte { return body[bit>>3] >> (bit & 7) }

// LevelDBContainsBatch sets bit i%64 of hits[i/64] to LevelDBContains of hashes[i], and the
// bits beyond the last hash in its word to zero.
func LevelDBContainsBatch(body []byte, modulus Modulus, probes int, hashes, hits []uint64) {
	oneByOne := false
	inGroups(hashes, hits, func(keys []uint64) (word uint64) {
		if oneByOne || probes < levelDBFirst {
			word = levelDBOneByOne(body, modulus, probes, keys)
		} else {
			word = levelDBAnswers(body, modulus, probes, keys)
		}
		oneByOne = bits.OnesCount64(word) > levelDBMostPresent
		return word
	})
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
func levelDBAnswers(body []byte, modulus Modulus, probes int, hashes []uint64) (word uint64) {
	var left [group]uint8
	n := 0
	for i, hash := range hashes {
		first := levelDBBit(body, modulus.of(uint32(hash)))
		second := levelDBBit(body, modulus.of(uint32(hash)+levelDBDistance(hash)))
		left[n%group] = uint8(i)
		n += int(first & second & 1)
	}
	for _, i := range left[:n] {
		hash := hashes[i]
		distance := levelDBDistance(hash)
		if levelDBAllSet(body, modulus, probes-levelDBFirst, uint32(hash)+levelDBFirst*distance, distance) {
			word |= 1 << (i % group)
		}
	}
	return word
}

// levelDBOneByOne returns the answers of at most 64 hashes for any number of probes.
func levelDBOneByOne(body []byte, modulus Modulus, probes int, hashes []uint64) (word uint64) {
	for i, hash := range hashes {
		if LevelDBContains(body, modulus, probes, hash) {
			word |= 1 << (i % group)
		}
	}
	return word
}

// LevelDBAdd sets the bits of every hash.
func LevelDBAdd(body []byte, modulus Modulus, probes int, hashes []uint64) {
	for _, hash := range hashes {
		place, distance := uint32(hash), levelDBDistance(hash)
		for range probes {
			bit := modulus.of(place)
			body[bit>>3] |= 1 << (bit & 7)
			place += distance
		}
	}
}
