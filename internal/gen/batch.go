package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

const (
	octet     = 8  // keys, whose answers fill a byte
	wordKeys  = 64 // keys, whose answers fill a word
	hashBytes = 8
	lineBytes = 64

	soon = 2 * octet // the distance of the second prefetch

	// Twice the masks of 64 keys, and their answers.
	roomBytes = 2*wordKeys*4 + wordKeys
)

// A batch is what the batch kernels of every level share. They answer 64 keys at
// a time, and what remains an octet at a time.
type batch struct {
	*kernel.Function
	hits, body, size, probes, multipliers, hashes, n, ahead reg.Register

	room  Mem  // on the stack
	bools bool // instead of bits
}

// evaluator emits the probes of an octet of keys. The keys' hashes are in a row,
// block emits the address of a key's block.
type evaluator interface {
	// mask stores width bytes for each key, which are all ones if the key may
	// have been added.
	mask(hashes Mem, block func(key int) Mem, to Mem)
	width() int
	// bits turns the masks of 64 keys into a word of answers, bools into bytes.
	bits(masks, to Mem)
	bools(masks, to Mem)
	// answer returns the octet's answers at once.
	answer(hashes Mem, block func(key int) Mem) reg.GPVirtual
}

// newBatch begins a function that answers n keys. It prefetches the lines of the
// keys that are ahead by so many, unless that is 0, to the second-level cache, and
// those of the keys that come soon from there.
func newBatch(f *kernel.File, level kernel.Level, name string, bools bool) *batch {
	hits, answers := "*uint64", "at least one, in as many bits: whole bytes of them are written."
	if bools {
		hits, answers = "*bool", "at least eight, in as many bools."
	}
	fn := f.Function(level, name, "func(f *FastLocal, hits "+hits+", hashes *uint64, n, ahead int)",
		name+" answers n hashes, "+answers,
		"Lines are prefetched so many hashes ahead, at least 16, which must be there behind the n,",
		"unless ahead is 0.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	filter := param("f")
	field := func(name string, offset int) reg.Register {
		r := fn.GP64()
		fn.MOVQ(fn.Field(filter, "FastLocal", name).Offset(offset), r)
		return r
	}
	b := &batch{
		fn, param("hits"), field("body", 0), field("body", 8), field("probes", 0), field("multipliers", 0),
		param("hashes"), param("n"), param("ahead"), fn.AllocLocal(roomBytes), bools,
	}

	if !bools {
		b.moveFew()
	}
	return b
}

// moveFew moves less than eight keys to the end of an octet on the stack, behind
// whatever is there: every hash has a block.
func (b *batch) moveFew() {
	b.XORL(reg.ECX, reg.ECX)
	b.CMPQ(b.n, U8(octet))
	b.JAE(LabelRef("choose"))
	key, hash, to := b.GP64(), b.GP64(), b.GP64()
	b.MOVQ(b.n, key)
	b.LEAQ(b.room, to)
	b.shiftOut()
	b.LEAQ(Mem{Base: to, Index: reg.RCX, Scale: hashBytes}, to)
	b.Label("move")
	b.MOVQ(Mem{Base: b.hashes, Index: key, Scale: hashBytes, Disp: -hashBytes}, hash)
	b.MOVQ(hash, Mem{Base: to, Index: key, Scale: hashBytes, Disp: -hashBytes})
	b.DECQ(key)
	b.JNZ(LabelRef("move"))
	b.LEAQ(b.room, b.hashes)
	b.Label("choose")
}

// shiftOut makes n, which is less than an octet, a whole one, with the answers
// that are too many to be shifted out.
func (b *batch) shiftOut() {
	b.MOVL(U32(octet), reg.ECX)
	b.SUBL(b.n.(reg.GPVirtual).As32(), reg.ECX)
	b.MOVQ(U32(octet), b.n)
}

// block returns the block of a hash.
func (b *batch) block(hash Mem) Mem {
	line := b.line(hash)
	b.ANDQ(I8(-64), line.Index)
	return line
}

// line returns an address in the line of a hash. (h1*blocks >> 32) * 64 is
// h1*size >> 32 without its low bits.
func (b *batch) line(hash Mem) Mem {
	at := b.GP64()
	b.MOVL(hash, at.As32())
	b.IMULQ(b.size, at)
	b.SHRQ(U8(32), at)
	return Mem{Base: b.body, Index: at, Scale: 1}
}

// nextOctet moves on by an octet, but not behind the last one.
func (b *batch) nextOctet(hashes reg.Register, last Op) {
	b.ADDQ(U8(hashBytes*octet), hashes)
	b.notBehind(hashes, last)
}

func (b *batch) notBehind(hashes reg.Register, last Op) {
	b.CMPQ(hashes, last)
	b.CMOVQHI(last, hashes)
}

// both prefetches the lines that a block begins and ends in.
func (b *batch) both(prefetch func(Op), block Mem) {
	prefetch(block)
	prefetch(block.Offset(lineBytes - 1))
}

// upTo begins the code for at most so many probes; more jump to the label.
func (b *batch) upTo(probes int, more string) {
	b.CMPQ(b.probes, U8(uint8(probes)))
	b.JA(LabelRef(more))
}

// loops emits the loops for one number of probes.
func (b *batch) loops(label string, e evaluator) {
	b.CMPQ(b.n, U8(wordKeys))
	b.JB(LabelRef(label + "Octets"))
	b.TESTQ(b.ahead, b.ahead)
	b.JNZ(LabelRef(label + "Ahead"))
	b.words(label+"Words", e, func(hash Mem) Mem { return b.block(hash) })
	b.JMP(LabelRef(label + "Rest"))
	b.Label(label + "Ahead")
	b.TESTQ(U32(lineBytes-1), b.body)
	b.JNZ(LabelRef(label + "Across"))
	b.words(label+"Along", e, func(hash Mem) Mem {
		block := b.block(hash)
		b.PREFETCHT1(b.line(hash.Idx(b.ahead, hashBytes)))
		b.PREFETCHT0(b.line(hash.Offset(hashBytes * soon)))
		return block
	})
	b.JMP(LabelRef(label + "Rest"))
	// Every block lies across two lines.
	b.words(label+"Across", e, func(hash Mem) Mem {
		block := b.block(hash)
		b.both(b.PREFETCHT1, b.block(hash.Idx(b.ahead, hashBytes)))
		b.both(b.PREFETCHT0, b.block(hash.Offset(hashBytes*soon)))
		return block
	})
	b.Label(label + "Rest")
	b.TESTQ(b.n, b.n)
	b.JZ(LabelRef("done"))
	b.CMPQ(b.n, U8(octet))
	b.JB(LabelRef(label + "Last"))
	b.octets(label, e)
}

// words emits the loop over 64 keys at a time. Their masks become answers when
// those of the next 64 have been stored: before they are through the store
// buffer, reading them in one piece would have to wait.
func (b *batch) words(label string, e evaluator, block func(hash Mem) Mem) {
	masks := wordKeys * e.width()
	if 2*masks+wordKeys > roomBytes {
		panic("the masks do not fit the room") // a mistake in the generator
	}
	unroll := 2
	if e.width() > 1 {
		unroll = 1
	}
	b.Label(label)
	gather, gathered := e.bits, wordKeys/8
	if b.bools {
		gather, gathered = e.bools, wordKeys
	}
	buffer, other, to, octets := b.GP64(), b.GP64(), b.GP64(), b.GP32()
	b.LEAQ(b.room, buffer)
	b.LEAQ(b.room.Offset(2*masks), to) // where the answers from no masks go
	b.XORL(other.As32(), other.As32())

	b.Label(label + "Next")
	b.MOVL(U32(wordKeys/octet/unroll), octets)
	b.Label(label + "Octets")
	for i := range unroll {
		hashes := Mem{Base: b.hashes, Disp: hashBytes * octet * i}
		e.mask(hashes, func(key int) Mem { return block(hashes.Offset(hashBytes * key)) },
			Mem{Base: buffer, Index: other, Scale: 1, Disp: octet * e.width() * i})
	}
	b.ADDQ(U8(octet*e.width()*unroll), buffer)
	b.SUBQ(I8(-hashBytes*octet*unroll), b.hashes)
	b.DECL(octets)
	b.JNZ(LabelRef(label + "Octets"))
	b.SUBQ(U32(uint32(masks)), buffer)
	b.XORQ(U32(uint32(masks)), other)
	gather(Mem{Base: buffer, Index: other, Scale: 1}, Mem{Base: to})
	b.MOVQ(b.hits, to)
	b.ADDQ(U8(uint8(gathered)), b.hits)
	b.SUBQ(U8(wordKeys), b.n)
	b.CMPQ(b.n, U8(wordKeys))
	b.JAE(LabelRef(label + "Next"))
	b.XORQ(U32(uint32(masks)), other)
	gather(Mem{Base: buffer, Index: other, Scale: 1}, Mem{Base: to})
}

// octets emits the loop over eight keys at a time. A last octet that is not full
// takes in keys before it, whose answers are shifted out, or given again.
func (b *batch) octets(label string, e evaluator) {
	b.Label(label + "Octets")
	hashes := Mem{Base: b.hashes}
	answers := e.answer(hashes, func(key int) Mem { return b.block(hashes.Offset(hashBytes * key)) })
	if b.bools {
		b.MOVQ(b.bytes(answers), Mem{Base: b.hits})
		b.ADDQ(U8(octet), b.hits)
	} else {
		b.SHRL(reg.CL, answers.As32())
		b.MOVB(answers.As8(), Mem{Base: b.hits})
		b.INCQ(b.hits)
	}
	b.ADDQ(U8(hashBytes*octet), b.hashes)
	b.SUBQ(U8(octet), b.n)
	b.JZ(LabelRef("done"))
	b.CMPQ(b.n, U8(octet))
	b.JAE(LabelRef(label + "Octets"))
	b.Label(label + "Last")
	b.LEAQ(Mem{Base: b.hashes, Index: b.n, Scale: hashBytes, Disp: -hashBytes * octet}, b.hashes)
	if b.bools {
		b.LEAQ(Mem{Base: b.hits, Index: b.n, Scale: 1, Disp: -octet}, b.hits)
		b.MOVQ(U32(octet), b.n)
	} else {
		b.shiftOut()
	}
	b.JMP(LabelRef(label + "Octets"))
}

// bytes turns the bits of an octet into bytes.
func (b *batch) bytes(octet reg.GPVirtual) reg.Register {
	bits := octet.As64()
	b.IMULQ(b.Words("lowest", 0x0101010101010101), bits)
	b.ANDQ(b.Words("diagonal", 0x8040201008040201), bits)
	b.ADDQ(b.Words("allButTop", 0x7f7f7f7f7f7f7f7f), bits)
	b.SHRQ(U8(7), bits)
	b.ANDQ(b.Words("lowest", 0x0101010101010101), bits)
	return bits
}

func (b *batch) done() {
	b.Label("done")
	b.VZEROUPPER()
	b.RET()
}

// prefetchLines emits what a batch begins with whose lines are far away.
func prefetchLines(f *kernel.File) {
	fn := f.Function(kernel.Base, "prefetchLines", "func(body *byte, size uint64, hashes *uint64, n int)",
		"prefetchLines asks for the lines of n hashes, at least one.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	b := &batch{Function: fn, body: param("body"), size: param("size"), hashes: param("hashes"), n: param("n")}
	b.Label("keys")
	b.both(b.PREFETCHT1, b.block(Mem{Base: b.hashes}))
	b.ADDQ(U8(hashBytes), b.hashes)
	b.DECQ(b.n)
	b.JNZ(LabelRef("keys"))
	b.RET()
}
