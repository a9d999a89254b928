// Package blocks emits the kernels of filters whose keys have all of their bits in one block: FastLocal, split-block,
// Blobloom and legacy. Those of LevelDB's filter and of plain bitmaps, whose bits are anywhere, are here, too.
package blocks

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// scratchBytes has room for twice the masks of 64 keys, and for their answers.
const scratchBytes = 2*shared.WordKeys*4 + shared.WordKeys

// A Batch is shared by the batch kernels of all levels. They answer 64 keys at a time,
// and the remaining ones an octet at a time.
type Batch struct {
	Fn                                                      *kernel.Function
	hits, Body, Size, Probes, Multipliers, hashes, n, ahead reg.Register

	asBools Mem  // the argument: nil if the answers are bits
	scratch Mem  // on the stack
	across  bool // has loops for far blocks that lie across two lines
	split   bool // blocks have 32 bytes, and the high half of a hash chooses its block
}

// evaluator emits the probes of an octet of keys. The keys' hashes are in a row,
// block emits the address of a hash's block.
type evaluator interface {
	// Mask stores width bytes for each key of a round, all ones if the key may have been
	// added.
	Mask(hashes Mem, block func(hash Mem) Mem, to Mem)
	// Round returns how many keys these are.
	Round() int
	// Width returns how many bytes Mask stores for a key.
	Width() int
	// Compare looks at the masks of 64 keys. It returns functions that store
	// the answers, as a word of bits or as 64 bytes.
	Compare(masks Mem) (bits, bools func(to Mem))
	// Answer returns the octet's answers at once.
	Answer(hashes Mem, block func(hash Mem) Mem) reg.GPVirtual
}

// newBatch begins a function that answers n keys. It prefetches the lines of the
// keys that are ahead by the given number, unless that is 0, to the second-level
// cache, and those of the keys that come soon from there.
func newBatch(f *kernel.File, level kernel.Level, name string, across bool) *Batch {
	fn := f.Function(level, name, "func(k *Kernel, hashes *uint64, bits *uint64, bools *bool, n, ahead int)",
		name+" answers n hashes: at least one in bits, of which it writes whole bytes, or at",
		"least eight in bools. The other pointer is nil. If ahead is not 0, it prefetches the lines of",
		"hashes[i+ahead]: ahead is at least 16 then, and there are n+ahead hashes.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	filter := shared.FieldOf(fn, param("k"))
	field := func(name string, offset int) reg.Register {
		r := fn.GP64()
		fn.MOVQ(filter(name).Offset(offset), r)
		return r
	}
	b := &Batch{
		Fn: fn, hits: param("bools"), Body: field("body", 0), Size: field("body", 8), Probes: field("probes", 0),
		Multipliers: field("multipliers", 0), hashes: param("hashes"), n: param("n"), ahead: param("ahead"),
		asBools: fn.Address(fn.Param("bools")), scratch: fn.AllocLocal(scratchBytes), across: across,
	}
	b.Fn.XORL(reg.ECX, reg.ECX)
	b.Fn.TESTQ(b.hits, b.hits)
	b.Fn.JNZ(LabelRef("choose"))
	b.Fn.MOVQ(fn.Address(fn.Param("bits")), b.hits)
	b.moveFew()
	b.Fn.Label("choose")
	return b
}

// moveFew moves less than eight keys to the end of an octet on the stack, behind
// whatever is there: every hash has a block.
func (b *Batch) moveFew() {
	b.Fn.CMPQ(b.n, U8(shared.Octet))
	b.Fn.JAE(LabelRef("choose"))
	b.Fn.Comment("Fewer than eight hashes: they become the end of an octet on the stack.")
	key, hash, to := b.Fn.GP64(), b.Fn.GP64(), b.Fn.GP64()
	b.Fn.MOVQ(b.n, key)
	b.Fn.LEAQ(b.scratch, to)
	b.shiftOut()
	b.Fn.LEAQ(Mem{Base: to, Index: reg.RCX, Scale: shared.HashBytes}, to)
	b.Fn.Label("move")
	b.Fn.MOVQ(Mem{Base: b.hashes, Index: key, Scale: shared.HashBytes, Disp: -shared.HashBytes}, hash)
	b.Fn.MOVQ(hash, Mem{Base: to, Index: key, Scale: shared.HashBytes, Disp: -shared.HashBytes})
	b.Fn.DECQ(key)
	b.Fn.JNZ(LabelRef("move"))
	b.Fn.LEAQ(b.scratch, b.hashes)
}

// shiftOut makes n, which is less than an octet, a whole one. The answers that are too
// many are shifted out.
func (b *Batch) shiftOut() {
	b.Fn.MOVL(U32(shared.Octet), reg.ECX)
	b.Fn.SUBL(b.n.(reg.GPVirtual).As32(), reg.ECX)
	b.Fn.MOVQ(U32(shared.Octet), b.n)
}

// Block returns the block of a hash.
func (b *Batch) Block(hash Mem) Mem {
	line := b.line(hash)
	if b.split {
		b.Fn.ANDQ(I8(-splitBlockBytes), line.Index)
	} else {
		b.Fn.ANDQ(I8(-shared.LineBytes), line.Index)
	}
	return line
}

// line returns an address in the line of a hash. (h1*blocks >> 32) * 64 is
// h1*size >> 32 without its low bits.
func (b *Batch) line(hash Mem) Mem { return b.lineFrom(b.Body, hash) }

// lineFrom is line of a body that begins elsewhere.
func (b *Batch) lineFrom(body reg.Register, hash Mem) Mem {
	at := b.Fn.GP64()
	if b.split {
		hash = hash.Offset(shared.HashBytes / 2)
	}
	b.Fn.MOVL(hash, at.As32())
	b.Fn.IMULQ(b.Size, at)
	b.Fn.SHRQ(U8(32), at)
	return Mem{Base: body, Index: at, Scale: 1}
}

// NextOctet moves on by an octet, but not behind the last one.
func (b *Batch) NextOctet(hashes reg.Register, last Op) {
	b.Fn.ADDQ(U8(shared.HashBytes*shared.Octet), hashes)
	b.NotBehind(hashes, last)
}

// NotBehind moves back to the last octet from behind it.
func (b *Batch) NotBehind(hashes reg.Register, last Op) {
	b.Fn.CMPQ(hashes, last)
	b.Fn.CMOVQHI(last, hashes)
}

// Both prefetches the lines that a block begins and ends in.
func (b *Batch) Both(prefetch shared.Hint, block Mem) {
	prefetch(b.Fn, block)
	prefetch(b.Fn, block.Offset(shared.LineBytes-1))
}

// UpTo begins the code for at most the given number of probes; more jump to the label.
func (b *Batch) UpTo(probes int, more string) {
	b.Fn.CMPQ(b.Probes, U8(uint8(probes)))
	b.Fn.JA(LabelRef(more))
}

// loops emits the loops for one number of probes. That over near lines has some of the evaluator's rounds in one of its
// own.
func (b *Batch) loops(label string, e evaluator, near int) {
	to := func(name string) LabelRef { return LabelRef(label + name) }
	b.Fn.CMPQ(b.n, U8(shared.WordKeys))
	b.Fn.JB(to("Octets"))
	w := b.newWords(e)
	b.Fn.TESTQ(b.ahead, b.ahead)
	b.Fn.JNZ(to("Far"))
	b.Fn.Comment("64 hashes at a time, whose lines are in a cache.")
	w.loop(label+"Near", near, func(Mem) {})
	b.Fn.JMP(to("End"))
	b.Fn.Label(label + "Far")
	w.far(label)
	b.Fn.Label(label + "End")
	w.last(label)
	b.Fn.TESTQ(b.n, b.n)
	b.Fn.JZ(LabelRef("done"))
	b.Fn.CMPQ(b.n, U8(shared.Octet))
	b.Fn.JB(to("Last"))
	b.octets(label, e)
}

// octets emits the loop over eight keys at a time. A last octet that is not full
// takes in keys before it, whose answers are shifted out, or given again.
func (b *Batch) octets(label string, e evaluator) {
	b.Fn.Comment("Eight hashes at a time.")
	b.Fn.Label(label + "Octets")
	answers := e.Answer(Mem{Base: b.hashes}, b.Block)
	b.Fn.CMPQ(b.asBools, U8(0))
	b.Fn.JNE(LabelRef(label + "OctetBools"))
	b.Fn.SHRL(reg.CL, answers.As32())
	b.Fn.MOVB(answers.As8(), Mem{Base: b.hits})
	b.Fn.INCQ(b.hits)
	b.Fn.Label(label + "OctetStored")
	b.Fn.ADDQ(U8(shared.HashBytes*shared.Octet), b.hashes)
	b.Fn.SUBQ(U8(shared.Octet), b.n)
	b.Fn.JZ(LabelRef("done"))
	b.Fn.CMPQ(b.n, U8(shared.Octet))
	b.Fn.JAE(LabelRef(label + "Octets"))
	b.Fn.Comment("The last octet takes in hashes before it.")
	b.Fn.Label(label + "Last")
	b.Fn.LEAQ(Mem{Base: b.hashes, Index: b.n, Scale: shared.HashBytes, Disp: -shared.HashBytes * shared.Octet}, b.hashes)
	b.Fn.CMPQ(b.asBools, U8(0))
	b.Fn.JNE(LabelRef(label + "LastBools"))
	b.shiftOut()
	b.Fn.JMP(LabelRef(label + "Octets"))
	b.Fn.Label(label + "LastBools")
	b.Fn.LEAQ(Mem{Base: b.hits, Index: b.n, Scale: 1, Disp: -shared.Octet}, b.hits)
	b.Fn.MOVQ(U32(shared.Octet), b.n)
	b.Fn.JMP(LabelRef(label + "Octets"))
	b.Fn.Label(label + "OctetBools")
	b.Fn.MOVQ(b.bytes(answers), Mem{Base: b.hits})
	b.Fn.ADDQ(U8(shared.Octet), b.hits)
	b.Fn.JMP(LabelRef(label + "OctetStored"))
}

// bytes turns the bits of an octet into bytes.
func (b *Batch) bytes(octet reg.GPVirtual) reg.Register {
	bits := octet.As64()
	b.Fn.IMULQ(b.Fn.Words("lowest", 0x0101010101010101), bits)
	b.Fn.ANDQ(b.Fn.Words("diagonal", 0x8040201008040201), bits)
	b.Fn.ADDQ(b.Fn.Words("allButTop", 0x7f7f7f7f7f7f7f7f), bits)
	b.Fn.SHRQ(U8(7), bits)
	b.Fn.ANDQ(b.Fn.Words("lowest", 0x0101010101010101), bits)
	return bits
}

func (b *Batch) done() {
	b.Fn.Label("done")
	b.Fn.VZEROUPPER()
	b.Fn.RET()
}

// prefetchLines emits the beginning of a batch whose lines are far.
func prefetchLines(f *kernel.File) {
	fn := f.Function(kernel.Base, "prefetchLines", "func(body *byte, size uint64, hashes *uint32, n int, soon bool)",
		"prefetchLines prefetches the lines of n hashes, at least one, by the halves that choose them: hashes is",
		"the first such half. If they are needed soon and are whole",
		"blocks, they go to the first-level cache.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	b := &Batch{Fn: fn, Body: param("body"), Size: param("size"), hashes: param("hashes"), n: param("n")}
	hash := Mem{Base: b.hashes}
	fn.TESTQ(U32(shared.LineBytes-1), b.Body)
	fn.JNZ(LabelRef("across"))
	fn.CMPB(fn.Address(fn.Param("soon")), U8(0))
	fn.JNE(LabelRef("soon"))
	b.eachKey("keys", func() { shared.FromMemory(fn, b.line(hash)) })
	b.eachKey("soon", func() { shared.FromCache(fn, b.line(hash)) })
	b.eachKey("across", func() { b.Both(shared.FromMemory, b.Block(hash)) })
}

// eachKey emits a loop over the hashes, which ends the function.
func (b *Batch) eachKey(label string, do func()) {
	b.Fn.Label(label)
	do()
	b.Fn.ADDQ(U8(shared.HashBytes), b.hashes)
	b.Fn.DECQ(b.n)
	b.Fn.JNZ(LabelRef(label))
	b.Fn.RET()
}
