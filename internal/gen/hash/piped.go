package hash

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// PairBytes is the size of keys of two words.
const PairBytes = 16

// Piped emits XXH64 of keys of one word, which are one behind the other, or of the two words of slices, eight at a
// time, in stages. In a loop, each stage is at other keys, so that their instructions do not wait for each other: one
// octet's products take 116 cycles one after the other, and schedulers (97 instructions on Emerald Rapids) hold not
// much more than an octet's. Hashing alone takes 1.34 ns a key in stages and 1.58 without (Emerald Rapids).
type Piped struct {
	fn        *kernel.Function
	first     *OctetHasher // whose sum is that before the words
	sums      *OctetHasher
	last      *OctetHasher
	low, high keyLanes // mixed words
	mixed     []keyLanes
	words     int // of a key
}

// PipedStages is the number of stages: a hash is stored so many octets after its key, less one, was loaded.
const PipedStages = 3

// NewPiped emits the constants.
func NewPiped(fn *kernel.Function, words int) *Piped {
	h := NewOctetHasher(fn, true)
	with := func() *OctetHasher {
		other := *h
		other.sum = h.registers(1)
		return &other
	}
	p := &Piped{fn: fn, first: with(), sums: with(), last: with(), low: h.registers(1), high: h.registers(1), words: words}
	length := fn.GP64()
	fn.MOVL(U32(uint32(words*shared.HashBytes)), length.As32())
	p.first.fillLength(length)
	for i := range words {
		p.mixed = append(p.mixed, h.registers(1))
		fn.VPXORQ(p.mixed[i][0], p.mixed[i][0], p.mixed[i][0])
	}
	fn.VPXORQ(p.last.sum[0], p.last.sum[0], p.last.sum[0])
	return p
}

// Unlike jumps to the label unless the eight slices have 16 bytes each.
func (p *Piped) Unlike(keys reg.Register, label string) {
	for i := range shared.Octet {
		p.fn.CMPQ(Mem{Base: keys, Disp: i*SliceBytes + shared.HashBytes}, U8(PairBytes))
		p.fn.JNE(LabelRef(label))
	}
}

// KeyBytes returns how far keys, or their slices, are apart.
func (p *Piped) KeyBytes() int {
	if p.words == 1 {
		return shared.HashBytes
	}
	return SliceBytes
}

// Mix is the first stage: it loads eight keys, and mixes their words.
func (p *Piped) Mix(keys reg.Register) {
	if p.words == 1 {
		p.fn.VMOVDQU64(Mem{Base: keys}, p.low[0])
		p.sums.mixWord(p.low)
		return
	}
	key := func(i int) Mem {
		x := p.fn.GP64()
		p.fn.MOVQ(Mem{Base: keys, Disp: i * SliceBytes}, x)
		return Mem{Base: x}
	}
	even, odd := p.sums.rows(0, key), p.sums.rows(1, key)
	p.fn.VPUNPCKLQDQ(odd, even, p.low[0])
	p.fn.VPUNPCKHQDQ(odd, even, p.high[0])
	p.mix()
}

func (p *Piped) mix() { p.sums.mixWord(keyLanes{p.low[0], p.high[0]}) }

// pairs512 emits the kernel of keys of 16 bytes that are one behind the other.
func pairs512(f *kernel.File) {
	const name = "hashPairsAVX512"
	fn := f.Function(kernel.AVX512, name, "func(hashes *uint64, pairs *[16]byte, n int)",
		name+" is HashPairs of n keys, which are whole eights. It may first set other first hashes.")
	param := func(name string) reg.GPVirtual { return fn.Load(fn.Param(name), fn.GP64()).(reg.GPVirtual) }
	hashes, pairs, n, behind, to := param("hashes"), param("pairs"), param("n"), fn.GP64(), fn.GP64()
	p := NewPiped(fn, 2)
	lows, highs, last := fn.ZMM(), fn.ZMM(), fn.GP64()
	fn.VMOVDQU64(fn.Words("firstWords", 0, 2, 4, 6, 8, 10, 12, 14), lows)
	fn.VMOVDQU64(fn.Words("secondWords", 1, 3, 5, 7, 9, 11, 13, 15), highs)
	const octetBytes = shared.Octet * shared.HashBytes
	fn.MOVQ(n, last)
	fn.SHLQ(U8(4), last)
	fn.LEAQ(Mem{Base: pairs, Index: last, Scale: 1, Disp: -2 * octetBytes}, last)
	fn.LEAQ(Mem{Base: hashes, Disp: -(PipedStages - 1) * octetBytes}, behind)
	fn.ADDQ(U8((PipedStages-1)*shared.Octet), n)
	fn.Label("octets")
	fn.MOVQ(behind, to)
	fn.CMPQ(to, hashes)
	fn.CMOVQCS(hashes, to)
	fn.Interleave(func() { p.Finish(Mem{Base: to}) }, func() {
		fn.Interleave(p.Add, func() {
			first := fn.ZMM()
			fn.VMOVDQU64(Mem{Base: pairs}, first)
			fn.VMOVDQA64(lows, p.low[0])
			fn.VMOVDQA64(highs, p.high[0])
			fn.VPERMI2Q(Mem{Base: pairs, Disp: octetBytes}, first, p.low[0])
			fn.VPERMI2Q(Mem{Base: pairs, Disp: octetBytes}, first, p.high[0])
			p.mix()
		})
	})
	p.Next()
	fn.ADDQ(U8(octetBytes), behind)
	fn.ADDQ(U32(2*octetBytes), pairs)
	fn.CMPQ(pairs, last)
	fn.CMOVQHI(last, pairs)
	fn.SUBQ(U8(shared.Octet), n)
	fn.JNZ(LabelRef("octets"))
	fn.VZEROUPPER()
	fn.RET()
}

// Add is the second stage: it adds the words to the sum.
func (p *Piped) Add() {
	p.first.foldWord(p.mixed[0])
	p.fn.VPADDQ(p.sums.prime(xxPrime4), p.mixed[0][0], p.sums.sum[0])
	if p.words > 1 {
		p.sums.addWord(p.mixed[1])
	}
}

// Finish is the last stage.
func (p *Piped) Finish(hashes Mem) {
	p.last.avalanche()
	p.last.store(p.last.sum, hashes)
}

// Next hands every octet on to the next stage.
func (p *Piped) Next() {
	p.last.set(p.sums.sum, p.last.sum)
	for i, mixed := range p.mixed {
		p.last.set([]keyLanes{p.low, p.high}[i], mixed)
	}
}
