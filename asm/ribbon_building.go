package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
)

// RibbonBand is the memory of a filter's equations while it is built. The zero RibbonBand is
// ready for use.
type RibbonBand struct{ band fallback.RibbonBand }

// RibbonBandBytes is the memory of a slot.
const RibbonBandBytes = 20

// Use sets the memory of a number of blocks, RibbonBandBytes for each slot, with any content. A
// RibbonRange fills it.
func (b *RibbonBand) Use(memory []uint64, blocks uint32) {
	slots := int(blocks) * fallback.RibbonBlockSlots
	rows := unsafe.Slice((*[2]uint64)(unsafe.Pointer(unsafe.SliceData(memory))), len(memory)/2)
	results := unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(memory[2*slots:]))), 2*(len(memory)-2*slots))
	b.band.Rows, b.band.Results = rows[:slots], results[:slots]
}

// SolveColumns is [fallback.RibbonSolveColumns]. Several goroutines may solve columns of a body
// at once.
func (b *RibbonBand) SolveColumns(body []byte, first, end int) {
	shape := b.shape(len(body), 0)
	b.solve(body, &shape, first, end)
}

// shape returns the shape of a filter of the band's size.
func (b *RibbonBand) shape(bodyBytes int, seed byte) fallback.RibbonShape {
	return fallback.NewRibbonShape(uint64(bodyBytes), uint32(len(b.band.Rows)/fallback.RibbonBlockSlots), seed)
}

// RibbonRange puts the equations of some neighbouring parts into a band. Several goroutines may
// fill a range each. Begin comes first, then Add for each part, End, and when all ranges have
// ended, Join for one after the other.
type RibbonRange struct {
	band   *fallback.RibbonBand
	shape  fallback.RibbonShape
	end    int // slot
	beyond []fallback.RibbonRow
	bander ribbonBander
}

// Begin begins a range of a band's parts, for a filter of an ordinal seed.
func (r *RibbonRange) Begin(band *RibbonBand, seed byte, from, end int) {
	r.band, r.shape, r.beyond = &band.band, band.shape(0, seed), r.beyond[:0]
	r.end = min(end*fallback.RibbonPartSlots, r.shape.Slots)
	r.start(from * fallback.RibbonPartSlots)
}

// Add adds all hashes of the next part. It reports false if their equations contradict each other
// or those before.
func (r *RibbonRange) Add(hashes []uint64) bool { return r.add(hashes) }

// End ends the range, after its last part.
func (r *RibbonRange) End() { r.leave() }

// Join adds the equations that go beyond the range to the slots behind it. It reports false as Add
// does.
func (r *RibbonRange) Join() bool { return r.band.AddRows(r.shape.Slots, r.beyond, nil) }

// addPlainly is add without a kernel.
func (r *RibbonRange) addPlainly(hashes []uint64) bool {
	return r.band.Add(r.end, &r.shape, hashes, &r.beyond)
}
