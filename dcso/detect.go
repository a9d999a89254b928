package dcso

import (
	"math"
	"math/bits"
	"runtime"
	"slices"

	"github.com/simdbloom/simdbloom/internal/classic"
)

// DetectRule returns Added if the filter's bits look like that rule, and otherwise the filter's Rule. It is a guess:
// keys that resemble each other, such as consecutive numbers, can give a filter of the rule Multiply such bits. Lookups
// by the wrong rule miss keys of the filter. So look keys up by both rules, unless you know that the filter is not a
// released tool's.
//
// By that rule a key's second number is twice its first one, modulo 2^64, the third one three times the second
// one, and so on. So the bits that follow bits which are set are set more often than those that follow others. It
// finds that in filters that have 2,000 keys or more, but no more than they were made for, and in those that have few
// keys for their size. In others it may.
// It reads about 100,000 bytes at random places, and up to 64 MiB in order if few bits are set.
//
// It cannot find MultiplyWide, whose numbers have no such relation. If you know a key of the filter, look it
// up by each rule.
func (f *Filter) DetectRule() Rule {
	defer runtime.KeepAlive(f)
	if f.isOldest() {
		return f.rule
	}
	ones, share := f.sample()
	// If 2^n divides m, the last n bits of a key's places depend on each other by any rule: places are in
	// classes, and keys do not fill all classes alike.
	classes := f.bits & -f.bits
	if f.haveChains(ones, share*float64(classes)) || f.Keys() >= 500 && f.haveFollowers(ones, f.zerosBeside(ones, classes)) {
		return Added
	}
	return f.rule
}

// mostNumbers is how many of a key's numbers are compared. Larger ones have more places, and so they say less.
const mostNumbers = 40

// haveFollowers reports whether followers of ones are set more often than followers of zeros, as much as by the rule
// Added.
func (f *Filter) haveFollowers(ones, zeros []uint64) bool {
	// Sums over numbers: of the difference that is observed, of the least one that is expected, and of the variance.
	observed, expected, variance := 0.0, 0.0, 0.0
	for number := 2; number <= min(f.k, mostNumbers) && len(zeros) > 0; number++ {
		tried, found := [2]int{}, [2]int{}
		var o, e, v float64
		for at := 0; at < max(len(ones), len(zeros)); at += 8 * group {
			for i, all := range [][]uint64{ones, zeros} {
				some := all[min(at, len(all)):min(at+8*group, len(all))]
				tried[i] += number * len(some)
				found[i] += len(f.followers(nil, some, uint64(number)))
			}
			a, b := float64(tried[0]), float64(tried[1])
			o = observed + float64(found[0])/a - float64(found[1])/b
			share := float64(found[0]+found[1]) / (a + b) // not that of all bits: followers are in some classes
			e = expected + (1-share)/float64(f.k*number)
			v = variance + share*(1-share)*(1/a+1/b)
			switch deviation := math.Sqrt(v); {
			case o > 7*deviation && o > e/2:
				return true
			case e-o > 5*deviation && o < e/2:
				return false
			}
		}
		observed, expected, variance = o, e, v
	}
	return false
}

// haveChains reports whether bits follow each other from number to number, more of them than by chance. That is so
// of a few keys, and where few bits are set.
func (f *Filter) haveChains(starts []uint64, share float64) bool {
	expected := float64(len(starts))
	for number := 2; number <= min(f.k, mostNumbers) && float64(number)*share < 0.25; number++ {
		starts = f.followers(nil, starts, uint64(number))
		slices.Sort(starts)
		starts = slices.Compact(starts)
		expected *= float64(number) * share
		if found := float64(len(starts)); expected < found/8 {
			// Chernoff's bound for a Poisson distribution. Chains that end soon are independent.
			if found-expected+found*math.Log(expected/found) < -23 { // 1 in 10^10
				return true
			}
		}
	}
	return false
}

// followers appends those bits that are set where the given number of a key can be, whose number before is at one
// of the bits from. The product exceeds 2^64 less than number times. A bit that follows itself means nothing: 0
// does by every number.
func (f *Filter) followers(dst, from []uint64, number uint64) []uint64 {
	var at, of [group]uint64
	var loaded [group]byte
	n := 0
	test := func() {
		f.array.Load(loaded[:n], at[:n])
		for i, bit := range at[:n] {
			if loaded[i]>>(bit%8)&1 != 0 && bit != of[i] {
				dst = append(dst, bit)
			}
		}
		n = 0
	}
	wrap := f.m.Remainder(math.MaxUint64) + 1 // 2^64 modulo m, or m
	for _, bit := range from {
		high, low := bits.Mul64(bit, number)
		next := bits.Rem64(high, low, f.bits)
		for range number {
			at[n], of[n] = next, bit
			if n++; n == group {
				test()
			}
			if next < wrap {
				next += f.bits
			}
			next -= wrap
		}
	}
	test()
	return dst
}

// sample returns bits that are set, from all parts of the filter, and the share of bits that are set.
func (f *Filter) sample() (ones []uint64, share float64) {
	const parts, most, mostWords = 64, 1024, 1 << 17 // of each part
	words := (f.end - f.words) / classic.WordBytes
	var seen uint64
	for part := range parts {
		from, to := words/parts*part, words/parts*(part+1)
		if part == parts-1 {
			to = words
		}
		full := len(ones) + most
		for w := from; w < min(to, from+mostWords) && len(ones) < full; w++ {
			const ahead = 1 << 13
			if (w-from)%ahead == 0 {
				f.array.WillRead(classic.WordBytes*w, classic.WordBytes*ahead)
			}
			seen += 64
			for word := f.word(w); word != 0; word &= word - 1 {
				ones = append(ones, min(64*uint64(w)+uint64(bits.TrailingZeros64(word)), f.bits-1))
			}
		}
	}
	return ones, float64(len(ones)) / float64(min(seen, f.bits))
}

// zerosBeside returns bits that are not set, one for most of the others at a distance that is a multiple of step.
// Where few are not set, they are beside many others.
func (f *Filter) zerosBeside(ones []uint64, step uint64) (zeros []uint64) {
	for _, bit := range ones {
		room := (f.bits - 1 - bit) / step
		for i := uint64(1); i <= min(room, 64); i++ {
			if zero := bit + i*step; f.word(int(zero/64))>>(zero%64)&1 == 0 {
				zeros = append(zeros, zero)
				break
			}
		}
	}
	slices.Sort(zeros)
	return slices.Compact(zeros)
}
