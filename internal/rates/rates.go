// Package rates has the arithmetic of false-positive rates that the Bloom filters share: how
// full a block is or will be, how likely a lookup then finds all of its bits, and how many bits
// per key a wanted rate needs.
package rates

import (
	"encoding/binary"
	"math"
	"math/bits"
	"sort"

	"github.com/simdbloom/simdbloom/internal/building"
)

// FullMillibits is the number of thousandths of a bit per key at which fifty keys a bit leave
// none clear: there and below the rate is 1, and counting keys would take long.
const FullMillibits = 20

// Fill returns the share of a block's bits from the given one on that are set.
func Fill(block []byte, from int) float64 {
	set := bits.OnesCount64(binary.LittleEndian.Uint64(block) >> from)
	for at := 8; at < len(block); at += 8 {
		set += bits.OnesCount64(binary.LittleEndian.Uint64(block[at:]))
	}
	return float64(set) / float64(8*len(block)-from)
}

// SetBits returns the number of bits that are set in whole blocks.
func SetBits(blocks []byte) (set uint64) {
	for i := 0; i < len(blocks); i += 8 {
		set += uint64(bits.OnesCount64(binary.NativeEndian.Uint64(blocks[i:])))
	}
	return set
}

// Power is x to the power of a small whole number.
func Power(x float64, n int) float64 {
	p := 1.0
	for ; n > 0; n-- {
		p *= x
	}
	return p
}

// Positions are the places in a block, all equally likely, that a probe may look at.
type Positions struct {
	n                int64
	clear, bothClear float64 // logarithms of the chance that a probe leaves a position clear, or two positions
}

// Among returns n positions.
func Among(n int64) Positions {
	return Positions{n, math.Log1p(-1 / float64(n)), math.Log1p(-2 / float64(n))}
}

// filled returns the expected share of positions that the given number of probes set.
func (p Positions) filled(probes float64) float64 { return -math.Expm1(probes * p.clear) }

// AllSet returns the probability that all of a lookup's probes find their bits in a block in
// which the given number of probes have set bits, and the expected share of set bits. It
// includes the scatter of this share around its mean: the exact variance, to the second
// order.
func (p Positions) AllSet(set float64, probes int) (all, filled float64) {
	m, k := float64(p.n), float64(probes)
	mean := p.filled(set)
	if set <= 0 || probes == 0 {
		return Power(0, probes), mean
	}
	clear, bothClear := 1-mean, math.Exp(set*p.bothClear)
	variance := math.Max(0, ((m-1)*bothClear+clear-m*clear*clear)/m)
	return Power(mean, probes) * (1 + k*(k-1)/2*variance/(mean*mean)), mean
}

// Keys returns how many keys of the given number of probes fill a share of the positions.
func (p Positions) Keys(fill float64, probes int) float64 {
	return math.Log1p(-fill) / (float64(probes) * p.clear)
}

// Repeats returns how much likelier a lookup finds its bits in a block because some key has
// set the same ones. FastLocal and paired filters take a key's positions from hashBits bits of
// its hash, x, then from x*phi, x*phi*phi and so on. So a lookup with the x of one of the keys
// finds all of its bits, and one that is s steps of phi ahead or behind finds all but s, each of
// which is set by chance. This bounds the rate at many bits per key.
func Repeats(keys float64, hashBits, probes int, chance float64) float64 {
	sum, others := 1.0, 1.0
	for range probes - 1 {
		others *= chance
		sum += 2 * others
	}
	return keys * math.Ldexp(sum, -hashBits)
}

// Binomial calls f with the possible numbers of successes of n trials, each successful with
// probability p above 0, and with their probabilities. It leaves out the tails, less than
// one part in 10^20.
func Binomial(n uint64, p float64, f func(successes int, probability float64)) {
	trials := float64(n)
	if p >= 1 {
		f(int(n), 1)
		return
	}
	mean := trials * p
	width := 10*math.Sqrt(mean*(1-p)) + 40
	low := math.Max(0, math.Floor(mean-width))
	high := math.Min(trials, math.Ceil(mean+width))
	logOf := func(s float64) float64 {
		return logChoose(trials, s) + s*math.Log(p) + (trials-s)*math.Log1p(-p)
	}
	const least = -600 // a logarithm, far from where floating point ends
	for low < high && logOf(low) < least {
		low++
	}
	probability := math.Exp(logOf(low))
	for s := low; s <= high; s++ {
		f(int(s), probability)
		probability *= (trials - s) / (s + 1) * p / (1 - p)
	}
}

// logChoose is the logarithm of n over k.
func logChoose(n, k float64) float64 {
	if k < n/1e6 { // where the difference of two large logarithms would be noise
		sum := 0.0
		for i := 0.0; i < k; i++ {
			sum += math.Log((n - i) / (i + 1))
		}
		return sum
	}
	a, _ := math.Lgamma(n + 1)
	b, _ := math.Lgamma(k + 1)
	c, _ := math.Lgamma(n - k + 1)
	return a - b - c
}

// LeastBitsPerKey returns the least number of bits per key, a whole number of thousandths up
// to the given one, whose predicted rate is no more than fpr, or NaN if no number has that rate.
//
// Where the number of probes changes, the rate may rise with the bits; where it stays the
// same, the rate only falls. So each such range is searched by itself.
func LeastBitsPerKey(fpr float64, mostMillibits int, probes func(millibits int) int, predict func(millibits int) float64) float64 {
	suffice := func(millibits int) bool { return predict(millibits) <= fpr }
	for first := 1000; first <= mostMillibits; {
		last := first
		for last < mostMillibits && probes(last+1) == probes(first) {
			last++
		}
		if suffice(last) {
			least := first + sort.Search(last-first, func(i int) bool { return suffice(first + i) })
			return float64(least) / 1000
		}
		first = last + 1
	}
	return math.NaN()
}

// OfBlocks returns the expected rate of a filter of n keys, of which each belongs to one of its blocks, from the rates
// of blocks with a number of keys.
func OfBlocks(body, blockBytes, n uint64, rate func(keys float64) float64) float64 {
	if building.RealMillibits(body, n) < FullMillibits {
		return 1
	}
	sum := 0.0
	Binomial(n, 1/float64(body/blockBytes), func(keys int, probability float64) {
		sum += probability * rate(float64(keys))
	})
	return math.Min(sum, 1)
}

// Predicted is PredictedFPR of the package of a format that has the layout. A filter of the given size, number of
// probes and number of keys has the rate that predict returns.
func Predicted(l *building.Layout, n int, bitsPerKey float64, o *building.Options, predict func(body uint64, probes int, keys uint64) float64) float64 {
	millibits, err := l.Millibits(bitsPerKey, o)
	return IfBuilt(n, err, func(keys uint64) float64 {
		body, probes := l.Size(keys, millibits, o.Limit)
		if body > l.MaxBodyBytes {
			return math.NaN()
		}
		return predict(body, probes, keys)
	})
}

// IfBuilt returns the rate of a filter of n keys, 0 without keys, or NaN if there is an error: builders refuse such
// filters.
func IfBuilt(n int, err error, rate func(keys uint64) float64) float64 {
	switch {
	case err != nil:
		return math.NaN()
	case n <= 0:
		return 0
	}
	return rate(uint64(n))
}

// BitsPerKeyFor is BitsPerKeyFor of the package of a format that has the layout, and the rates that predict returns.
func BitsPerKeyFor(l *building.Layout, n int, fpr float64, predict func(body uint64, probes int, keys uint64) float64) float64 {
	keys := uint64(max(n, 0))
	most := building.MostMillibits(func(millibits int) bool { return l.BodyBytes(keys, millibits) <= l.MaxBodyBytes })
	return LeastBitsPerKey(fpr, most, l.NumProbes, func(millibits int) float64 {
		if keys == 0 {
			return 0
		}
		body, probes := l.Size(keys, millibits, building.Limit{})
		return predict(body, probes, keys)
	})
}
