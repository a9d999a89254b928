//go:build (amd64 || arm64) && !purego

package asm

// inColumns looks up at least one hash in one of the given number of Ribbon filters, which are looked up in turn.
func (k *Kernel) inColumns(filters int, hashes, hits []uint64) {
	whole := len(hashes) &^ (octet - 1)
	if k.form == formGeneric || whole == 0 {
		k.bitsInGo(hashes, hits)
		return
	}
	hits[(len(hashes)-1)/64] = 0 // the kernels write a part of it
	far := uint64(len(k.body))*uint64(filters) >= uint64(ribbonFarFrom)
	for from := 0; from < whole; from += chunk {
		k.ribbonBatch(hashes[from:min(from+chunk, whole)], hits[from/64:], far)
	}
	k.addHits(whole, hashes, hits)
}
