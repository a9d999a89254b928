//go:build !purego

package asm

// ribbonBatch looks up at least one hash in one of some Ribbon filters, which are looked up in turn.
func ribbonBatch(k *Kernel, hashes []uint64, to answers, filters int) {
	distance := ribbonDistance(uint64(len(k.body)) * uint64(filters))
	var room bitRoom
	for {
		n, hits := to.inBits(min(chunk, len(hashes)), &room)
		whole := n &^ (octet - 1)
		switch {
		case whole == 0:
		case k.form >= form512:
			ribbonBatchAVX512(k, &hashes[0], &hits[0], whole, distance)
		default:
			ribbonBatchAVX2(k, &hashes[0], &hits[0], whole, distance)
		}
		if whole < n {
			k.addHits(whole, hashes[:n], hits)
		}
		to.expand(n, hits)
		if n == len(hashes) {
			return
		}
		hashes, to = hashes[n:], to.from(n)
	}
}
