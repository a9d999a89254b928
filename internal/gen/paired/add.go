package paired

import (
	"slices"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/blocks"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// pairs emits where both blocks of a key of a paired filter are, whatever the level.
type pairs struct {
	*blocks.Adder
	numbers, own Mem // on the stack: the bits of an offset that number a block in its batch, and the others
	shape        func(name string) Mem
}

func newPairs(a *blocks.Adder) *pairs {
	p := &pairs{Adder: a, numbers: a.Fn.AllocLocal(8), own: a.Fn.AllocLocal(8)}
	a.Fn.SHRQ(U8(1), a.Probes) // of one block
	p.shape = shapeOf(a.Fn, a.Field("own"))
	numbers := a.Fn.GP64()
	a.Fn.MOVL(p.shape("numbers"), numbers.As32())
	a.Fn.MOVQ(numbers, p.numbers)
	a.Fn.MOVL(p.shape("offsets"), numbers.As32())
	a.Fn.NOTQ(numbers)
	a.Fn.MOVQ(numbers, p.own)
	return p
}

func (p *pairs) LocateKey(hash, offsets Mem) {
	own, pair, lower := p.Block(hash), p.Fn.GP64(), p.Fn.GP64()
	at := own.Index.(reg.GPVirtual)
	p.Fn.MOVBLZX(own, pair.As32())
	p.Fn.ANDQ(p.numbers, pair)
	p.Fn.SHLQ(U8(6), pair)
	p.Fn.MOVQ(p.own, lower)
	p.Fn.ANDQ(at, lower)
	p.Fn.ORQ(lower, pair)
	p.Fn.MOVQ(pair, lower)
	p.Fn.CMPQ(at, pair)
	p.Fn.CMOVQCS(at, lower)
	p.Fn.CMOVQCS(pair, at)
	p.Fn.SHLQ(U8(32), at)
	p.Fn.ORQ(lower, at)
	p.Fn.MOVQ(at, offsets)
}

// block returns a block of a key of an octet: the lower one or the higher.
func (p *pairs) block(half, key int, offsets Mem) Mem {
	offset := p.Fn.GP64()
	p.Fn.MOVL(offsets.Offset(8*key+4*half), offset.As32())
	return Mem{Base: p.Body, Index: offset, Scale: 1}
}

// pairedRowsOf are the numbers of rows of which there is code.
var pairedRowsOf = []int{1, 2}

func add512(f *kernel.File) {
	a := blocks.NewAdder(f, kernel.AVX512, "pairedAddAVX512")
	a.Allocate(2 * slices.Max(pairedRowsOf) * blocks.Row512Bytes)
	r, p := blocks.NewRows512(a.Fn, 4), newPairs(a)
	sets := newSets512(a.Fn, p.shape("indexed"), p.shape("spread"))
	a.ForRows(pairedRowsOf, func(label string, rows int) {
		a.Loops(label, &rows512{p, r, sets, rows, r.FactorsOf(a.Multipliers, 1)})
	})
}

func add256(f *kernel.File) {
	a := blocks.NewAdder(f, kernel.AVX2, "pairedAddAVX2")
	a.Allocate(2 * slices.Max(pairedRowsOf) * shared.Octet * blocks.RowsBytes)
	b, p, n := blocks.NewBytes256(a.Fn), newPairs(a), a.Fn.AllocLocal(8)
	a.Fn.MOVQ(a.Probes, n)
	sets := newSets256(a.Fn, p.shape("indexed"), p.shape("spread"))
	a.ForRows(pairedRowsOf, func(label string, rows int) { a.Loops(label, &rows256{p, b, sets, n, rows}) })
}
