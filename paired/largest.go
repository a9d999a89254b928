package paired

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
)

// largest returns the format of a filter that the limit cuts:
// as large as the limit allows, with the number of probes and, unless that was
// given, the batch that err least at this size. Both are chosen in whole numbers,
// so that every machine chooses the same, and in far less than a microsecond.
func (l layout) largest(hashes uint64) format {
	batch := l.batchBlocks
	body := l.mostBody(batch)
	if l.anyBatch {
		// Batches of 32 may be fewer bytes than one of 128 that did not fit. They
		// need not be more than the most bits per key take.
		most := layout{millibits: 1000 * building.MostBitsPerKey, batchBlocks: speedbBlocks}
		other := min(l.mostBody(speedbBlocks), most.bodyBytes(hashes))
		if body == 0 || smallerErrsLess(other, body, building.RealMillibits(body, hashes)) {
			batch, body = speedbBlocks, other
		}
	}
	return newFormat(body, batch, bestProbes(building.RealMillibits(body, hashes)))
}

// mostBody returns the size of the largest body within the limit.
func (l layout) mostBody(batchBlocks int) uint64 {
	return l.limit.Body(batchBytes(batchBlocks), asm.MaxBodyBytes, trailerBytes)
}

// bestProbes returns the even k with the lowest rate at so many bits per key in
// thousandths: two more for every three bits. Speedb's, which numProbes gives, is two
// more than that below each step, where the rate is up to 23 % higher at 3.1 bits
// per key, 14 % at 6.1, 8 % at 9.2 and 4 % at 20. Above 40 bits per key, where the
// hash bounds the rate, fewer would be better, by less than 10 %.
func bestProbes(millibits int) int {
	const first, step, most = 1200, 3000, 24
	return 2 * min(max((millibits-first+step-1)/step, 1), most/2)
}

// smallerErrsLess reports whether a filter whose batches are of 32 blocks has a lower
// rate than one with batches of 128, which may be smaller and has so many bits per
// key, in thousandths. At the same size it has a lower one below 17 bits per key, by
// 1.3 % at most, because an index within the batch takes fewer bits; above that a
// higher one, by as much as 0.08 bits per key make at 24, 0.26 at 30 and 0.8 at 40.
// All that does not depend on the number of keys. (Beyond 40, where less than 2e-8 is
// left, it asks for too many; but so a filter never shrinks when keys are added.)
func smallerErrsLess(of32, of128 uint64, millibits int) bool {
	const even, steep = 16_500, 700_000
	beyond := int64(millibits) - even
	blocks, more := int64(of128/asm.BlockBytes), int64((of32-of128)/asm.BlockBytes)
	// What the additional blocks are in thousandths of bits per key, against beyond
	// squared over steep: as products, which round nothing.
	return int64(millibits)*more*steep > beyond*max(beyond, -beyond)*blocks
}
