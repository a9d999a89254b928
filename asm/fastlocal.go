package asm

// NewFastLocal returns the filter with the given body, whole blocks, at least one,
// and the number of probes, 1 to MaxProbes.
func NewFastLocal(body []byte, probes int) Kernel {
	checkFastLocal(body, probes)
	row, form := &multipliers[probes], formOf(probes)
	return Kernel{
		body: body, eight: [8]uint32(row[:8]), entry: fastLocalEntries.of(form), format: FastLocal, form: form,
		adds: addersOf(form, addsFastLocal), probes: probes, blockProbes: probes, fewSizes: fewSizes(form, body), oneByOne: oneByOne(FastLocal, form, body), multipliers: row, byBlock: len(body),
	}
}

func checkFastLocal(body []byte, probes int) {
	checkBody(body, BlockBytes)
	checkProbes(probes, 1)
}

// FastLocalAdd is [fallback.FastLocalAdd].
func FastLocalAdd(body []byte, probes int, hashes []uint64) {
	k := NewFastLocal(body, probes)
	k.AddAll(hashes)
}
