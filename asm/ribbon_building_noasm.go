//go:build !amd64 || purego

package asm

// ribbonBander adds a range's equations with a kernel, where there is one.
type ribbonBander struct{}

func (r *RibbonRange) start(slot int) { r.band.Clear(slot, r.end) }

func (r *RibbonRange) add(hashes []uint64) bool {
	return r.band.AddBelow(r.end, &r.shape, hashes, &r.beyond)
}

func (r *RibbonRange) leave() bool { return true }
