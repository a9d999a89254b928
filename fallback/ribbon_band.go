package fallback

import "math/bits"

// RibbonBand is the memory of a filter's equations while it is built: 20 bytes for each slot. A
// slot without an equation has zeros.
type RibbonBand struct {
	rows    [][2]uint64 // coefficients of the slots from this one on; bit 0 is set
	results []uint32
}

// RibbonRows are equations that are to be added to a band.
type RibbonRows struct {
	rows  []row
	slots []uint32 // their first ones
}

// Begin makes room for a filter of the given number of slots, all without equations.
func (b *RibbonBand) Begin(slots int) {
	if cap(b.rows) < slots || cap(b.results) < slots {
		b.rows, b.results = make([][2]uint64, slots), make([]uint32, slots)
	}
	b.Use(b.rows[:slots], b.results[:slots])
	b.Clear(0, slots)
}

// Use sets the memory of the slots, which are undefined until Clear.
func (b *RibbonBand) Use(rows [][2]uint64, results []uint32) { b.rows, b.results = rows, results }

// Clear leaves a range of slots without equations.
func (b *RibbonBand) Clear(from, end int) {
	clear(b.rows[from:end])
	clear(b.results[from:end])
}

// Slots returns the number of slots that there is room for.
func (b *RibbonBand) Slots() int { return len(b.rows) }

// Add adds the equations of hashes. It reports false if one contradicts others: then the band is
// useless until it is cleared. The shape is that of a filter with as many slots. The solution
// does not depend on the order of hashes, and repeated ones do not matter.
func (b *RibbonBand) Add(shape *RibbonShape, hashes []uint64) bool {
	return b.AddBelow(b.Slots(), shape, hashes, nil)
}

// AddBelow is Add, but uses no slots from end on. Equations that have no others go beyond, where
// AddRows takes them from. It is faster if the hashes' slots are near each other.
func (b *RibbonBand) AddBelow(end int, shape *RibbonShape, hashes []uint64, beyond *RibbonRows) bool {
	for _, hash := range hashes {
		start, a := shape.hash(hash)
		if !b.add(uint(start), rowOf(a), uint(end), beyond) {
			return false
		}
	}
	return true
}

// AddRows is AddBelow of equations that were put beyond another range of slots.
func (b *RibbonBand) AddRows(end int, rows, beyond *RibbonRows) bool {
	for i, slot := range rows.slots {
		if !b.add(uint(slot), rows.rows[i], uint(end), beyond) {
			return false
		}
	}
	return true
}

// Rows returns the coefficients and results of the slots from a given one on.
func (b *RibbonBand) Rows(slot int) (rows [][2]uint64, results []uint32) {
	return b.rows[slot:], b.results[slot:]
}

// Append adds an equation, whose first coefficient is not zero.
func (r *RibbonRows) Append(slot uint32, low, high uint64, result uint32) {
	r.rows, r.slots = append(r.rows, row{low, high, result}), append(r.slots, slot)
}

// Empty drops the rows.
func (r *RibbonRows) Empty() { r.rows, r.slots = r.rows[:0], r.slots[:0] }

// add eliminates an equation's slots until one has no equation yet, which it then is of. If no
// slot is left, it follows from the others, or contradicts them.
func (b *RibbonBand) add(slot uint, r row, end uint, beyond *RibbonRows) bool {
	rows := b.rows[:end]
	results := b.results[:len(rows)]
	for slot < uint(len(rows)) {
		other := &rows[slot]
		if other[0] == 0 {
			*other, results[slot] = [2]uint64{r.low, r.high}, r.result
			return true
		}
		r.low ^= other[0]
		r.high ^= other[1]
		r.result ^= results[slot]
		if r.low == 0 {
			if r.high == 0 {
				return r.result == 0
			}
			r.low, r.high = r.high, 0
			slot += 64
		}
		zeros := uint(bits.TrailingZeros64(r.low)) % 64
		r.low = r.low>>zeros | r.high<<1<<(63-zeros)
		r.high >>= zeros
		slot += zeros
	}
	beyond.Append(uint32(slot), r.low, r.high, r.result)
	return true
}
