//go:build !purego

package asm

//lint:file-ignore U1000 ribbon_band_amd64.s uses the fields of ribbonScratch

import (
	"math/bits"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

const (
	bandRows    = 256 // equations that are under elimination, at most
	bandGroup   = 64  // of them whose free places are in a word
	frameSlots  = 32
	stepSlots   = 4 // whose equations are taken together
	framesTaken = 8 // by a call of the kernel, which takes some microseconds, and 25 if there are the most equations
)

// ribbonScratch is the memory of the kernel. The equations' coefficients are those of 160 slots from
// the frame's first one on. Free places have zeros. An equation's words are not 4 KiB apart:
// processors take a load for one of what has just been stored at such a distance.
type ribbonScratch struct {
	low    [bandRows]uint64
	_      [8]uint64
	middle [bandRows]uint64
	_      [8]uint64
	high   [bandRows]uint64 // 32 coefficients, and above them the result
	free   [bandRows / bandGroup]uint64
	masks  [bandRows / bandGroup]uint64 // the equations that have the next slot
	wrong  [4]uint64                    // not zero if there was a contradiction
	limit  uint64                       // the number of bytes of low that are in use, to the last equation
	top    uint64                       // the number of bytes of masks before the last one in use
}

// ribbonBander adds a range's equations with the kernel. All equations that begin at a slot, or
// have been moved there, are known when the slot's turn comes: one of them stays, and is taken off
// the others.
type ribbonBander struct {
	scratch *ribbonScratch // nil until needed
	keys    []uint64       // a part's hashes, mixed, step after step
	ends    [fallback.RibbonPartSlots / stepSlots]uint32
	slot    int  // the next one
	plain   bool // from this slot on
}

// start begins at a slot.
func (r *RibbonRange) start(slot int) {
	b := &r.bander
	b.slot = slot
	if b.plain = cpu.Current() == cpu.Generic; b.plain {
		r.band.Clear(slot, r.end)
		return
	}
	if b.scratch == nil {
		b.scratch = new(ribbonScratch)
	}
	*b.scratch = ribbonScratch{}
	for i := range b.scratch.free {
		b.scratch.free[i] = ^uint64(0)
	}
}

// add adds the equations of the next part.
func (r *RibbonRange) add(hashes []uint64) bool {
	b := &r.bander
	if b.plain {
		return r.addPlainly(hashes)
	}
	end := min(b.slot+fallback.RibbonPartSlots, r.end)
	begin, ends := uint32(0), b.sort(&r.shape, end-b.slot, hashes)
	for b.slot < end {
		frames := min(framesTaken, (end-b.slot)/frameSlots)
		rows, results := &r.band.Rows[b.slot], &r.band.Results[b.slot]
		taken := ribbonBandAVX2(b.scratch, rows, results, &b.keys[0], int(begin), &ends[0], frames, b.slot, r.shape.Starts)
		if b.scratch.wrong != [4]uint64{} {
			return false
		}
		b.slot += taken * frameSlots
		if taken < frames { // too many equations
			return r.goOnPlainly(hashes)
		}
		steps := taken * frameSlots / stepSlots
		begin, ends = ends[steps-1], ends[steps:]
	}
	return true
}

// sort puts the hashes of a part, which has the given number of slots, in the order of the steps
// that they begin in, by counting. It returns where each step's hashes end among the keys.
func (b *ribbonBander) sort(shape *fallback.RibbonShape, slots int, hashes []uint64) []uint32 {
	if n := max(len(hashes), fallback.RibbonPartSlots); cap(b.keys) < n {
		b.keys = make([]uint64, n)
	}
	keys, ends, first := b.keys, b.ends[:slots/stepSlots], uint64(b.slot)
	clear(ends)
	for _, hash := range hashes {
		start, _ := shape.Start(hash)
		ends[(start-first)/stepSlots]++
	}
	sum := uint32(0)
	for i, n := range ends {
		ends[i] = sum // for now, where the step's hashes begin
		sum += n
	}
	for _, hash := range hashes {
		start, mixed := shape.Start(hash)
		at := &ends[(start-first)/stepSlots]
		keys[*at] = mixed
		*at++
	}
	return ends
}

// goOnPlainly goes on without the kernel, from the next slot on. It adds the equations that are
// under elimination, and those of the part that begin there.
func (r *RibbonRange) goOnPlainly(hashes []uint64) bool {
	b := &r.bander
	b.plain = true
	r.band.Clear(b.slot, r.end)
	if !r.band.AddRows(r.end, b.appendTo(nil), &r.beyond) {
		return false
	}
	for i, hash := range hashes {
		if start, _ := r.shape.Start(hash); start >= uint64(b.slot) && !r.addPlainly(hashes[i:i+1]) {
			return false
		}
	}
	return true
}

// leave moves the equations that are under elimination at the range's end beyond it.
func (r *RibbonRange) leave() {
	if !r.bander.plain {
		r.beyond = r.bander.appendTo(r.beyond)
	}
}

// appendTo appends the equations that are under elimination to rows.
func (b *ribbonBander) appendTo(rows []fallback.RibbonRow) []fallback.RibbonRow {
	for i, low := range b.scratch.low {
		slot, middle, high := uint32(b.slot), b.scratch.middle[i], b.scratch.high[i]
		result := uint32(high >> frameSlots)
		high &= 1<<frameSlots - 1
		for n := 0; low == 0 && n < 2; n++ {
			slot, low, middle, high = slot+64, middle, high, 0
		}
		if low == 0 {
			continue // a free place
		}
		zeros := uint(bits.TrailingZeros64(low))
		low, high = low>>zeros|middle<<1<<(63-zeros), middle>>zeros|high<<1<<(63-zeros)
		rows = append(rows, fallback.RibbonRow{Low: low, High: high, Result: result, Slot: slot + uint32(zeros)})
	}
	return rows
}
