package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
)

// RibbonPartSlots is [fallback.RibbonPartSlots].
const RibbonPartSlots = fallback.RibbonPartSlots

// RibbonBand is the memory of a filter's equations while it is built. The zero RibbonBand is
// ready for use.
type RibbonBand struct{ fallback fallback.RibbonBand }

const (
	// RibbonBandBytes is how much memory a slot takes.
	RibbonBandBytes = 20

	// RibbonBlockWords is how much a block takes.
	RibbonBlockWords = RibbonBandBytes * RibbonBlockSlots / 8
)

// Begin is [fallback.RibbonBand.Begin].
func (b *RibbonBand) Begin(blocks uint32) { b.fallback.Begin(int(blocks) * RibbonBlockSlots) }

// Use sets the memory of a number of blocks, RibbonBlockWords words for each, with any content. A
// RibbonRange fills it.
func (b *RibbonBand) Use(memory []uint64, blocks uint32) {
	slots := int(blocks) * RibbonBlockSlots
	rows := unsafe.Slice((*[2]uint64)(unsafe.Pointer(unsafe.SliceData(memory))), len(memory)/2)
	results := unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(memory[2*slots:]))), 2*(len(memory)-2*slots))
	b.fallback.Use(rows[:slots], results[:slots])
}

// Add is [fallback.RibbonBand.Add] for an ordinal seed.
func (b *RibbonBand) Add(seed byte, hashes []uint64) bool {
	shape := b.shape(seed)
	return b.fallback.Add(&shape, hashes)
}

// Solve is [fallback.RibbonSolve].
func (b *RibbonBand) Solve(body []byte) {
	shape := NewRibbonShape(uint64(len(body)), b.blocks(), 0)
	b.SolveColumns(body, 0, shape.Columns())
}

// SolveColumns is [fallback.RibbonSolveColumns]. Several goroutines may solve columns of a body
// at once.
func (b *RibbonBand) SolveColumns(body []byte, first, end int) {
	shape := NewRibbonShape(uint64(len(body)), b.blocks(), 0)
	b.solve(body, &shape, first, end)
}

// shape returns the shape of a filter that has no columns yet.
func (b *RibbonBand) shape(seed byte) RibbonShape { return NewRibbonShape(0, b.blocks(), seed) }

func (b *RibbonBand) blocks() uint32 { return uint32(b.fallback.Slots() / RibbonBlockSlots) }

// RibbonRange puts the equations of some neighbouring parts into a band. Several goroutines may
// fill a range each. Begin comes first, then Add for each part, End, and when all ranges have
// ended, Join for one after the other.
type RibbonRange struct {
	band   *fallback.RibbonBand
	shape  RibbonShape
	end    int // slot
	beyond fallback.RibbonRows
	bander ribbonBander
}

// Begin begins a range of a band's parts, for a filter of an ordinal seed.
func (r *RibbonRange) Begin(band *RibbonBand, seed byte, from, end int) {
	r.band, r.shape = &band.fallback, band.shape(seed)
	r.end = min(end*RibbonPartSlots, r.band.Slots())
	r.beyond.Empty()
	r.start(from * RibbonPartSlots)
}

// Add adds all hashes of the next part. It reports false if their equations contradict each other
// or those before.
func (r *RibbonRange) Add(hashes []uint64) bool { return r.add(hashes) }

// End ends the range, after its last part.
func (r *RibbonRange) End() { r.leave() }

// Join adds the equations that go beyond the range to the slots behind it. It reports false as Add
// does.
func (r *RibbonRange) Join() bool { return r.band.AddRows(r.band.Slots(), &r.beyond, nil) }
