//go:build !amd64 || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// ribbonBander adds a range's equations with a kernel, where there is one.
type ribbonBander struct{}

func (r *RibbonRange) start(slot int) { r.band.Clear(slot, r.end) }

func (r *RibbonRange) add(hashes []uint64) bool {
	return r.band.AddBelow(r.end, &r.shape, hashes, &r.beyond)
}

func (r *RibbonRange) leave() {}

// RibbonColumnsSolved returns the number of columns that are solved together: fewer take about as
// long.
func RibbonColumnsSolved() int { return fallback.RibbonColumnsSolved }

func (b *RibbonBand) solve(body []byte, shape *RibbonShape, first, end int) {
	fallback.RibbonSolveColumns(body, shape, &b.fallback, first, end)
}
