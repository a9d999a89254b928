package fallback

import "math/bits"

// RibbonBand is the memory of a filter's equations while it is built: 20 bytes for each slot, from
// the first on. A slot without an equation has zeros.
type RibbonBand struct {
	Rows    [][2]uint64 // coefficients of the slots from this one on; bit 0 is set
	Results []uint32    // of the equations, a bit for each column
}

// RibbonRow is an equation: from its first slot on, the slots whose bits are set are XORed.
type RibbonRow struct {
	Low, High uint64 // bit 0 is set
	Result    uint32 // a bit for each column
	Slot      uint32 // the first
}

// Clear leaves a range of slots without equations.
func (b *RibbonBand) Clear(from, end int) {
	clear(b.Rows[from:end])
	clear(b.Results[from:end])
}

// Add adds the equations of hashes, but uses no slots from end on. Equations that have no others go
// beyond, where AddRows takes them from. It reports false if one contradicts others: then the band is
// useless until it is cleared. The shape is that of a filter with as many slots. The solution does
// not depend on the order of hashes, and repeated ones do not matter. It is faster if the hashes' slots
// are near each other.
func (b *RibbonBand) Add(end int, shape *RibbonShape, hashes []uint64, beyond *[]RibbonRow) bool {
	for _, hash := range hashes {
		start, mixed := shape.Start(hash)
		if !b.add(rowOf(start, mixed), uint(end), beyond) {
			return false
		}
	}
	return true
}

// AddRows is Add of equations that were put beyond another range of slots.
func (b *RibbonBand) AddRows(end int, rows []RibbonRow, beyond *[]RibbonRow) bool {
	for _, r := range rows {
		if !b.add(r, uint(end), beyond) {
			return false
		}
	}
	return true
}

// add eliminates an equation's slots until one has no equation yet, which it then is of. If no
// slot is left, it follows from the others, or contradicts them.
func (b *RibbonBand) add(r RibbonRow, end uint, beyond *[]RibbonRow) bool {
	rows, slot := b.Rows[:end], uint(r.Slot)
	results := b.Results[:len(rows)]
	for slot < uint(len(rows)) {
		other := &rows[slot]
		if other[0] == 0 {
			*other, results[slot] = [2]uint64{r.Low, r.High}, r.Result
			return true
		}
		r.Low ^= other[0]
		r.High ^= other[1]
		r.Result ^= results[slot]
		if r.Low == 0 {
			if r.High == 0 {
				return r.Result == 0
			}
			r.Low, r.High = r.High, 0
			slot += 64
		}
		zeros := uint(bits.TrailingZeros64(r.Low)) % 64
		r.Low = r.Low>>zeros | r.High<<1<<(63-zeros)
		r.High >>= zeros
		slot += zeros
	}
	r.Slot = uint32(slot)
	*beyond = append(*beyond, r)
	return true
}
