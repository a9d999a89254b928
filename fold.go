package simdbloom

import (
	"fmt"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/formats"
)

// Fold halves the filter the given number of times, with all of its keys: it becomes, bit for bit, the
// filter of the remaining blocks to which the same keys were added. So a filter can be made for the most keys that
// may come, and folded when they have come. Capacity is halved each time, too.
//
// It is an error, and changes nothing, unless 2 to the power of times divides the number of blocks: the b of the
// [Format]'s sizes. It writes the folded filter into new memory, half as much each time, and sets all bits of the old.
//
// It reads and writes the whole filter, at a nanosecond or two a cache line in the caches.
func (m *Mutable) Fold(times int) error {
	most := m.mostFolds()
	if times < 0 || times > most {
		return wrap(fmt.Errorf("a filter of %d bytes can be folded up to %d times, not %d", m.SizeBytes(), most, times))
	}
	for range times {
		m.fold()
	}
	return nil
}

// FoldTo folds the filter as long as its EstimatedFPR stays at most fpr, and returns how many times that
// was. A filter whose rate is above fpr as it is stays so.
//
// An odd number of blocks cannot be halved. Make the filter for bloom.KeysFor(1<<24+5, bitsPerKey) keys, or
// splitblock.KeysFor(1<<24, bitsPerKey), and its number of blocks is a power of two.
//
// It computes the rate after each time, which costs up to tens of nanoseconds a cache line.
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
