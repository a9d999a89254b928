package main

import (
	"fmt"
	"math/bits"
	"slices"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// The kernels that add keys work in steps. Each step takes an octet of keys at a time, some
// octets ahead of the next step, so that none waits for memory or for a recent store:
//
//	locate   where the keys' blocks are
//	prepare  what to set in them
//	set      to set it, key by key
//
// The last octet is filled up with keys before it: adding a key twice changes nothing.
const (
	offsetsKeys     = 64 // in the ring of offsets
	preparedOctets  = 4  // in the ring of what prepare stores
	locatedAhead    = 4  // octets, of prepare
	setBehind       = 2  // octets, of prepare
	prefetchedAhead = 64 // keys
)

// aheadOfHashes is how many bytes ahead hashes in memory are prefetched. The processor
// does so by itself, but begins anew in each page, of which a segment has two.
const aheadOfHashes = 1536

// An adder has what these kernels share.
type adder struct {
	*batch // without hits and room
	filter reg.Register

	lastOctet Mem // on the stack, as are these
	left      Mem // octets
	unset     Mem // octets that are prepared before the first is set
	ahead     Mem // the octet of hashes whose lines are to be prefetched, 0 if none are
	offsets   Mem // a quadword for each key
	prepared  Mem
}

// setter emits the steps of an octet of keys.
type setter interface {
	// locate stores the offsets of each key's block in a quadword; of two blocks, the
	// lower one's is in the lower half.
	locate(hashes, offsets Mem)
	// prepare stores octetBytes for an octet.
	prepare(hashes, to Mem)
	octetBytes() int
	// set sets the bits of a key of an octet, whose offsets and what prepare stored are
	// given.
	set(key int, offsets, from Mem)
	// mixed reports whether the instructions of prepare come among those of set, which
	// have no jumps then. That is 10 to 20 % faster, and takes more code.
	mixed() bool
}

// keyLocator is a setter that locates keys one by one.
type keyLocator interface {
	locateKey(hash, offsets Mem)
}

// newAdder begins a function that adds n keys to a filter.
func newAdder(f *kernel.File, level kernel.Level, name string) *adder {
	fn := f.Function(level, name, "func(k *Kernel, hashes *uint64, n int, far bool)",
		name+" adds n hashes, at least eight. If the body is far, lines are prefetched.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	a := &adder{
		batch:     &batch{fn: fn, hashes: param("hashes"), n: param("n")},
		filter:    param("k"),
		lastOctet: fn.AllocLocal(8), left: fn.AllocLocal(8), unset: fn.AllocLocal(8), ahead: fn.AllocLocal(8),
	}
	field := func(name string, offset int) reg.Register {
		r := fn.GP64()
		fn.MOVQ(a.field(name).Offset(offset), r)
		return r
	}
	a.body, a.size, a.multipliers = field("body", 0), field("body", 8), field("multipliers", 0)
	a.probes = field("blockProbes", 0)
	last := fn.GP64()
	fn.LEAQ(Mem{Base: a.hashes, Index: a.n, Scale: hashBytes, Disp: -hashBytes * octet}, last)
	fn.MOVQ(last, a.lastOctet)
	fn.ADDQ(U8(octet-1), a.n)
	fn.SHRQ(U8(3), a.n)
	fn.MOVQ(a.n, a.left)
	fn.MOVQ(U32(0), a.ahead)
	fn.CMPB(fn.Address(fn.Param("far")), U8(0))
	fn.JEQ(LabelRef("near"))
	ahead := fn.GP64()
	fn.LEAQ(Mem{Base: a.hashes, Disp: hashBytes * prefetchedAhead}, ahead)
	a.notBehind(ahead, a.lastOctet)
	fn.MOVQ(ahead, a.ahead)
	fn.Label("near")
	return a
}

// allocate makes room for octets of at most the given number of bytes.
func (a *adder) allocate(octetBytes int) {
	lines := a.fn.GP64()
	a.fn.LEAQ(a.fn.AllocLocal(8*offsetsKeys+preparedOctets*ringBytes(octetBytes)+lineBytes).Offset(lineBytes-1), lines)
	a.fn.ANDQ(I8(-lineBytes), lines)
	a.offsets, a.prepared = Mem{Base: lines}, Mem{Base: lines, Disp: 8 * offsetsKeys}
}

// ringBytes returns the distance of octets in the ring of what prepare stores.
func ringBytes(octetBytes int) int { return 1 << bits.Len(uint(octetBytes-1)) }

const offsetsBytes = 8 * octet // of an octet

// loops emits all steps for one number of probes.
func (a *adder) loops(label string, s setter) {
	to := func(name string) LabelRef { return LabelRef(label + name) }
	if (locatedAhead+setBehind+1)*octet > offsetsKeys || setBehind+1 > preparedOctets {
		panic("the steps do not fit the rings") // a mistake in the generator
	}
	stride := ringBytes(s.octetBytes())
	located, ring, at, prepared := a.fn.GP64(), a.fn.GP64(), a.fn.GP64(), a.fn.GP64()
	a.locateFirst(label, s, located, ring)
	prepare := func() { s.prepare(Mem{Base: a.hashes}, a.prepared.Idx(prepared, 1)) }
	next := func() {
		a.nextOctet(a.hashes, a.lastOctet)
		a.fn.ADDQ(U32(uint32(stride)), prepared)
		a.fn.ANDQ(U32(uint32(preparedOctets*stride-1)), prepared)
	}
	a.fn.XORL(prepared.As32(), prepared.As32())
	ahead := locatedAhead // octets, of those that are set
	if s.mixed() {
		a.fn.XORL(ring.As32(), ring.As32())
		a.fn.Comment("Prepare the first hashes.")
		a.fn.Label(label + "Prepare")
		prepare()
		next()
		a.fn.CMPQ(prepared, U32(uint32(setBehind*stride)))
		a.fn.JB(to("Prepare"))
	} else {
		ahead += setBehind
		a.fn.MOVL(U32(8*offsetsKeys-setBehind*offsetsBytes), ring.As32())
		a.fn.MOVQ(U32(setBehind), a.unset)
		a.fn.ADDQ(U8(setBehind), a.left)
	}

	a.fn.Comment("Eight hashes at a time: locate some, prepare others, and set the bits of others again.")
	a.fn.Label(label + "Octets")
	a.fn.LEAQ(Mem{Base: ring, Disp: ahead * offsetsBytes}, at)
	a.fn.ANDQ(U32(8*offsetsKeys-1), at)
	s.locate(Mem{Base: located}, a.offsets.Idx(at, 1))
	a.nextOctet(located, a.lastOctet)
	a.prefetch(label, at)

	from := at
	set := func() {
		for key := range octet {
			s.set(key, a.offsets.Idx(ring, 1), a.prepared.Idx(from, 1))
		}
	}
	if !s.mixed() {
		prepare()
		a.fn.DECQ(a.unset)
		a.fn.JGE(to("Unset"))
	}
	a.fn.LEAQ(Mem{Base: prepared, Disp: -setBehind * stride}, from)
	a.fn.ANDQ(U32(uint32(preparedOctets*stride-1)), from)
	if s.mixed() {
		a.fn.Interleave(prepare, set)
	} else {
		set()
	}
	a.fn.Label(label + "Unset")
	a.fn.ADDQ(U8(offsetsBytes), ring)
	a.fn.ANDQ(U32(8*offsetsKeys-1), ring)
	next()
	a.fn.DECQ(a.left)
	a.fn.JNZ(to("Octets"))
	a.fn.VZEROUPPER()
	a.fn.RET()
}

// locateFirst locates what comes before the octets that are located in the loop, which
// go on at located.
func (a *adder) locateFirst(label string, s setter, located, ring reg.GPVirtual) {
	a.fn.MOVQ(a.hashes, located)
	a.fn.XORL(ring.As32(), ring.As32())
	a.fn.Comment("Locate the blocks of the first hashes.")
	a.fn.Label(label + "First")
	if l, ok := s.(keyLocator); ok {
		hash := a.fn.GP64()
		a.fn.MOVQ(located, hash)
		a.fn.Label(label + "FirstKey")
		l.locateKey(Mem{Base: hash}, a.offsets.Idx(ring, 1))
		a.fn.ADDQ(U8(hashBytes), hash)
		a.fn.ADDQ(U8(offsetsBytes/octet), ring)
		a.fn.TESTQ(U32(offsetsBytes-1), ring)
		a.fn.JNZ(LabelRef(label + "FirstKey"))
	} else {
		s.locate(Mem{Base: located}, a.offsets.Idx(ring, 1))
		a.fn.ADDQ(U8(offsetsBytes), ring)
	}
	a.nextOctet(located, a.lastOctet)
	a.fn.CMPQ(ring, U32(locatedAhead*offsetsBytes))
	a.fn.JB(LabelRef(label + "First"))
}

// prefetch prefetches the lines of an octet, and hashes, if the body is far. It uses the
// register at.
func (a *adder) prefetch(label string, at reg.GPVirtual) {
	near := label + "Near"
	a.fn.MOVQ(a.ahead, at)
	a.fn.TESTQ(at, at)
	a.fn.JZ(LabelRef(near))
	for key := range octet {
		fromMemory(a.fn, a.line(Mem{Base: at, Disp: hashBytes * key}))
	}
	a.fn.PREFETCHT0(Mem{Base: at, Disp: aheadOfHashes - hashBytes*prefetchedAhead})
	a.nextOctet(at, a.lastOctet)
	a.fn.MOVQ(at, a.ahead)
	a.fn.Label(near)
}

// pairs emits where both blocks of a key of a paired filter are, whatever the level.
type pairs struct {
	*adder
	numbers, own Mem // on the stack: the bits of an offset that number a block in its batch, and the others
}

func newPairs(a *adder) *pairs {
	p := &pairs{a, a.fn.AllocLocal(8), a.fn.AllocLocal(8)}
	numbers := a.fn.GP64()
	a.fn.MOVL(a.field("numbers"), numbers.As32())
	a.fn.MOVQ(numbers, p.numbers)
	a.fn.MOVL(a.field("offsets"), numbers.As32())
	a.fn.NOTQ(numbers)
	a.fn.MOVQ(numbers, p.own)
	return p
}

func (p *pairs) locate(hashes, offsets Mem) { locateOctet(p, hashes, offsets) }

func (p *pairs) locateKey(hash, offsets Mem) {
	own, pair, lower := p.block(hash), p.fn.GP64(), p.fn.GP64()
	at := own.Index.(reg.GPVirtual)
	p.fn.MOVBLZX(own, pair.As32())
	p.fn.ANDQ(p.numbers, pair)
	p.fn.SHLQ(U8(6), pair)
	p.fn.MOVQ(p.own, lower)
	p.fn.ANDQ(at, lower)
	p.fn.ORQ(lower, pair)
	p.fn.MOVQ(pair, lower)
	p.fn.CMPQ(at, pair)
	p.fn.CMOVQCS(at, lower)
	p.fn.CMOVQCS(pair, at)
	p.fn.SHLQ(U8(32), at)
	p.fn.ORQ(lower, at)
	p.fn.MOVQ(at, offsets)
}

// locateOctet is locate of keys one by one.
func locateOctet(l keyLocator, hashes, offsets Mem) {
	for key := range octet {
		l.locateKey(hashes.Offset(hashBytes*key), offsets.Offset(8*key))
	}
}

func (a *adder) field(name string) Mem { return a.fn.Field(a.filter, "Kernel", name) }

// both returns the blocks of a key of an octet.
func (p *pairs) both(key int, offsets Mem) (lower, higher Mem) {
	block := func(half int) Mem {
		offset := p.fn.GP64()
		p.fn.MOVL(offsets.Offset(8*key+4*half), offset.As32())
		return Mem{Base: p.body, Index: offset, Scale: 1}
	}
	return block(0), block(1)
}

// rowProbes are the probes that are prepared together.
const rowProbes = 8

// Numbers of rows of which there is code. AVX2 has none for three: it prepares a
// fourth, and sets only what the probes need.
var (
	fastLocalRowsOf512 = []int{1, 2, 3, 4}
	fastLocalRowsOf256 = []int{1, 2, 4}
	pairedRowsOf       = []int{1, 2}
	legacyRowsOf       = []int{1, 2}
)

// forRows calls emit for numbers of rows, with code that takes the smallest that the
// probes need.
func (a *adder) forRows(numbers []int, emit func(label string, rows int)) {
	for i, rows := range numbers {
		label, more := fmt.Sprint("upTo", rowProbes*rows), fmt.Sprint("moreThan", rowProbes*rows)
		if last := i == len(numbers)-1; last {
			emit(label, rows)
			return
		}
		a.upTo(rowProbes*rows, more)
		emit(label, rows)
		a.fn.Label(more)
	}
}

func fastLocalAdd512(f *kernel.File) {
	a := newAdder(f, kernel.AVX512, "fastLocalAddAVX512")
	a.allocate(slices.Max(fastLocalRowsOf512) * row512Bytes)
	r := newRows512(a.fn)
	a.forRows(fastLocalRowsOf512, func(label string, rows int) { a.loops(label, newFastLocalRows512(a, r, rows)) })
}

func fastLocalAdd256(f *kernel.File) { add256(f, "fastLocalAddAVX2", powers, fastLocalRowsOf256) }

func add256(f *kernel.File, name string, probes progression, rowsOf []int) {
	a := newAdder(f, kernel.AVX2, name)
	a.allocate(slices.Max(rowsOf) * octet * rowBytes)
	r := newRows256(a.fn)
	a.forRows(rowsOf, func(label string, rows int) { a.loops(label, &fastLocalRows256{a, r, rows, probes}) })
}

func pairedAdd512(f *kernel.File) {
	a := newAdder(f, kernel.AVX512, "pairedAddAVX512")
	a.allocate(2 * slices.Max(pairedRowsOf) * row512Bytes)
	r, p, sets := newRows512(a.fn), newPairs(a), newSets512(a.fn, a.field("indexed"), a.field("spread"))
	a.forRows(pairedRowsOf, func(label string, rows int) {
		a.loops(label, &pairedRows512{p, r, sets, rows, r.factorsOf(a.multipliers, 1)})
	})
}

func pairedAdd256(f *kernel.File) {
	a := newAdder(f, kernel.AVX2, "pairedAddAVX2")
	a.allocate(2 * slices.Max(pairedRowsOf) * octet * rowBytes)
	r, p, sets := newRows256(a.fn), newPairs(a), newSets256(a.fn, a.field("indexed"), a.field("spread"))
	a.forRows(pairedRowsOf, func(label string, rows int) { a.loops(label, &pairedRows256{p, r, sets, rows}) })
}
