package asm

import "github.com/simdbloom/simdbloom/fallback"

// FastLocal is a FastLocal filter for asking key by key: what FastLocalContains
// has to check and to choose every time is checked and chosen once, the level too.
type FastLocal struct { // the kernels know these fields and their order
	near        []byte    // the body in the commonest form, else nil
	eight       [8]uint32 // the first multipliers
	body        []byte
	form        int // which kernel
	multipliers *[32]uint32
	probes      int
}

// NewFastLocal wants what FastLocalContains does.
func NewFastLocal(body []byte, probes int) FastLocal {
	checkFastLocal(body, probes)
	row := &multipliers[probes]
	f := FastLocal{eight: [8]uint32(row[:8]), body: body, form: formOf(probes), multipliers: row, probes: probes}
	if f.form == 0 {
		f.near = body
	}
	return f
}

// Contains is FastLocalContains.
func (f *FastLocal) Contains(hash uint64) bool { return fastLocalContains(f, hash) }

// FastLocalContains is fallback.FastLocalContains. The body is whole blocks, at
// least one; probes are 1 to MaxProbes.
func FastLocalContains(body []byte, probes int, hash uint64) bool {
	f := NewFastLocal(body, probes)
	return f.Contains(hash)
}

// FastLocalContainsBatch is fallback.FastLocalContainsBatch. hits has a bit for
// every hash; words beyond those are left alone.
func FastLocalContainsBatch(hits []uint64, body []byte, probes int, hashes []uint64) {
	checkFastLocal(body, probes)
	checkHits(hits, hashes)
	fastLocalContainsBatch(hits, body, probes, hashes)
}

// FastLocalAdd is fallback.FastLocalAdd.
func FastLocalAdd(body []byte, probes int, hashes []uint64) {
	checkFastLocal(body, probes)
	fallback.FastLocalAdd(body, probes, hashes)
}

func checkFastLocal(body []byte, probes int) {
	checkBody(body, BlockBytes)
	checkProbes(probes, 1)
}
