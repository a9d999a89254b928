package naive

import (
	"math"
	"math/bits"
	"slices"
	"sort"
)

// LinearAsked returns the number of lines that the bits per key, in thousandths, are enough for.
func LinearAsked(n, millibits uint64) uint64 {
	high, low := bits.Mul64(n, millibits)
	low, carry := bits.Add64(low, 519_999, 0)
	if high+carry >= 520_000 {
		return math.MaxUint32
	}
	quotient, _ := bits.Div64(high+carry, low, 520_000)
	return min(max(quotient, 1), math.MaxUint32)
}

// LinearPlan returns a fingerprint's bits, the cut and the number of lines for n keys, of at most the given load, in
// 64ths of a key per slot: 80 is usual.
func LinearPlan(n, t, load uint64) (r, j int, lines uint64) {
	for _, r := range slices.Backward(linearR) {
		if linearLeastLoad(r, 0, n, t, load) == 0 {
			continue
		}
		if r < 32 {
			j = linearLongestCut(func(j int) bool { return linearLeastLoad(r, j, n, t, load) != 0 })
		}
		if r == 7 && j == 0 && t >= 1<<17 {
			t = max(t, linearFewest(n, load))
		}
		return r, j, t
	}
	return 7, 0, linearFewest(n, load)
}

// linearFewest returns the lines of the shortest fingerprints: an 8192nd more than planned from 2^17 on.
func linearFewest(n, load uint64) uint64 {
	lines := min(linearTotal(7, 0, n, load), math.MaxUint32)
	if lines >= 1<<17 {
		lines = min(lines+lines/8192, math.MaxUint32)
	}
	return lines
}

// linearLongestCut finds a cut that holds, by bisection and a look four further.
func linearLongestCut(holds func(j int) bool) (j int) {
	for no := 64; no-j > 1; {
		if middle := (j + no) / 2; holds(middle) {
			j = middle
		} else {
			no = middle
		}
	}
	for more := 1; more <= 4 && j+more < 64; more++ {
		if holds(j + more) {
			j += more
			more = 0
		}
	}
	return j
}

// LinearNextLayer returns the multipliers of a layer that is not the sixteenth.
func LinearNextLayer(r, j int, k, t uint64) (multipliers [2]uint32) {
	if t == 1 || k <= linearSlots(r)-3 {
		return [2]uint32{0, 1}
	}
	load := linearLeastLoad(r, j, k, t, 88)
	if load == 0 {
		return [2]uint32{0, uint32(t - (t+3)/4)}
	}
	of := linearMultipliers(r, j, k, load)
	if a, b := linearSections(of[0], of[1], j); a+b < t {
		return [2]uint32{uint32(of[0]), uint32(of[1])}
	}
	return [2]uint32{0, uint32(min(linearMultiplier(r, k, load), t-1))}
}

// linearCut returns the cut in a layer of k keys.
func linearCut(r, j int, k uint64) int {
	if k <= 16*linearSlots(r) {
		return 0
	}
	return j
}

func linearMultiplier(r int, k, load uint64) uint64 {
	per := load * linearSlots(r)
	return (64*k + per - 1) / per
}

func linearMultipliers(r, j int, k, load uint64) (multipliers [2]uint64) {
	if linearCut(r, j, k) > 0 {
		multipliers[0] = linearMultiplier(linearAbove(r), k, load)
	}
	multipliers[1] = linearMultiplier(r, k, load)
	return multipliers
}

func linearLeastLoad(r, j int, k, t, most uint64) uint64 {
	for load := uint64(16); load <= most; load++ {
		if linearTotal(r, j, k, load) <= t {
			return load
		}
	}
	return 0
}

func linearTotal(r, j int, k, load uint64) (sum uint64) {
	for range 16 {
		if k == 0 {
			return sum
		}
		if k <= linearSlots(r)-3 {
			return sum + 1
		}
		cut := linearCut(r, j, k)
		of := linearMultipliers(r, j, k, load)
		a, b := linearSections(of[0], of[1], cut)
		sum += a + b
		ofA := k * uint64(cut) / 64
		e := LinearBumped(r, k-ofA, b)
		if ofA > 0 {
			e += LinearBumped(linearAbove(r), ofA, a)
		}
		k = min(k, e+linearRoot(e))
	}
	return math.MaxUint64
}

// LinearBumped returns how many of a section's keys it is expected not to hold.
func LinearBumped(r int, k, lines uint64) uint64 {
	slots, table := lines*linearSlots(r), linearBumpTable[r]
	d := k << 16 / slots
	switch i := d >> 12; {
	case i < 8:
		return (k*table[0] + 65535) / 65536
	case i >= 22:
		return k - min(k, slots*22*(65536-table[14])>>20)
	default:
		share := table[i-8] + (table[i-7]-table[i-8])*(d&4095)>>12
		return (k*share + 65535) / 65536
	}
}

// linearRoot returns the square root, rounded down.
func linearRoot(x uint64) uint64 {
	return uint64(sort.Search(1<<30, func(root int) bool { return uint64(root+1)*uint64(root+1) > x }))
}
