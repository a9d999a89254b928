package simdbloom

import (
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/formats"
)

// FoldTo halves the filter as long as its EstimatedFPR stays at most fpr, and returns how many times that
// was. A filter whose rate is above fpr as it is stays so. Each time it becomes, bit for bit, the filter of half the
// blocks to which the same keys were added, and its Capacity is halved, too. So a filter can be made for the most keys
// that may come, and folded when they have come.
//
// An odd number of blocks cannot be halved. Make the filter by [WithSizeBytes] of a power of two of blocks, such as
// 1<<24+5 bytes for FastLocal or 1<<24 for SplitBlock.
//
// It computes the rate after each time, which costs up to tens of nanoseconds a cache line, and writes the folded
// filter into new memory, half as much each time. All bits of the old memory are set.
func (m *Mutable) FoldTo(fpr float64) (times int) {
	for most := m.mostFolds(); times < most && m.foldedFPR() <= fpr; times++ {
		m.fold()
	}
	return times
}

// mostFolds returns how often the number of blocks can be halved.
func (m *Mutable) mostFolds() int {
	body := len(m.kernel.Body())
	if body == 0 {
		return 0
	}
	return bits.TrailingZeros(uint(body) / uint(m.formatAdder().Layout.BlockBytes))
}

// fold halves the filter. Where n blocks have become n/2, a hash of block i belongs to block i/2.
func (m *Mutable) fold() {
	of, body := m.formatAdder(), m.kernel.Body()
	from, half := of.Layout.HeaderBytes, len(body)/2
	data := aligned.Make(len(m.data) - half)
	copy(data[from+half:], m.data[from+len(body):])
	foldInto(append(data[:0], m.data[:from]...), body, int(of.Layout.BlockBytes))
	of.Frame(data, m.kernel.Shape().Probes)
	m.abandon()
	m.data = data
	m.capacity /= 2
	m.prepareAgain(half)
}

// foldedFPR returns the EstimatedFPR of the folded filter.
func (m *Mutable) foldedFPR() (rate float64) {
	var room [formats.PieceBytes]byte
	of, body := m.formatAdder(), m.kernel.Body()
	for from := 0; from < len(body); from += 2 * len(room) {
		pairs := body[from:min(from+2*len(room), len(body))]
		folded := foldInto(room[:0], pairs, int(of.Layout.BlockBytes))
		rate += formats.EstimatedOfBlocks(asm.Format(m.format), folded, m.kernel.Shape().Probes) * float64(len(pairs)) / float64(len(body))
	}
	return rate
}

// foldInto appends to dst the bits of each pair of blocks, in one.
func foldInto(dst, blocks []byte, blockBytes int) []byte {
	for len(blocks) > 0 {
		at := len(dst)
		dst = append(dst, blocks[:blockBytes]...)
		asm.Or(dst[at:], blocks[blockBytes:2*blockBytes])
		blocks = blocks[2*blockBytes:]
	}
	return dst
}
