package leveldb

import (
	"math"
	"math/bits"
)

// The remainders of all probes of a hash modulo 1+2^16 follow from that of the first. So in filters
// of more bits than that, a lookup that finds one of the third probes' bits is likelier to find
// others. With a million keys at 10 bits that makes a fifth more false positives.
const thirdModulus = 1<<16 + 1

// together returns the share of bits that are set in a filter of more than 1+2^16 bits, and the
// factor by which a lookup is likelier to find all of its bits than so many random ones. It looks
// at one hash for each remainder modulo 1+2^16, and computes how likely each bit is to be set
// from whether it is a place of third probes, and from its remainder modulo residueFactors.
func together(k, m int64, keys float64) (mean, found float64) {
	g := gcd(residueFactors, int(m%residueFactors))
	odds := bitOdds(k, m, g, keys)
	share := thirdPlaces / float64(m)
	for set := range 8 {
		chance := 1.0
		for w := range 3 {
			if set>>w&1 != 0 {
				chance *= share
			} else {
				chance *= 1 - share
			}
		}
		for r := range g {
			mean += chance * odds[set][r] / float64(g)
		}
	}

	inverse := inverseOf(uint64(m % thirdModulus))
	x := uint64(0)
	for r := range uint64(thirdModulus) {
		x += 0x9e3779b97f4a7c15 // fractions of 2^64 that are far from each other
		quotient, _ := bits.Mul64(x, thirdPlaces)
		h := uint32(r + quotient*thirdModulus)
		all, place, distance := 1.0, h, bits.RotateLeft32(h, -17)
		for range k {
			bit := uint64(place) % uint64(m)
			all *= odds[thirdsAt(bit, uint64(m), inverse)][bit%uint64(g)] / mean
			place += distance
		}
		found += all
	}
	return mean, found / thirdModulus
}

// bitOdds returns how likely a bit is set that is a place of a set of w, and has a remainder
// modulo g.
func bitOdds(k, m int64, g int, keys float64) (odds [8][]float64) {
	probes, n := make([]float64, g), 0.0 // of each hash, for each remainder
	eachProbes(int(k), g, func(remainders []int) {
		for i, r := range remainders {
			if i != 2 {
				probes[r]++
			}
		}
		n++
	})
	for set := range odds {
		odds[set] = make([]float64, g)
		for r := range g {
			sum := keys / float64(m) * float64(g) * probes[r] / n
			for w, share := range thirdWraps {
				if set>>w&1 != 0 {
					sum += keys / thirdPlaces * share
				}
			}
			odds[set][r] = -math.Expm1(-sum)
		}
	}
	return odds
}

// thirdsAt returns the set of w for which a bit is a place of third probes: 65,537*t-w is the
// bit plus a multiple of m, and below 2^32. inverse is that of m.
func thirdsAt(bit, m, inverse uint64) (set int) {
	multiple := (thirdModulus - bit%thirdModulus) * inverse % thirdModulus
	for w := range 3 {
		if bit+multiple*m < 1<<32 {
			set |= 1 << w
		}
		multiple += thirdModulus - inverse
		if multiple >= thirdModulus {
			multiple -= thirdModulus
		}
	}
	return set
}

// inverseOf returns the factor by which a number that is no multiple of the prime 1+2^16 has to be multiplied
// by to give 1 modulo it.
func inverseOf(n uint64) uint64 {
	inverse := n
	for range 15 { // to the power of 2^16-1
		inverse = inverse * inverse % thirdModulus * n % thirdModulus
	}
	return inverse
}
