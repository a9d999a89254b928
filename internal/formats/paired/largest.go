package paired

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
)

// largest returns the format of a filter that the limit makes smaller: as large as the
// limit allows, with the number of probes and, unless that was given, the batch that
// have the lowest false-positive rate at this size. Both are computed in whole numbers,
// so every machine chooses the same, and in far less than a microsecond.
func (p plan) largest(hashes uint64) format {
	batch := p.batchBlocks
	body := p.mostBody(batch)
	if p.anyBatch {
		other := p.mostBody(SpeedbBlocks)
		if smallBatchesAreBetter(other, body, building.RealMillibits(body, hashes)) {
			batch, body = SpeedbBlocks, other
		}
	}
	return format{body, batch, bestProbes(building.RealMillibits(body, hashes))}
}

// mostBody returns the size of the largest body within the limit.
func (p plan) mostBody(batchBlocks int) uint64 {
	return p.limit.Body(batchBytes(batchBlocks), asm.MaxBodyBytes, TrailerBytes)
}

// bestProbes returns the even k with the lowest rate at the given bits per key, in
// thousandths: two more for every three bits. Speedb's choice, which numProbes returns,
// is two more than that below each step, where the rate is up to 23 % higher at 3.1 bits
// per key, 14 % at 6.1, 8 % at 9.2 and 4 % at 20. Above 40 bits per key, where the
// hash bounds the rate, fewer would be better, by less than 10 %.
func bestProbes(millibits int) int {
	const first, step, most = 1200, 3000, 24
	return 2 * min(max((millibits-first+step-1)/step, 1), most/2)
}

// smallBatchesAreBetter reports whether a filter in batches of 32 blocks has a lower
// rate than one in batches of 128, which may be smaller and has the given bits per key,
// in thousandths. At the same size its rate is lower below 17 bits per key, by at most
// 1.3 %, because an index within the batch has fewer bits. Above that it is higher,
// by as much as 0.08 bits per key at 24, 0.26 at 30 and 0.8 at 40. None of this depends
// on the number of keys. (Beyond 40, where the rate is below 2e-8, it requires too many
// blocks; but so a filter never shrinks when keys are added.)
func smallBatchesAreBetter(of32, of128 uint64, millibits int) bool {
	const even, steep = 16_500, 700_000
	beyond := int64(millibits) - even
	blocks, more := int64(of128/asm.BlockBytes), int64((of32-of128)/asm.BlockBytes)
	// The additional blocks, in thousandths of bits per key, against beyond
	// squared over steep: as products, which round nothing.
	return int64(millibits)*more*steep > beyond*max(beyond, -beyond)*blocks
}
