//go:build !purego

package asm

import "unsafe"

// ribbonAhead is how many keys ahead columns are prefetched. (It was not measured.)
const ribbonAhead = 2 * octet

// ribbonBatch looks up at least one hash in one of some Ribbon filters, which are looked up in turn.
func ribbonBatch(k *Kernel, hashes []uint64, to answers, filters int) {
	distance := ribbonDistance(uint64(len(k.body)) * uint64(filters))
	var room bitRoom
	for {
		n, hits := to.inBits(min(chunk, len(hashes)), &room)
		whole := n &^ (octet - 1)
		if whole > 0 {
			k.ribbonOctets(hashes[:whole], hits, distance)
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

// ribbonOctets looks up whole octets of hashes, at least one.
func (k *Kernel) ribbonOctets(hashes, hits []uint64, distance uint8) {
	answers := unsafe.Slice((*byte)(unsafe.Pointer(&hits[0])), len(hashes)/octet)
	if distance > 0 && len(hashes) > ribbonAhead {
		n := len(hashes) - ribbonAhead
		ribbonBatchNEON(k, &hashes[0], &answers[0], n, ribbonAhead)
		hashes, answers = hashes[n:], answers[n/octet:]
	}
	ribbonBatchNEON(k, &hashes[0], &answers[0], len(hashes), 0)
}
