//go:build amd64 && !purego

package asm

// inLayers looks up at least one hash in one of the given number of linear filters, which are looked up in turn.
func (k *Kernel) inLayers(filters int, hashes, hits []uint64) {
	far := areFar(len(k.body), filters)
	for len(hashes) > 0 {
		n := min(chunk, len(hashes))
		if k.form >= form512 {
			linearContainsBatchAVX512(k, &hashes[0], &hits[0], n, far)
		} else {
			linearContainsBatchAVX2(k, &hashes[0], &hits[0], n, far)
		}
		hashes, hits = hashes[n:], hits[Words(n):]
	}
}
