package fallback

import "math/bits"

// A LevelDB filter's probes are anywhere in its body: the first at the hash modulo the number
// of bits, each later one a fixed distance behind, before the modulo (util/bloom.cc). The hash has 32
// bits: the low half of the hashes here.

// LevelDBContains reports whether all of a hash's bits are set, which they are for every hash
// that was added. The modulus is the number of a body's bits, at least eight.
func LevelDBContains(body []byte, modulus Modulus, probes int, hash uint64) bool {
	return levelDBAllSet(body, modulus, probes, uint32(hash), levelDBDistance(hash))
}

// LevelDBContainsOnce is LevelDBContains without a Modulus. For a few lookups in a body it needs less
// time than preparing one.
func LevelDBContainsOnce(body []byte, probes int, hash uint64) bool {
	if len(body) < LevelDBNear {
		return LevelDBContainsNear(body, probes, hash)
	}
	modulus := Modulus{levelDBReciprocal(len(body)), 8 * uint64(len(body))}
	if len(body) > levelDBMostReciprocal {
		modulus = NewModulus(8 * uint64(len(body)))
	}
	return LevelDBContains(body, modulus, probes, hash)
}

// LevelDBNear is the size of a body from which on a lookup ends early. In smaller ones, the probes that
// this would save take less time than the mispredicted branch (Sapphire Rapids, Zen 4).
const LevelDBNear = 1 << 17

// LevelDBContainsNear is LevelDBContainsOnce in a body of less than LevelDBNear bytes. It has no branch for
// a bit, and the compiler inlines it.
func LevelDBContainsNear(body []byte, probes int, hash uint64) bool {
	place, distance, reciprocal := uint32(hash), levelDBDistance(hash), levelDBReciprocal(len(body))
	found := uint64(1)
	for range probes {
		at, bit := bits.Mul64(reciprocal*uint64(place), uint64(len(body)))
		found &= uint64(body[at]) >> (bit >> 61)
		place += distance
	}
	return found != 0
}

// levelDBReciprocal returns the Reciprocal of the number of bits of at most levelDBMostReciprocal bytes. A
// division of floating-point numbers costs 14 cycles, one of 64-bit integers up to 90 (Skylake).
//
// For n bits it is too large by at most 2^25/n + 1. So a place, below 2^32, gives a fraction that is too
// large by less than 2^57/n + 2^32. Times n/8, the bytes, that is below 2^61, a bit, if n is at most 2^31.
func levelDBReciprocal(bytes int) uint64 { return uint64(int64((1<<61+1<<21)/float64(bytes))) + 1 }

const levelDBMostReciprocal = 1 << 28

// levelDBDistance returns the distance between a hash's probes.
func levelDBDistance(hash uint64) uint32 { return bits.RotateLeft32(uint32(hash), -17) }

// levelDBAllSet reports whether the given number of probes from a place on find their bits. It
// stops at the first two of which one does not: a branch on each is mispredicted more often.
func levelDBAllSet(body []byte, modulus Modulus, probes int, place, distance uint32) bool {
	for ; probes > 1; probes -= 2 {
		if levelDBBit(body, modulus, place)&levelDBBit(body, modulus, place+distance)&1 == 0 {
			return false
		}
		place += 2 * distance
	}
	return probes <= 0 || levelDBBit(body, modulus, place)&1 != 0
}

// levelDBBit returns the bit of a place in bit 0, with others above it.
func levelDBBit(body []byte, modulus Modulus, place uint32) uint64 {
	at, bit := modulus.byteOf(place)
	return uint64(body[at]) >> bit
}

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
	levelDBFirst       = 2             // the number of probes that a batch tests for all of its keys
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
		first := levelDBBit(body, modulus, uint32(hash))
		second := levelDBBit(body, modulus, uint32(hash)+levelDBDistance(hash))
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
			at, bit := modulus.byteOf(place)
			body[at] |= 1 << bit
			place += distance
		}
	}
}
