package fallback

import "math/bits"

// RibbonBand is the memory of a filter's equations while it is built: 20 bytes for each slot. A
// slot without an equation has zeros.
type RibbonBand struct {
	rows    [][2]uint64 // coefficients of the slots from this one on; bit 0 is set
	results []uint32
}

// Begin makes room for a filter of the given number of slots, all without equations.
func (b *RibbonBand) Begin(slots int) {
	if cap(b.rows) < slots {
		b.rows, b.results = make([][2]uint64, slots), make([]uint32, slots)
		return
	}
	b.rows, b.results = b.rows[:slots], b.results[:slots]
	clear(b.rows)
	clear(b.results)
}

// Slots returns the number of slots that Begin made room for.
func (b *RibbonBand) Slots() int { return len(b.rows) }

// Add adds the equations of hashes. It reports false if one contradicts others: then the band is
// useless until Begin. The shape is that of a filter with as many slots. The solution does not
// depend on the order of hashes, and repeated ones do not matter.
func (b *RibbonBand) Add(shape *RibbonShape, hashes []uint64) bool {
	var starts [group]uint32
	for len(hashes) > 0 {
		keys := hashes[:min(group, len(hashes))]
		b.load(shape, keys, &starts)
		for i, hash := range keys {
			_, a := shape.hash(hash)
			if !b.add(uint(starts[i%group]), rowOf(a)) {
				return false
			}
		}
		hashes = hashes[len(keys):]
	}
	return true
}

// load computes the first slots of at most 64 hashes, and loads them: so the loads wait for
// memory together. (A slot's number has 32 bits, since there are less than 2^24 blocks.) It is not
// inlined, or the compiler would drop loads whose result is unused.
//
//go:noinline
func (b *RibbonBand) load(shape *RibbonShape, hashes []uint64, starts *[group]uint32) (all uint64) {
	for i, hash := range hashes {
		start, _ := shape.hash(hash)
		starts[i%group] = uint32(start)
		all |= b.rows[start][0] | uint64(b.results[start])
	}
	return all
}

// add eliminates an equation's slots until one has no equation yet, which it then is of. If no
// slot is left, it follows from the others, or contradicts them.
func (b *RibbonBand) add(slot uint, r row) bool {
	for {
		other := &b.rows[slot]
		if other[0] == 0 {
			*other, b.results[slot] = [2]uint64{r.low, r.high}, r.result
			return true
		}
		r.low ^= other[0]
		r.high ^= other[1]
		r.result ^= b.results[slot]
		if r.low == 0 {
			if r.high == 0 {
				return r.result == 0
			}
			r.low, r.high = r.high, 0
			slot += 64
		}
		zeros := uint(bits.TrailingZeros64(r.low))
		r.low = r.low>>zeros | r.high<<(64-zeros)
		r.high >>= zeros
		slot += zeros
	}
}
