package paired

import (
	"math"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
)

// A filter is its body, whole batches, and a trailer of four bytes.
const (
	trailerBytes = 4

	// The bytes of the trailer.
	trailerType     = 0
	trailerProbes   = 1 // log2(block bytes)-6 in the top 3 bits, probes below
	trailerBatch    = 2 // which batches
	trailerReserved = 3

	typePaired = 1

	probesMask = 1<<5 - 1

	// Speedb writes 0 in the byte for the batch, and means 32 blocks. The other
	// value is this library's: log2(128), which Speedb reads as a future
	// format, so as "may contain everything".
	batchSpeedb    = 0
	batchPublished = 7

	speedbBlocks    = 32
	publishedBlocks = 128

	blockBits = 8 * asm.BlockBytes
)

// numProbes returns k for bits per key in thousandths, an even number. It is
// Speedb's choice (CalcNumProbes), whole-number division included, except at the
// few lowest settings, where Speedb's 0 would make a filter that matches every key.
func numProbes(millibits, batchBlocks int) int {
	bloomBits := millibits * (blockBits - indexBits(batchBlocks)) / blockBits / 1000
	half := int(math.Ceil(math.Ln2 * float64(bloomBits) / 2))
	return min(2*max(half, 1), asm.MaxProbes)
}

// indexBits returns how many bits of each block are its pair index.
func indexBits(batchBlocks int) int { return bits.Len(uint(batchBlocks)) - 1 }

// layout is what a builder's options say. It and the number of keys give a filter's
// format.
type layout struct {
	millibits   int
	batchBlocks int
	anyBatch    bool // batchBlocks may change if the limit makes the filter smaller
	roundDown   bool
	limit       building.Limit
}

// format returns the format of a filter of the given number of hashes: as large as the
// bits per key require, or, if the limit is below that, the best within the limit.
func (l layout) format(hashes uint64) format {
	body := l.bodyBytes(hashes)
	if body > l.mostBody(l.batchBlocks) {
		return l.largest(hashes)
	}
	return newFormat(body, l.batchBlocks, numProbes(l.millibits, l.batchBlocks))
}

// bodyBytes returns the size of the body for the given number of hashes, whether the format
// allows it or not.
func (l layout) bodyBytes(hashes uint64) uint64 {
	batch := batchBytes(l.batchBlocks)
	bytes := building.TotalMillibits(hashes, l.millibits) / 8000
	if !l.roundDown {
		bytes += batch - 1
	}
	return max(bytes/batch, 1) * batch
}

func batchBytes(batchBlocks int) uint64 { return uint64(batchBlocks) * asm.BlockBytes }

// maxBodyBytes returns the size of the largest body that the format allows.
func maxBodyBytes(batchBlocks int) uint64 {
	batch := batchBytes(batchBlocks)
	return asm.MaxBodyBytes / batch * batch
}

// format has the size, the batches, the probes and the trailer of one filter.
type format struct {
	body        uint64 // its bytes
	batchBlocks int
	probes      int
	trailer     [trailerBytes]byte
}

func newFormat(body uint64, batchBlocks, probes int) format {
	f := format{body: body, batchBlocks: batchBlocks, probes: probes}
	f.trailer[trailerType] = typePaired
	f.trailer[trailerProbes] = byte(probes)
	if batchBlocks == publishedBlocks {
		f.trailer[trailerBatch] = batchPublished
	} else {
		f.trailer[trailerBatch] = batchSpeedb
	}
	return f
}

func (f *format) BodyBytes() uint64 { return f.body }

func (f *format) MaxBodyBytes() uint64 { return maxBodyBytes(f.batchBlocks) }

func (f *format) Trailer() []byte { return f.trailer[:] }

// NearBytes is the size at which both ways take the same time on a Zen 4 (L2 1 MiB). At
// 4 MiB hashes in any order take 1.2 times as long in AVX-512, 1.5 times in AVX2.
func (f *format) NearBytes() uint64 { return 1 << 20 }

func (f *format) UnitBlocks() int { return f.batchBlocks }

func (f *format) Reader(body []byte) building.Reader {
	kernel := asm.NewPaired(body, f.batchBlocks, f.probes)
	return &kernel
}
