package layout

import "github.com/simdbloom/simdbloom/asm"

// A paired filter ends in a trailer of four bytes.
const (
	PairedTrailerBytes = 4

	// The numbers of blocks in a batch: Speedb's, and the published algorithm's.
	SpeedbBlocks    = 32
	PublishedBlocks = 128

	pairedTypeAt     = 0
	pairedProbesAt   = 1 // log2(block bytes)-6 in the top 3 bits, probes below
	pairedBatchAt    = 2 // which batches
	pairedReservedAt = 3

	typePaired = 1

	// Speedb writes 0 in the byte for the batch, and means 32 blocks. The other value is this
	// library's: log2(128), which Speedb reads as a future format, so as "may contain everything".
	batchSpeedb    = 0
	batchPublished = 7
)

// PutPaired writes the trailer of a paired filter.
func PutPaired(trailer []byte, batchBlocks, probes int) {
	trailer[pairedTypeAt], trailer[pairedProbesAt], trailer[pairedBatchAt] = typePaired, byte(probes), batchSpeedb
	if batchBlocks == PublishedBlocks {
		trailer[pairedBatchAt] = batchPublished
	}
}

// Paired reads bytes as Speedb reads its paired filters.
func Paired(data []byte) (c Contents, flaw string) {
	n := len(data) - PairedTrailerBytes
	switch {
	case len(data) == 0:
		return Contents{Format: asm.Empty}, ""
	case n <= 0:
		return c, "too short for a batch and the trailer, 2,052 bytes"
	}
	trailer := (*[PairedTrailerBytes]byte)(data[n:])
	probes, batchBlocks := int(trailer[pairedProbesAt]&probesMask), 0
	switch trailer[pairedBatchAt] {
	case batchSpeedb:
		batchBlocks = SpeedbBlocks
	case batchPublished:
		batchBlocks = PublishedBlocks
	}
	switch {
	case trailer[pairedTypeAt] != typePaired || trailer[pairedProbesAt]&^probesMask != 0 ||
		probes == 0 || probes > asm.MaxProbes || batchBlocks == 0 || trailer[pairedReservedAt] != 0:
		return c, ""
	case n&(batchBlocks*asm.BlockBytes-1) != 0:
		return c, "not a whole number of batches and the trailer"
	case uint64(n) > asm.MaxBodyBytes:
		return c, "longer than the format's 4 GiB"
	}
	return Contents{Format: asm.Paired, Body: data[:n], Probes: probes, BatchBlocks: batchBlocks}, ""
}
