package simdbloom

import (
	"fmt"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/batches"
)

// wantedHashes is the state of a Candidates iteration: the hashes that are looked up in
// one filter after another until the caller clears their bits.
//
// At first these are the caller's hashes themselves. As soon as more than an eighth of them
// is no longer wanted, the others are packed into other memory, and only they are looked
// up. Until then, answers for hashes that are not wanted are masked.
type wantedHashes struct {
	words []uint64 // room for the answers of Hashes

	all  []uint64 // the caller's hashes
	bits []uint64 // the caller's bitmap, which may have bits beyond the last hash

	hashes []uint64 // room for packed ones
	places []int    // the index of each of these in all
	packed int      // the number of packed hashes, or -1 while all are looked up
}

// wantedMemory is the memory of a wantedHashes for few hashes, on the stack.
type wantedMemory struct {
	words  [(fewWanted + 63) / 64]uint64
	hashes [fewWanted]uint64
	places [fewWanted]int
}

// fewWanted is the largest number of hashes that wantedMemory is enough for.
const fewWanted = 64

// checkWanted panics if the bitmap has less than a bit for each hash. It is not inlined, so
// that Candidates is, whose iterator then stays on its caller's stack.
//
//go:noinline
func checkWanted(hashes, wanted []uint64) {
	if words := asm.Words(len(hashes)); len(wanted) < words {
		panic(fmt.Sprintf("simdbloom: len(wanted) is %d, but %d hashes need %d words", len(wanted), len(hashes), words))
	}
}

// newWanted returns the state before the first filter. Without room, which is for few
// hashes, its memory is on the heap.
func newWanted(hashes, wanted []uint64, room *wantedMemory) wantedHashes {
	w := wantedHashes{all: hashes, bits: wanted[:asm.Words(len(hashes))], packed: -1}
	if room != nil {
		w.words, w.hashes, w.places = room.words[:], room.hashes[:], room.places[:]
	} else {
		w.words = make([]uint64, len(w.bits))
	}
	return w
}

// Hashes are to be looked up in the next filter.
func (w *wantedHashes) Hashes() []uint64 {
	if w.packed < 0 {
		return w.all
	}
	return w.hashes[:w.packed]
}

// Update reads which bits the caller has cleared. It reports whether
// any hash is still wanted.
func (w *wantedHashes) Update() bool {
	left, looked := w.left(), len(w.Hashes())
	if left < looked-looked/8 {
		w.pack(left)
	}
	return left > 0
}

// left counts the hashes that are still wanted.
func (w *wantedHashes) left() int {
	n := batches.Ones(w.bits)
	if beyond := len(w.all) % 64; beyond > 0 {
		n -= bits.OnesCount64(w.bits[len(w.bits)-1] >> beyond)
	}
	return n
}

// pack makes Hashes those that are still wanted. They are the first whose bits are
// set: bits beyond the last hash come behind them.
func (w *wantedHashes) pack(left int) {
	if len(w.places) < left {
		w.hashes, w.places = make([]uint64, left), make([]int, left) // later, fewer are left
	}
	n := 0
	for i, word := range w.bits {
		for ; word != 0 && n < left; word &= word - 1 {
			place := 64*i + bits.TrailingZeros64(word)
			w.hashes[n], w.places[n] = w.all[place], place
			n++
		}
	}
	w.packed = n
}

// AppendCandidates appends the index, among all hashes, of each that is still wanted and
// whose answer in words is yes.
func (w *wantedHashes) AppendCandidates(dst []int) []int {
	if w.packed < 0 {
		for i, word := range w.bits {
			w.words[i] &= word
		}
		return batches.AppendIndexes(dst, w.words, 0, len(w.all))
	}
	dst = batches.AppendIndexes(dst, w.words, 0, w.packed)
	n := 0
	for _, index := range dst {
		place := w.places[index]
		dst[n] = place
		n += int(w.bits[place/64] >> (place % 64) & 1)
	}
	return dst[:n]
}
