package leveldb

import "math"

// The third probe is at h*(1+2^16)-w modulo 2^32-1 (see crowding). That is a multiple of 1+2^16,
// which divides 2^32-1: only 65,535 multiples exist, each less w = 0, 1 or 2. So in a filter of
// many more bits than that, the third probes of all keys share few bits, which are soon all
// set: a lookup's third probe finds its bit anyway, and the other bits get fewer probes. From
// some 100,000 keys on a filter has the rate of one probe less, and more (see together).
const thirdPlaces = 1<<16 - 1

// thirdWraps is how likely w is 0, 1 and 2.
var thirdWraps = [3]float64{0.25, 0.5, 0.25}

// fills returns the share of bits that are set with the given number of keys, and the chance
// that the third probe of a lookup finds its bit.
func fills(k, m int64, keys float64) (mean, third float64) {
	perBit := keys * float64(k) / float64(m)
	if k < 3 {
		mean = -math.Expm1(-perBit)
		return mean, mean
	}
	others := perBit - keys/float64(m)
	// A bit is one of the places of each w as often as there are places for each bit, which is
	// rounded down or up.
	places := thirdPlaces / float64(m)
	low, up := math.Floor(places), places-math.Floor(places)
	for set := range 8 { // which of the three are rounded up
		chance, probes := 1.0, others
		for w, share := range thirdWraps {
			n := low
			if set>>w&1 != 0 {
				n++
				chance *= up
			} else {
				chance *= 1 - up
			}
			probes += keys / thirdPlaces * share * n
		}
		found := -math.Expm1(-probes)
		mean += chance * found
		for w, share := range thirdWraps { // a lookup with this w comes to a bit as often as it is a place
			third += share * chance * (low + float64(set>>w&1)) / places * found
		}
	}
	return mean, third
}
