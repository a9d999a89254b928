//go:build (amd64 || arm64) && !purego

package asm

// inColumns looks up at least one hash in one of the given number of Ribbon filters, which are looked up in turn.
func (k *Kernel) inColumns(filters int, hashes, hits []uint64) {
	whole := len(hashes) &^ (octet - 1)
	if k.form == formGeneric || len(hashes) == 0 {
		k.bitsInGo(hashes, hits)
		return
	}
	hits[(len(hashes)-1)/64] = 0 // the kernels write a part of it
	distance := ribbonDistance(uint64(len(k.body)) * uint64(filters))
	for from := 0; from < whole; from += chunk {
		k.ribbonBatch(hashes[from:min(from+chunk, whole)], hits[from/64:], distance)
	}
	k.addHits(whole, hashes, hits)
}

// ribbonDistance returns where most lines of bodies of the given size come from: 0 is a cache that
// need not be prefetched from, 1 is another one, 2 is memory.
func ribbonDistance(bytes uint64) uint8 {
	switch {
	case bytes >= uint64(farFrom):
		return 2
	case bytes >= uint64(ribbonFarFrom):
		return 1
	default:
		return 0
	}
}
