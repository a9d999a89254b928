package hash

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// stripedKeys are hashed stripe by stripe.
type stripedKeys struct {
	*octetKeys
	left keyLanes // the stripes to be hashed
}

func newStripedKeys(fn *kernel.Function, wide bool, primes ...uint64) *stripedKeys {
	h := &stripedKeys{octetKeys: newOctetKeys(fn, wide, primes...)}
	h.left = h.slotted()
	return h
}

// jumpUnlessAlike jumps if not all keys have the same number of stripes.
func (h *stripedKeys) jumpUnlessAlike(label string) {
	fn := h.fn
	first := h.vector()
	if h.wide {
		var alike marks
		fn.VPBROADCASTQ(h.left[0].(reg.VecVirtual).AsX(), first)
		for _, x := range h.left {
			mask := fn.K()
			fn.VPCMPEQQ(first, x, mask)
			alike.masks = append(alike.masks, mask)
		}
		h.jumpUnlessAll(alike, label)
		return
	}
	fn.VPBROADCASTQ(h.left[0], first)
	alike := h.registers(h.vectors())
	for i, x := range alike {
		fn.VPCMPEQQ(h.left[i], first, x)
	}
	h.jumpUnlessAll(marks{all: alike}, label)
}

// count returns the number of stripes of the first key.
func (h *stripedKeys) count() reg.GPVirtual {
	left := h.fn.GP64()
	if h.wide {
		h.fn.VMOVQ(h.left[0].(reg.VecVirtual).AsX(), left)
	} else {
		h.fn.MOVQ(h.left[0], left)
	}
	return left
}

// stripes adds stripes, of which every key has the given number. For each vector, begin returns what adds the words of
// a stripe, and what ends the sum.
func (h *stripedKeys) stripes(number reg.GPVirtual, begin func(vector int) (add func(i int, word Op), end func())) {
	fn := h.fn
	for vector := range h.vectors() {
		label, left, at := fmt.Sprint("stripes", vector), fn.GP64(), fn.GP64()
		add, end := begin(vector)
		fn.MOVQ(number, left)
		fn.XORL(at.As32(), at.As32())
		fn.Label(label)
		h.transposed(vector, func(key int) Mem { return Mem{Base: h.base(key), Index: at, Scale: 1} }, add)
		fn.ADDQ(U8(stripeBytes), at)
		fn.DECQ(left)
		fn.JNZ(LabelRef(label))
		end()
	}
}

// mixedStripes is stripes of keys that have different numbers of them. Words are added to the sums of active lanes.
// Those of keys that have no such stripe load zeros. The sums of a pair of octets are ended together, interleaved with
// something else.
func (h *stripedKeys) mixedStripes(begin func(vector int, active marks) (add func(i int, word Op), end func()), among func()) {
	fn := h.fn
	zeros, at := fn.GP64(), fn.GP64()
	fn.LEAQ(h.zeros(), zeros)
	var ends []func()
	for vector := range h.vectors() {
		label := fmt.Sprint("mixed", vector)
		left := h.left[vector : vector+1]
		active := h.moreThan(0, left)
		var add func(i int, word Op)
		var end func()
		if h.octets > 1 {
			add, end = begin(vector, active)
		}
		h.jumpIfNone(active, label+"Done")
		if h.octets == 1 {
			add, end = begin(vector, active)
		}
		fn.MOVL(U32(stripeBytes), at.As32())
		fn.Label(label)
		h.transposed(vector, func(key int) Mem {
			from := h.base(key)
			fn.LEAQ(Mem{Base: from, Index: at, Scale: 1, Disp: -stripeBytes}, from)
			fn.CMPQ(h.size(key), at)
			fn.CMOVQCS(zeros, from)
			return Mem{Base: from}
		}, add)
		fn.ADDQ(U8(stripeBytes), at)
		h.countDown(left, active)
		h.jumpIfAny(active, label)
		if h.octets == 1 {
			end()
		}
		fn.Label(label + "Done")
		ends = append(ends, end)
	}
	if h.octets > 1 {
		fn.Interleave(func() { fn.Interleave(ends[0], ends[1]) }, among)
	}
}
