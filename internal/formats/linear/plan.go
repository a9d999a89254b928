// Package linear has the bytes, sizes and false-positive rates of linear filters, and how they are built.
//
// A Plan decides how large a filter is, and its layers. A filter's bytes depend on it, so that it counts in whole
// numbers only (docs/linear.md).
//
// Lines that are too full do not hold all of their keys. Those that they leave out are in
// the next layer, which is smaller, and so on. More keys per slot mean fewer lines in all, or
// longer fingerprints, and more keys that more layers bump.
package linear

import (
	"math"

	"github.com/simdbloom/simdbloom/fallback"
)

const (
	// MaxLines is the largest number of lines that a filter may have.
	MaxLines = math.MaxUint32

	// MaxMillibits is the largest number of bits per key, in thousandths.
	MaxMillibits = 1_000_000

	// LineBits is the size of a line and its header.
	LineBits = 8 * (fallback.BlockBytes + 1)

	// UsualLoad is the most keys for each slot of a layer, in 64ths, when the fingerprint's length is chosen.
	UsualLoad = 80

	// LowLoad is UsualLoad of filters whose lines bump fewer keys.
	LowLoad = 64

	// From manyLines on, a filter of the fewest lines has an 8192nd more than planned. The table's error grows
	// with the keys: with 30 million, hundreds were left in the end, five times out of five.
	manyLines = 1 << 17

	// mostKeys is more than any filter holds. Up to it, no product is too large.
	mostKeys = 1 << 40
)

// A Plan is the shape of a filter: bits of fingerprints, cut, lines.
type Plan struct {
	Bits  int    // in the fingerprints of second sections
	Cut   int    // the share of the hashes, in 64ths, that are in first sections
	Lines uint64 // the most in all layers. More than MaxLines cannot be built
}

// Asked returns the number of lines that have the given bits per key, in thousandths.
func Asked(keys, millibits uint64) uint64 {
	keys = min(keys, mostKeys)
	return min(max(ceil(keys*min(millibits, MaxMillibits), 1000*LineBits), 1), MaxLines)
}

// Of returns the plan for keys, at least one, in the given number of lines, with at most the given load: the longest
// fingerprints that they have room for. If there is none, it has the shortest, and more lines.
func Of(keys, lines, load uint64) Plan {
	keys = min(keys, mostKeys)
	for r := fallback.MostLinearBits; r > 0; r = shorterBits(r) {
		p := Plan{r, 0, lines}
		if keys*loadUnit > lines*load*slots(r) || !p.holds(keys, lines, load) { // the first is a layer alone, and sooner
			continue
		}
		if r < fallback.MostLinearBits {
			p.Cut = p.longestCut(keys, lines, load)
		}
		if r == fallback.LeastLinearBits && p.Cut == 0 && lines >= manyLines {
			p.Lines = max(lines, fewestLines(keys, load, unlimited))
		}
		return p
	}
	return Plan{Bits: fallback.LeastLinearBits, Lines: fewestLines(keys, load, unlimited)}
}

// fewestLines returns the number of lines of a filter with the shortest fingerprints, at the given load, or more than
// enough.
func fewestLines(keys, load, enough uint64) uint64 {
	lines := Plan{Bits: fallback.LeastLinearBits}.total(keys, load, enough)
	if lines >= manyLines {
		lines += lines >> 13
	}
	return lines
}

// longestCut returns the largest cut that the keys have room for, by bisection. In small filters a larger one may have
// room where a smaller one has not, so it looks a little further.
func (p Plan) longestCut(keys, lines, load uint64) int {
	const beyond = 4
	holds := func(cut int) bool {
		p.Cut = cut
		return p.holds(keys, lines, load)
	}
	cut, not := 0, cuts // cut has room, not has none
	for not-cut > 1 {
		if middle := (cut + not) / 2; holds(middle) {
			cut = middle
		} else {
			not = middle
		}
	}
	for more := 1; more <= beyond && cut+more < cuts; more++ {
		if holds(cut + more) {
			cut, more = cut+more, 0
		}
	}
	return cut
}

// Within returns the plan for keys in the lines that were asked for, and at most the given number
// of lines. The second result is the number of lines that a small filter tries to have. Where even
// the shortest fingerprints need more than the most, the last layer does not hold all keys.
func Within(keys, asked, most, load uint64) (p Plan, least uint64) {
	if p = Of(keys, asked, load); p.Lines <= most {
		return p, asked
	}
	if p = Of(keys, most, load); p.Lines > most {
		p = Plan{Bits: fallback.LeastLinearBits, Lines: most}
	}
	return p, most
}

// LinesWithin returns the number of lines that Within does. It needs a small part of the
// time unless the keys need more lines than were asked for, or nearly so.
func LinesWithin(keys, asked, most, load uint64) uint64 {
	if asked <= most && fewestLines(min(keys, mostKeys), load, asked) <= asked {
		return asked
	}
	p, _ := Within(keys, asked, most, load)
	return p.Lines
}

// undivided returns the plan without first sections if so few keys have none.
func (p Plan) undivided(keys uint64) Plan {
	p.Cut = int(p.cutOf(keys))
	return p
}

// linesOf returns the number of lines in a layer of multipliers.
func linesOf(multipliers [2]uint32, cut int) uint64 {
	if multipliers[0] == 0 {
		cut = 0
	}
	return ceil(uint64(multipliers[0])*uint64(cut), cuts) + ceil(uint64(multipliers[1])*uint64(cuts-cut), cuts)
}

// shorter returns the plan of the next shorter fingerprints, by a number of 64ths of a bit or less, and whether there
// are any.
func (p Plan) shorter(step int) (Plan, bool) {
	if p.Cut > 0 {
		return Plan{p.Bits, p.Cut - min(p.Cut, step), p.Lines}, true
	}
	r := shorterBits(p.Bits)
	return Plan{r, cuts - step, p.Lines}, r > 0
}

// NextLayer returns the multipliers of the sections of a layer of at least one key, out of the
// lines that are left for it and the layers after it. The last of fallback.MaxLinearLayers layers
// takes all of them instead.
func (p Plan) NextLayer(keys, left uint64) (multipliers [2]uint32) {
	if left == 1 || keys <= p.heldByOne() {
		return [2]uint32{0, 1}
	}
	load := p.leastLoad(keys, left, mostLaidOut)
	if load == 0 {
		return [2]uint32{0, uint32(left - (left+3)/4)}
	}
	if l := p.layer(keys, load); l.total() < left {
		return [2]uint32{uint32(l.longer.multiplier), uint32(l.own.multiplier)}
	}
	return [2]uint32{0, uint32(min(multiplierFor(p.Bits, keys, load), left-1))}
}

// FPR returns the expected false-positive rate of a filter of keys, at least one: the share of lookups that end
// in each section, times the rate of its fingerprints. Lookups that fall off the last layer are false
// positives.
func (p Plan) FPR(keys uint64) float64 {
	k := min(keys, mostKeys)
	load := p.leastLoad(k, p.Lines, UsualLoad)
	share, first, left := 1.0, 0.0, p.Lines // share goes on to the layer, first ended in first sections
	for layer := 1; k > 0; layer++ {
		if left == 0 || layer > fallback.MaxLinearLayers {
			return p.fpr(first, share)
		}
		own := float64(p.cutOf(k)) / cuts
		var l layout
		switch {
		case k <= p.heldByOne():
			return p.fpr(first, 0)
		case load > 0:
			l = p.layer(k, load)
		case layer == fallback.MaxLinearLayers: // these lines do not hold all keys
			l = p.layout(k, 0, left)
		default:
			of := p.NextLayer(k, left)
			l = p.layout(k, uint64(of[0]), uint64(of[1]))
		}
		if load == 0 {
			left -= l.total()
		}
		bumped := min(k, p.bumpedOfLayer(k, l))
		next := float64(bumped) / float64(k)
		first += share * own * (1 - next)
		share *= next
		k = bumped
	}
	return p.fpr(first, 0)
}

func (p Plan) fpr(first, fallen float64) float64 {
	return rateOf([2]int{longerBits(p.Bits), p.Bits}, first, fallen)
}

// rateOf returns the false-positive rate of sections with fingerprints of the given numbers of bits, from the
// shares of the lookups that end in first ones, and that fall off the last layer. Of one length it is a power of
// two, and not next to it.
func rateOf(bits [2]int, first, fallen float64) float64 {
	rate := math.Ldexp(1, -bits[1])
	return rate - first*(rate-math.Ldexp(1, -bits[0])) + fallen*(1-rate)
}

func ceil(a, b uint64) uint64 { return (a + b - 1) / b }

// root returns the square root of a number below 2^52, rounded down.
func root(x uint64) uint64 {
	// Rounded to 53 bits, the square root of a number that is no square does not reach the next whole number.
	return uint64(math.Sqrt(float64(x)))
}
