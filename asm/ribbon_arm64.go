//go:build !purego

package asm

import "unsafe"

// ribbonAhead is how many keys ahead columns are prefetched. (It was not measured.)
const ribbonAhead = 2 * octet

// ribbonBatch looks up whole octets of hashes, at least one.
func (k *Kernel) ribbonBatch(hashes, hits []uint64, distance uint8) {
	answers := unsafe.Slice((*byte)(unsafe.Pointer(&hits[0])), len(hashes)/octet)
	if distance > 0 && len(hashes) > ribbonAhead {
		n := len(hashes) - ribbonAhead
		ribbonBatchNEON(k, &hashes[0], &answers[0], n, ribbonAhead)
		hashes, answers = hashes[n:], answers[n/octet:]
	}
	ribbonBatchNEON(k, &hashes[0], &answers[0], len(hashes), 0)
}
