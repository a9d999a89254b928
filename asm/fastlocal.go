package asm

// NewFastLocal returns the filter with the given body, whole blocks, at least one,
// and the number of probes, 1 to MaxProbes.
func NewFastLocal(body []byte, probes int) Kernel {
	checkFastLocal(body, probes)
	row, form := &multipliers[probes], formOf(probes)
	return Kernel{
		body: body, eight: [8]uint32(row[:8]), entry: fastLocalEntries.of(form), format: FastLocal, form: form,
		adds: fastLocalAdders(form, body), probes: probes, blockProbes: probes, mostFew: mostFew(form, body), oneByOne: oneByOne(FastLocal, form, body), multipliers: row, byBlock: len(body), inlined: inlinedOf(FastLocal, form, body, probes),
	}
}

// fastLocalAdders returns the kernels that add a key. Far blocks are loaded soonest by the fewest instructions: at 32 MiB,
// adding and looking up in turn takes a tenth longer a block at once (Zen 4).
func fastLocalAdders(f form, body []byte) adders {
	if addsAtOnce(f, body) {
		return addsFastLocal512
	}
	return addersOf(f, addsFastLocal)
}

// addsAtOnce reports whether kernels add a key to a block at once.
func addsAtOnce(f form, body []byte) bool { return f == form512 && !isFar(body) }

func checkFastLocal(body []byte, probes int) {
	checkBody(body, BlockBytes)
	checkProbes(probes, 1)
}

// FastLocalAdd is [fallback.FastLocalAdd].
func FastLocalAdd(body []byte, probes int, hashes []uint64) {
	k := NewFastLocal(body, probes)
	k.AddAll(hashes)
}
