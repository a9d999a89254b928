package leveldb

import "math"

// A hash turned by 15 bits is the hash times 2^15 modulo 2^32-1 = 3*5*17*257*65537. So probe i is
// at h*(1+i*2^15)-w modulo each of these factors, where w is how often h+i*d wraps at 2^32. If
// the number of bits has the factor 3, 5 or 17 in common with the first number, then only w
// decides about the remainder of probe i: some remainders are more frequent than others, in
// keys and in lookups. With 10 bits per key and a number of keys that is a multiple of 12, the
// second, fourth and fifth probe do that, and there are 10 % more false positives. (257 and
// 65537 seldom divide a number of bits.)
const residueFactors = 3 * 5 * 17

// crowding returns two factors, for k probes among m bits and the given number of keys: by how
// much fewer bits are set because of that, and by how much likelier a lookup then finds all of
// its bits than so many random ones.
func crowding(k, m int64, keys float64) (filled, found float64) {
	g := gcd(residueFactors, int(m%residueFactors))
	counts, n := make([]float64, g), 0.0 // how often the remainders occur
	eachProbes(int(k), g, func(remainders []int) {
		for _, r := range remainders {
			counts[r]++
			n++
		}
	})
	fill := make([]float64, g)
	mean := 0.0
	for r, count := range counts {
		fill[r] = -math.Expm1(-keys * float64(k) / float64(m) * float64(g) * count / n)
		mean += fill[r] / float64(g)
	}
	sum, hashes := 0.0, 0.0
	eachProbes(int(k), g, func(remainders []int) {
		all := 1.0
		for _, r := range remainders {
			all *= fill[r] / mean
		}
		sum += all
		hashes++
	})
	random := -math.Expm1(-keys * float64(k) / float64(m))
	return mean / random, sum / hashes
}

// eachProbes calls f with the probes' remainders modulo g, for hashes that stand for all.
func eachProbes(k, g int, f func(remainders []int)) {
	remainders := make([]int, k)
	for h := range g {
		for slope := range slopes {
			for start := range starts {
				for i := range remainders {
					wraps := (float64(start)+0.5)/starts + float64(i)*(float64(slope)+0.5)/slopes
					remainders[i] = (h*(1+i<<15) + g*k - int(wraps)) % g
				}
				f(remainders)
			}
		}
	}
}
