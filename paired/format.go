package paired

import (
	"math"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/answers"
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
// Speedb's choice (CalcNumProbes), whole-number division included, but for the
// few lowest settings, where Speedb's 0 would make a filter that matches all.
func numProbes(millibits, batchBlocks int) int {
	bloomBits := millibits * (blockBits - indexBits(batchBlocks)) / blockBits / 1000
	half := int(math.Ceil(math.Ln2 * float64(bloomBits) / 2))
	return min(2*max(half, 1), asm.MaxProbes)
}

// indexBits returns how many bits of each block are its pair index.
func indexBits(batchBlocks int) int { return bits.Len(uint(batchBlocks)) - 1 }

// format is the layout of a builder's filters.
type format struct {
	layout
	millibits int
	probes    int
	trailer   [trailerBytes]byte
}

// layout is what options choose.
type layout struct {
	batchBlocks int
	roundDown   bool
}

func newFormat(millibits int, l layout) *format {
	f := &format{layout: l, millibits: millibits, probes: numProbes(millibits, l.batchBlocks)}
	f.trailer[trailerType] = typePaired
	f.trailer[trailerProbes] = byte(f.probes)
	if l.batchBlocks == publishedBlocks {
		f.trailer[trailerBatch] = batchPublished
	} else {
		f.trailer[trailerBatch] = batchSpeedb
	}
	return f
}

func (l layout) batchBytes() uint64 { return uint64(l.batchBlocks) * asm.BlockBytes }

func (f *format) BodyBytes(hashes uint64) uint64 {
	bytes := building.TotalMillibits(hashes, f.millibits) / 8000
	if !f.roundDown {
		bytes += f.batchBytes() - 1
	}
	return max(bytes/f.batchBytes(), 1) * f.batchBytes()
}

func (f *format) MaxBodyBytes() uint64 { return asm.MaxBodyBytes / f.batchBytes() * f.batchBytes() }

func (f *format) Trailer() []byte { return f.trailer[:] }

func (f *format) UnitBlocks() int { return f.batchBlocks }

func (f *format) Fill(body []byte, part building.Part) {
	from, to := part.Blocks()
	counts := make([]uint16, to-from)
	for hashes := range part.Hashes() {
		asm.PairedCount(counts, from, uint32(len(body)/asm.BlockBytes), hashes)
	}
	asm.PairedSetPairs(body[int(from)*asm.BlockBytes:int(to)*asm.BlockBytes], f.batchBlocks, counts)
	for hashes := range part.Hashes() {
		asm.PairedAdd(body, f.batchBlocks, f.probes, hashes)
	}
}

func (f *format) Reader(body []byte) answers.Reader {
	return answers.Paired(body, f.batchBlocks, f.probes)
}
