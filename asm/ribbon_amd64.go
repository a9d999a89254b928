//go:build !purego

package asm

// ribbonBatch looks up whole octets of hashes, at least one.
func (k *Kernel) ribbonBatch(hashes, hits []uint64, distance uint8) {
	if k.form >= form512 {
		ribbonBatchAVX512(k, &hashes[0], &hits[0], len(hashes), distance)
	} else {
		ribbonBatchAVX2(k, &hashes[0], &hits[0], len(hashes), distance)
	}
}
