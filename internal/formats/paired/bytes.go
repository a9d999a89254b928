package paired

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
)

// A paired filter ends in a trailer of four bytes.
const (
	TrailerBytes = 4

	// The numbers of blocks in a batch: Speedb's, and the published algorithm's.
	SpeedbBlocks    = 32
	PublishedBlocks = 128

	typeAt     = 0
	probesAt   = 1 // log2(block bytes)-6 in the top 3 bits, probes below
	batchAt    = 2 // which batches
	reservedAt = 3

	typePaired = 1

	// Speedb writes 0 in the byte for the batch. Versions from 2.2 on mean 32 blocks by that, 2.1.0 and 2.1.1 128. The
	// other value is this library's: log2(128), which Speedb reads as a future format, so as "may contain everything".
	batchSpeedb    = 0
	batchPublished = 7
)

// PutTrailer writes the trailer of a paired filter.
func PutTrailer(trailer []byte, batchBlocks, probes int) {
	trailer[typeAt], trailer[probesAt], trailer[batchAt] = typePaired, byte(probes), batchSpeedb
	if batchBlocks == PublishedBlocks {
		trailer[batchAt] = batchPublished
	}
}

// Read reads the bytes that builders write: of few keys those of FastLocal filters. With Speedb's key hash they may be
// Speedb's.
func Read(data []byte) (c contents.Contents, flaw string) {
	if isFastLocal(data) {
		return fastlocal.Read(data)
	}
	if c, flaw = ReadOwn(data); c.Body != nil && asm.PairedInDoubt(data) {
		c.OfXXPH3 = decided
	}
	return c, flaw
}

// decided reads Speedb's bytes of each version as that does: see [fallback.PairedBatches]. Where both sizes of batches
// fit, BatchBlocks is 0.
func decided(c contents.Contents) contents.Contents {
	switch of32, of128 := fallback.PairedBatches(c.Body); {
	case of32 && of128:
		c.BatchBlocks, c.Prepare = 0, prepareEither
	case of128:
		c.BatchBlocks = PublishedBlocks
	case !of32:
		return contents.Contents{}
	}
	return c
}

// ReadOwn reads bytes that are known to be in the batches that PutTrailer writes: this library's.
func ReadOwn(data []byte) (c contents.Contents, flaw string) {
	n := len(data) - TrailerBytes
	switch {
	case len(data) == 0:
		return contents.Contents{Format: asm.Empty}, ""
	case n <= 0:
		return c, "too short for a batch and the trailer, 2,052 bytes"
	}
	trailer := (*[TrailerBytes]byte)(data[n:])
	probes, batchBlocks := int(trailer[probesAt]&rocksdb.ProbesMask), 0
	switch trailer[batchAt] {
	case batchSpeedb:
		batchBlocks = SpeedbBlocks
	case batchPublished:
		batchBlocks = PublishedBlocks
	}
	switch {
	case trailer[typeAt] != typePaired || trailer[probesAt]&^rocksdb.ProbesMask != 0 ||
		probes == 0 || probes > asm.MaxProbes || batchBlocks == 0 || trailer[reservedAt] != 0:
		return c, ""
	case n&(batchBlocks*asm.BlockBytes-1) != 0:
		return c, "not a whole number of batches and the trailer"
	case uint64(n) > asm.MaxBodyBytes:
		return c, "longer than the format's 4 GiB"
	}
	return contents.Contents{Format: asm.Paired, Body: data[:n], Probes: probes, BatchBlocks: batchBlocks, Prepare: prepare}, ""
}

// isFastLocal reports whether bytes end as a FastLocal filter does, which are a byte longer than blocks and Speedb's
// trailer. A shorter one is cut off.
func isFastLocal(data []byte) bool {
	n := len(data) - rocksdb.TrailerBytes
	return n >= 0 && (n%asm.BlockBytes == 0 || n < asm.BlockBytes) && data[n] == rocksdb.MarkerNewBloom && data[n+1] == 0
}

func prepare(c contents.Contents) asm.Kernel {
	if c.Probes < 2 { // half of the probes, rounded down, go to each of two blocks: none
		return asm.NewConstant(true)
	}
	return asm.NewPaired(c.Body, c.BatchBlocks, c.Probes)
}

func prepareEither(c contents.Contents) asm.Kernel {
	if c.Probes < 2 {
		return prepare(c)
	}
	return asm.NewPairedEither(c.Body, c.Probes)
}
