//go:build (!amd64 && !arm64) || purego

package asm

// ribbonPlaces is what kernels would take.
type ribbonPlaces struct{}

func newRibbonPlaces([]byte, *RibbonShape) ribbonPlaces { return ribbonPlaces{} }

// ContainsBits is [fallback.RibbonContainsBatch].
func (f *Ribbon) ContainsBits(hashes, hits []uint64) {
	checkBits(hashes, hits)
	f.containsBits(hashes, hits)
}

// ContainsBitsAmong is ContainsBits.
func (f *Ribbon) ContainsBitsAmong(_ int, hashes, hits []uint64) { f.ContainsBits(hashes, hits) }
