package asm

// FastLocal is a FastLocal filter prepared for queries: [NewFastLocal] checks the
// arguments and chooses the kernels once, including the level. Any number of goroutines may
// query it. Adding changes its body, but not the struct.
type FastLocal struct { // internal/gen reads this declaration: kernels load these fields
	// A lookup of one key in the commonest form reads a cache line.
	body  []byte
	eight [8]uint32 // the first multipliers
	form  form

	level       int // of package cpu
	probes      int
	fewSizes    int // of batches, from eight keys on, that the kernels for a few keys take
	multipliers *[32]uint32
	shared      bool // Go code reads the body by atomic loads
}

// A form says which batch kernels a filter uses.
type form int

const (
	// Pure Go. It is zero so that the zero FastLocal runs no instruction that may be missing.
	formGeneric form = iota
	// AVX2, for all numbers of probes.
	form256
	// AVX-512, for up to 8, up to 16 and more probes.
	form512
	form512by16
	form512by32
)

// NewFastLocal returns the filter with the given body, whole blocks, at least one,
// and the number of probes, 1 to MaxProbes.
func NewFastLocal(body []byte, probes int) FastLocal {
	checkFastLocal(body, probes)
	row := &multipliers[probes]
	f := FastLocal{
		body: body, eight: [8]uint32(row[:8]), form: formOf(probes),
		level: int(level()), probes: probes, multipliers: row,
	}
	f.fewSizes = fewSizes(f.form, body)
	return f
}

func checkFastLocal(body []byte, probes int) {
	checkBody(body, BlockBytes)
	checkProbes(probes, 1)
}

// FastLocalAdd is [fallback.FastLocalAdd].
func FastLocalAdd(body []byte, probes int, hashes []uint64) {
	f := NewFastLocal(body, probes)
	f.AddAll(hashes)
}
