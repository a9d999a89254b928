package leveldb

import "math"

// A lookup's k probes are at h, h+d, h+2d and so on, modulo 2^32 and then modulo the number of
// bits m. If d is near a multiple of m, or of a simple fraction of m, several of them look at
// the same bit, and fewer bits suffice for a false positive. That happens for few hashes, in
// proportion to 1/m, but with many probes it is most of the false positives of a small filter.
//
// Probes i and i+t look at the same bit if t*d = v*2^32, modulo m, where v is how often the sum
// wraps at 2^32 between them. So this class of hashes is given by t and v, and v is one of the
// two whole numbers beside t*d/2^32. It remains to count, for all d/2^32 and all h/2^32,
// how many bits the probes of such a hash look at.

const (
	slopes = 32 // values of d/2^32 that are tried
	starts = 8  // values of h/2^32
)

// excess returns by how much the rate of a filter of m bits, of which a share is set, exceeds
// that of k probes at different places, times m.
func excess(k, m int64, fill float64) float64 {
	powers := make([]float64, k+1)
	for i := range powers {
		powers[i] = math.Pow(fill, float64(i))
	}
	sum := 0.0
	for t := 1; t < int(k); t++ {
		for slope := range slopes {
			d := (float64(slope) + 0.5) / slopes
			down := int(float64(t) * d)
			for v := down; v <= down+1; v++ {
				if weight := residues(t, v, m); weight > 0 {
					sum += weight * classRate(int(k), t, v, d, powers)
				}
			}
		}
	}
	return sum / slopes
}

// residues returns how many remainders modulo m the class of t and v has that are in no class of
// a smaller t.
func residues(t, v int, m int64) float64 {
	g := gcd(t, v)
	if m%int64(g) != 0 {
		return 0
	}
	n := 0
	for i := 1; i <= g; i++ {
		if gcd(i, g) == 1 {
			n++
		}
	}
	return float64(n)
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// classRate returns by how much the rate of a class of hashes exceeds that of others.
func classRate(k, t, v int, d float64, powers []float64) float64 {
	sum := 0.0
	for start := range starts {
		h := (float64(start) + 0.5) / starts
		different := k
		for i := t; i < k; i++ {
			wraps := int(h + float64(i)*d)
			for earlier, w := i-t, v; earlier >= 0; earlier, w = earlier-t, w+v {
				if wraps-int(h+float64(earlier)*d) == w {
					different--
					break
				}
			}
		}
		sum += powers[different] - powers[k]
	}
	return sum / starts
}
