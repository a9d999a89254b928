package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

const (
	octet     = 8 // keys, whose answers fill a byte
	quad      = octet / 2
	wordKeys  = 64 // keys, whose answers fill a word
	hashBytes = 8
	lineBytes = 64

	soon = 2 * octet // the distance of the second prefetch

	// Twice the masks of 64 keys, and their answers.
	scratchBytes = 2*wordKeys*4 + wordKeys
)

// A batch has what the batch kernels of all levels share. They answer 64 keys at a time,
// and the remaining ones an octet at a time.
type batch struct {
	fn                                                      *kernel.Function
	hits, body, size, probes, multipliers, hashes, n, ahead reg.Register

	asBools Mem  // the argument: nil if the answers are bits
	scratch Mem  // on the stack
	across  bool // has loops for far blocks that lie across two lines
	split   bool // blocks have 32 bytes, and the high half of a hash chooses its block
}

// evaluator emits the probes of an octet of keys. The keys' hashes are in a row,
// block emits the address of a hash's block.
type evaluator interface {
	// mask stores width bytes for each key, all ones if the key may have been
	// added.
	mask(hashes Mem, block func(hash Mem) Mem, to Mem)
	width() int
	// compare looks at the masks of 64 keys. It returns functions that store
	// the answers, as a word of bits or as 64 bytes.
	compare(masks Mem) (bits, bools func(to Mem))
	// answer returns the octet's answers at once.
	answer(hashes Mem, block func(hash Mem) Mem) reg.GPVirtual
}

// newBatch begins a function that answers n keys. It prefetches the lines of the
// keys that are ahead by the given number, unless that is 0, to the second-level
// cache, and those of the keys that come soon from there.
func newBatch(f *kernel.File, level kernel.Level, name string, across bool) *batch {
	fn := f.Function(level, name, "func(k *Kernel, hashes *uint64, bits *uint64, bools *bool, n, ahead int)",
		name+" answers n hashes: at least one in bits, of which it writes whole bytes, or at",
		"least eight in bools. The other pointer is nil. If ahead is not 0, it prefetches the lines of",
		"hashes[i+ahead]: ahead is at least 16 then, and there are n+ahead hashes.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	filter := fieldOf(fn, param("k"))
	field := func(name string, offset int) reg.Register {
		r := fn.GP64()
		fn.MOVQ(filter(name).Offset(offset), r)
		return r
	}
	b := &batch{
		fn: fn, hits: param("bools"), body: field("body", 0), size: field("body", 8), probes: field("probes", 0),
		multipliers: field("multipliers", 0), hashes: param("hashes"), n: param("n"), ahead: param("ahead"),
		asBools: fn.Address(fn.Param("bools")), scratch: fn.AllocLocal(scratchBytes), across: across,
	}
	b.fn.XORL(reg.ECX, reg.ECX)
	b.fn.TESTQ(b.hits, b.hits)
	b.fn.JNZ(LabelRef("choose"))
	b.fn.MOVQ(fn.Address(fn.Param("bits")), b.hits)
	b.moveFew()
	b.fn.Label("choose")
	return b
}

// moveFew moves less than eight keys to the end of an octet on the stack, behind
// whatever is there: every hash has a block.
func (b *batch) moveFew() {
	b.fn.CMPQ(b.n, U8(octet))
	b.fn.JAE(LabelRef("choose"))
	b.fn.Comment("Fewer than eight hashes: they become the end of an octet on the stack.")
	key, hash, to := b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(b.n, key)
	b.fn.LEAQ(b.scratch, to)
	b.shiftOut()
	b.fn.LEAQ(Mem{Base: to, Index: reg.RCX, Scale: hashBytes}, to)
	b.fn.Label("move")
	b.fn.MOVQ(Mem{Base: b.hashes, Index: key, Scale: hashBytes, Disp: -hashBytes}, hash)
	b.fn.MOVQ(hash, Mem{Base: to, Index: key, Scale: hashBytes, Disp: -hashBytes})
	b.fn.DECQ(key)
	b.fn.JNZ(LabelRef("move"))
	b.fn.LEAQ(b.scratch, b.hashes)
}

// shiftOut makes n, which is less than an octet, a whole one. The answers that are too
// many are shifted out.
func (b *batch) shiftOut() {
	b.fn.MOVL(U32(octet), reg.ECX)
	b.fn.SUBL(b.n.(reg.GPVirtual).As32(), reg.ECX)
	b.fn.MOVQ(U32(octet), b.n)
}

// block returns the block of a hash.
func (b *batch) block(hash Mem) Mem {
	line := b.line(hash)
	if b.split {
		b.fn.ANDQ(I8(-splitBlockBytes), line.Index)
	} else {
		b.fn.ANDQ(I8(-lineBytes), line.Index)
	}
	return line
}

// line returns an address in the line of a hash. (h1*blocks >> 32) * 64 is
// h1*size >> 32 without its low bits.
func (b *batch) line(hash Mem) Mem { return b.lineFrom(b.body, hash) }

// lineFrom is line of a body that begins elsewhere.
func (b *batch) lineFrom(body reg.Register, hash Mem) Mem {
	at := b.fn.GP64()
	if b.split {
		hash = hash.Offset(hashBytes / 2)
	}
	b.fn.MOVL(hash, at.As32())
	b.fn.IMULQ(b.size, at)
	b.fn.SHRQ(U8(32), at)
	return Mem{Base: body, Index: at, Scale: 1}
}

// nextOctet moves on by an octet, but not behind the last one.
func (b *batch) nextOctet(hashes reg.Register, last Op) {
	b.fn.ADDQ(U8(hashBytes*octet), hashes)
	b.notBehind(hashes, last)
}

func (b *batch) notBehind(hashes reg.Register, last Op) {
	b.fn.CMPQ(hashes, last)
	b.fn.CMOVQHI(last, hashes)
}

// both prefetches the lines that a block begins and ends in.
func (b *batch) both(prefetch hint, block Mem) {
	prefetch(b.fn, block)
	prefetch(b.fn, block.Offset(lineBytes-1))
}

// upTo begins the code for at most the given number of probes; more jump to the label.
func (b *batch) upTo(probes int, more string) {
	b.fn.CMPQ(b.probes, U8(uint8(probes)))
	b.fn.JA(LabelRef(more))
}

// nearUnroll is how many octets a loop over near lines has in a round.
type nearUnroll int

// noNearLoop leaves near lines to the loop that prefetches.
const noNearLoop nearUnroll = 0

// loops emits the loops for one number of probes.
func (b *batch) loops(label string, e evaluator, near nearUnroll) {
	to := func(name string) LabelRef { return LabelRef(label + name) }
	b.fn.CMPQ(b.n, U8(wordKeys))
	b.fn.JB(to("Octets"))
	w := b.newWords(e)
	if near == noNearLoop {
		w.loop(label+"Words", 1, nil)
		b.fn.JMP(to("End"))
		b.prefetchOctet(label + "Words")
	} else {
		b.fn.TESTQ(b.ahead, b.ahead)
		b.fn.JNZ(to("Far"))
		b.fn.Comment("64 hashes at a time, whose lines are in a cache.")
		w.loop(label+"Near", int(near), func(Mem) {})
		b.fn.JMP(to("End"))
		b.fn.Label(label + "Far")
		w.far(label)
	}
	b.fn.Label(label + "End")
	w.last(label)
	b.fn.TESTQ(b.n, b.n)
	b.fn.JZ(LabelRef("done"))
	b.fn.CMPQ(b.n, U8(octet))
	b.fn.JB(to("Last"))
	b.octets(label, e)
}

// prefetchOctet emits where the loop over words goes before an octet if lines are to be
// prefetched. It prefetches both lines of each block, which may be the same.
func (b *batch) prefetchOctet(label string) {
	b.fn.Comment("Prefetch the lines that are ahead, and those that come soon.")
	key := b.fn.GP64()
	b.fn.Label(label + "Prefetch")
	b.fn.MOVQ(U64(octet), key)
	b.fn.Label(label + "PrefetchNext")
	hash := Mem{Base: b.hashes, Index: key, Scale: hashBytes, Disp: -hashBytes}
	ahead := b.fn.GP64()
	b.fn.LEAQ(hash, ahead)
	b.both(fromMemory, b.block(Mem{Base: ahead, Index: b.ahead, Scale: hashBytes}))
	b.both(fromCache, b.block(hash.Offset(hashBytes*soon)))
	b.fn.DECQ(key)
	b.fn.JNZ(LabelRef(label + "PrefetchNext"))
	b.fn.JMP(LabelRef(label + "Prefetched"))
}

// octets emits the loop over eight keys at a time. A last octet that is not full
// takes in keys before it, whose answers are shifted out, or given again.
func (b *batch) octets(label string, e evaluator) {
	b.fn.Comment("Eight hashes at a time.")
	b.fn.Label(label + "Octets")
	answers := e.answer(Mem{Base: b.hashes}, b.block)
	b.fn.CMPQ(b.asBools, U8(0))
	b.fn.JNE(LabelRef(label + "OctetBools"))
	b.fn.SHRL(reg.CL, answers.As32())
	b.fn.MOVB(answers.As8(), Mem{Base: b.hits})
	b.fn.INCQ(b.hits)
	b.fn.Label(label + "OctetStored")
	b.fn.ADDQ(U8(hashBytes*octet), b.hashes)
	b.fn.SUBQ(U8(octet), b.n)
	b.fn.JZ(LabelRef("done"))
	b.fn.CMPQ(b.n, U8(octet))
	b.fn.JAE(LabelRef(label + "Octets"))
	b.fn.Comment("The last octet takes in hashes before it.")
	b.fn.Label(label + "Last")
	b.fn.LEAQ(Mem{Base: b.hashes, Index: b.n, Scale: hashBytes, Disp: -hashBytes * octet}, b.hashes)
	b.fn.CMPQ(b.asBools, U8(0))
	b.fn.JNE(LabelRef(label + "LastBools"))
	b.shiftOut()
	b.fn.JMP(LabelRef(label + "Octets"))
	b.fn.Label(label + "LastBools")
	b.fn.LEAQ(Mem{Base: b.hits, Index: b.n, Scale: 1, Disp: -octet}, b.hits)
	b.fn.MOVQ(U32(octet), b.n)
	b.fn.JMP(LabelRef(label + "Octets"))
	b.fn.Label(label + "OctetBools")
	b.fn.MOVQ(b.bytes(answers), Mem{Base: b.hits})
	b.fn.ADDQ(U8(octet), b.hits)
	b.fn.JMP(LabelRef(label + "OctetStored"))
}

// bytes turns the bits of an octet into bytes.
func (b *batch) bytes(octet reg.GPVirtual) reg.Register {
	bits := octet.As64()
	b.fn.IMULQ(b.fn.Words("lowest", 0x0101010101010101), bits)
	b.fn.ANDQ(b.fn.Words("diagonal", 0x8040201008040201), bits)
	b.fn.ADDQ(b.fn.Words("allButTop", 0x7f7f7f7f7f7f7f7f), bits)
	b.fn.SHRQ(U8(7), bits)
	b.fn.ANDQ(b.fn.Words("lowest", 0x0101010101010101), bits)
	return bits
}

func (b *batch) done() {
	b.fn.Label("done")
	b.fn.VZEROUPPER()
	b.fn.RET()
}

// prefetchLines emits the beginning of a batch whose lines are far.
func prefetchLines(f *kernel.File) {
	fn := f.Function(kernel.Base, "prefetchLines", "func(body *byte, size uint64, hashes *uint32, n int, soon bool)",
		"prefetchLines prefetches the lines of n hashes, at least one, by the halves that choose them: hashes is",
		"the first such half. If they are needed soon and are whole",
		"blocks, they go to the first-level cache.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	b := &batch{fn: fn, body: param("body"), size: param("size"), hashes: param("hashes"), n: param("n")}
	hash := Mem{Base: b.hashes}
	fn.TESTQ(U32(lineBytes-1), b.body)
	fn.JNZ(LabelRef("across"))
	fn.CMPB(fn.Address(fn.Param("soon")), U8(0))
	fn.JNE(LabelRef("soon"))
	b.eachKey("keys", func() { fromMemory(fn, b.line(hash)) })
	b.eachKey("soon", func() { fromCache(fn, b.line(hash)) })
	b.eachKey("across", func() { b.both(fromMemory, b.block(hash)) })
}

// eachKey emits a loop over the hashes, which ends the function.
func (b *batch) eachKey(label string, do func()) {
	b.fn.Label(label)
	do()
	b.fn.ADDQ(U8(hashBytes), b.hashes)
	b.fn.DECQ(b.n)
	b.fn.JNZ(LabelRef(label))
	b.fn.RET()
}
