package asm

// FastLocal is a FastLocal filter to ask: what its kernels have to check and to
// choose is checked and chosen once, the level too. It is immutable.
type FastLocal struct { // the kernels know these fields and their order
	near        []byte    // the body in the commonest form, else nil
	eight       [8]uint32 // the first multipliers
	body        []byte
	form        form
	fewSizes    int // of batches, from eight keys on, that are for the kernels for a few
	multipliers *[32]uint32
	probes      int
}

// A form says which kernels a filter takes. The generator of the kernels numbers
// them so, too.
type form int

const (
	// Plain Go: the zero FastLocal runs no instruction that may be missing.
	formGeneric form = iota
	// AVX2, and the next three, for eight probes more each.
	form256
	// AVX-512, for up to 8, up to 16 and more probes.
	form512     = form256 + 4
	form512by16 = form512 + 1
	form512by32 = form512 + 2
)

// NewFastLocal returns the filter with the given body, whole blocks, at least one,
// and probes, 1 to MaxProbes.
func NewFastLocal(body []byte, probes int) FastLocal {
	checkFastLocal(body, probes)
	row := &multipliers[probes]
	f := FastLocal{eight: [8]uint32(row[:8]), body: body, form: formOf(probes), multipliers: row, probes: probes}
	f.fewSizes = fewSizes(f.form, len(body))
	if f.form == form512 {
		f.near = body
	}
	return f
}

// Contains is FastLocalContains.
func (f *FastLocal) Contains(hash uint64) bool { return fastLocalContains(f, hash) }

// FastLocalContains is fallback.FastLocalContains. It wants what NewFastLocal does.
func FastLocalContains(body []byte, probes int, hash uint64) bool {
	f := NewFastLocal(body, probes)
	return f.Contains(hash)
}

// FastLocalContainsBatch is fallback.FastLocalContainsBatch. It wants what
// NewFastLocal does. hits has a bit for every hash, and no memory in common with
// the hashes; words beyond those are left alone.
func FastLocalContainsBatch(hits []uint64, body []byte, probes int, hashes []uint64) {
	f := NewFastLocal(body, probes)
	f.ContainsBatch(hits, hashes)
}

func checkFastLocal(body []byte, probes int) {
	checkBody(body, BlockBytes)
	checkProbes(probes, 1)
}
