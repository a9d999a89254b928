package blocks

import (
	"fmt"
	"math/bits"
	"slices"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
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
	setBehind       = 2  // octets, of prepare, in most adders
	prefetchedAhead = 64 // keys
)

// With up to 8 probes, FastLocal's adder in AVX-512 sets more than shortOctets an octet later than other adders: that
// takes 5 % less in caches, but with 9 to 32 keys 3 to 7 % more. With more probes, and in other adders, both take the
// same (Zen 4).
const shortOctets = 8

// An Adder is shared by these kernels.
type Adder struct {
	*Batch // without hits and room
	filter reg.Register
	behind int  // octets that set is behind prepare
	soon   bool // lines are prefetched to the first-level cache, not to the second

	lastOctet Mem // on the stack, as are these
	left      Mem // octets
	unset     Mem // octets that are prepared before the first is set
	ahead     Mem // the octet of hashes whose lines are to be prefetched, 0 if none are
	offsets   Mem // a quadword for each key
	prepared  Mem
}

// Setter emits the steps of an octet of keys.
type Setter interface {
	// Prepare stores octetBytes for an octet.
	Prepare(hashes, to Mem)
	OctetBytes() int
	// Set sets the bits of a key of an octet, whose offsets and what prepare stored are
	// given. Those of each key begin KeyBytes behind the one before it.
	Set(key int, offsets, from Mem)
	KeyBytes() int
	// Round returns how many keys there are in a round of the loops over an octet's.
	Round() int
	// Mixed reports whether the instructions of prepare come among those of set, which
	// have no jumps then. That is 10 to 20 % faster (Zen 4 or Emerald Rapids), and takes more code.
	Mixed() bool
}

// A Setter is one of these, too. They store the offset of a key's block in a quadword; of two blocks, the lower one's
// is in the lower half.
type (
	KeyLocator interface {
		LocateKey(hash, offsets Mem)
	}
	octetLocator interface {
		locateOctet(hashes, offsets Mem)
	}
)

// prefetchedRound is how many keys a round of the loop over prefetches has.
const prefetchedRound = shared.Quad

// NewAdder begins a function that adds n keys to a filter.
func NewAdder(f *kernel.File, level kernel.Level, name string) *Adder {
	fn := f.Function(level, name, "func(k *Kernel, hashes *uint64, n int, far bool)",
		name+" adds n hashes, at least eight. If the body is far, lines are prefetched.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	a := &Adder{
		Batch:     &Batch{Fn: fn, hashes: param("hashes"), n: param("n")},
		filter:    param("k"),
		behind:    setBehind,
		lastOctet: fn.AllocLocal(8), left: fn.AllocLocal(8), unset: fn.AllocLocal(8), ahead: fn.AllocLocal(8),
	}
	field := func(name string, offset int) reg.Register {
		r := fn.GP64()
		fn.MOVQ(a.Field(name).Offset(offset), r)
		return r
	}
	a.Body, a.Size, a.Multipliers = field("body", 0), field("body", 8), field("multipliers", 0)
	a.Probes = field("probes", 0)
	last := fn.GP64()
	fn.LEAQ(Mem{Base: a.hashes, Index: a.n, Scale: shared.HashBytes, Disp: -shared.HashBytes * shared.Octet}, last)
	fn.MOVQ(last, a.lastOctet)
	fn.ADDQ(U8(shared.Octet-1), a.n)
	fn.SHRQ(U8(3), a.n)
	fn.MOVQ(a.n, a.left)
	fn.MOVQ(U32(0), a.ahead)
	fn.CMPB(fn.Address(fn.Param("far")), U8(0))
	fn.JEQ(LabelRef("near"))
	ahead := fn.GP64()
	fn.LEAQ(Mem{Base: a.hashes, Disp: shared.HashBytes * prefetchedAhead}, ahead)
	a.NotBehind(ahead, a.lastOctet)
	fn.MOVQ(ahead, a.ahead)
	fn.Label("near")
	return a
}

// Allocate makes room for octets of at most the given number of bytes.
func (a *Adder) Allocate(octetBytes int) {
	lines := a.Fn.GP64()
	shared.Room(a.Fn, 8*offsetsKeys+preparedOctets*ringBytes(octetBytes), lines)
	a.offsets, a.prepared = Mem{Base: lines}, Mem{Base: lines, Disp: 8 * offsetsKeys}
}

// ringBytes returns the distance of octets in the ring of what prepare stores.
func ringBytes(octetBytes int) int { return 1 << bits.Len(uint(octetBytes-1)) }

const offsetsBytes = 8 * shared.Octet // of an octet

// Loops emits all steps for one number of probes.
func (a *Adder) Loops(label string, s Setter) {
	to := func(name string) LabelRef { return LabelRef(label + name) }
	if (locatedAhead+a.behind+1)*shared.Octet > offsetsKeys || a.behind+1 > preparedOctets {
		panic("the steps do not fit the rings") // a mistake in the generator
	}
	stride := ringBytes(s.OctetBytes())
	located, ring, at, prepared := a.Fn.GP64(), a.Fn.GP64(), a.Fn.GP64(), a.Fn.GP64()
	a.locateFirst(label, s, located, ring)
	prepare := func() { s.Prepare(Mem{Base: a.hashes}, a.prepared.Idx(prepared, 1)) }
	next := func() {
		a.NextOctet(a.hashes, a.lastOctet)
		a.Fn.ADDQ(U32(uint32(stride)), prepared)
		a.Fn.ANDQ(U32(uint32(preparedOctets*stride-1)), prepared)
	}
	a.Fn.XORL(prepared.As32(), prepared.As32())
	ahead := locatedAhead // octets, of those that are set
	if s.Mixed() {
		a.Fn.XORL(ring.As32(), ring.As32())
		a.Fn.Comment("Prepare the first hashes.")
		a.Fn.Label(label + "Prepare")
		prepare()
		next()
		a.Fn.CMPQ(a.left, U8(1))
		a.Fn.JEQ(to("Prepared")) // the only octet
		a.Fn.CMPQ(prepared, U32(uint32(a.behind*stride)))
		a.Fn.JB(to("Prepare"))
		a.Fn.Label(label + "Prepared")
		a.Fn.MOVL(U32(uint32(a.behind*stride)), prepared.As32())
	} else {
		ahead += a.behind
		a.Fn.MOVL(U32(uint32(8*offsetsKeys-a.behind*offsetsBytes)), ring.As32())
		a.Fn.MOVQ(U32(uint32(a.behind)), a.unset)
		a.Fn.ADDQ(U8(uint8(a.behind)), a.left)
	}

	a.Fn.Comment("Eight hashes at a time: locate some, prepare others, and set the bits of others again.")
	a.Fn.Label(label + "Octets")
	a.Fn.LEAQ(Mem{Base: ring, Disp: ahead * offsetsBytes}, at)
	a.Fn.ANDQ(U32(8*offsetsKeys-1), at)
	a.locate(label+"Keys", s, located, at)
	a.NextOctet(located, a.lastOctet)
	a.prefetch(label, at)

	from := at
	set := func() {
		for key := range shared.Octet {
			s.Set(key, a.offsets.Idx(ring, 1), a.prepared.Idx(from, 1))
		}
	}
	if !s.Mixed() {
		prepare()
		a.Fn.DECQ(a.unset)
		a.Fn.JGE(to("Unset"))
	}
	a.Fn.LEAQ(Mem{Base: prepared, Disp: -a.behind * stride}, from)
	a.Fn.ANDQ(U32(uint32(preparedOctets*stride-1)), from)
	if s.Mixed() {
		a.Fn.Interleave(prepare, set)
	} else {
		a.setEach(label+"Set", s, ring, from)
	}
	a.Fn.Label(label + "Unset")
	a.Fn.ADDQ(U8(offsetsBytes), ring)
	a.Fn.ANDQ(U32(8*offsetsKeys-1), ring)
	next()
	a.Fn.DECQ(a.left)
	a.Fn.JNZ(to("Octets"))
	a.Fn.VZEROUPPER()
	a.Fn.RET()
}

// locateFirst locates what comes before the octets that are located in the loop, which
// go on at located.
func (a *Adder) locateFirst(label string, s Setter, located, ring reg.GPVirtual) {
	a.Fn.MOVQ(a.hashes, located)
	a.Fn.XORL(ring.As32(), ring.As32())
	a.Fn.Comment("Locate the blocks of the first hashes.")
	a.Fn.Label(label + "First")
	a.locate(label+"FirstKeys", s, located, ring)
	a.NextOctet(located, a.lastOctet)
	a.Fn.CMPQ(ring, U32(locatedAhead*offsetsBytes))
	a.Fn.JB(LabelRef(label + "First"))
}

// locate locates an octet of keys, and moves the ring on.
func (a *Adder) locate(label string, s Setter, located, ring reg.GPVirtual) {
	l, ok := s.(KeyLocator)
	if !ok {
		s.(octetLocator).locateOctet(Mem{Base: located}, a.offsets.Idx(ring, 1))
		a.Fn.ADDQ(U8(offsetsBytes), ring)
		return
	}
	hash := a.Fn.GP64()
	a.Fn.MOVQ(located, hash)
	a.Fn.Label(label)
	for key := range s.Round() {
		l.LocateKey(Mem{Base: hash, Disp: shared.HashBytes * key}, a.offsets.Idx(ring, 1).Offset(8*key))
	}
	a.Fn.ADDQ(U8(uint8(shared.HashBytes*s.Round())), hash)
	a.Fn.ADDQ(U8(uint8(8*s.Round())), ring)
	a.Fn.TESTQ(U32(offsetsBytes-1), ring)
	a.Fn.JNZ(LabelRef(label))
}

// setEach sets the bits of an octet of keys, one by one. It changes from.
func (a *Adder) setEach(label string, s Setter, ring, from reg.GPVirtual) {
	offsets := a.Fn.GP64()
	a.Fn.LEAQ(a.offsets.Idx(ring, 1), offsets)
	a.Fn.LEAQ(a.prepared.Idx(from, 1), from)
	a.Fn.Label(label)
	s.Set(0, Mem{Base: offsets}, Mem{Base: from})
	a.Fn.ADDQ(U8(8), offsets)
	a.Fn.ADDQ(U32(uint32(s.KeyBytes())), from)
	a.Fn.TESTQ(U32(offsetsBytes-1), offsets)
	a.Fn.JNZ(LabelRef(label))
}

// EachPrepared emits a loop over the hashes of an octet, to prepare them one by one.
func (a *Adder) EachPrepared(s Setter, hashes, to Mem, prepare func(hash, to Mem)) {
	label, key, at := a.Fn.Unused("prepareKeys"), a.Fn.GP64(), a.Fn.GP64()
	a.Fn.LEAQ(to, at)
	a.Fn.XORL(key.As32(), key.As32())
	a.Fn.Label(label)
	for i := range s.Round() {
		prepare(hashes.Idx(key, shared.HashBytes).Offset(shared.HashBytes*i), Mem{Base: at, Disp: s.KeyBytes() * i})
	}
	a.Fn.ADDQ(U32(uint32(s.KeyBytes()*s.Round())), at)
	a.Fn.ADDQ(U8(uint8(s.Round())), key)
	a.Fn.CMPQ(key, U8(shared.Octet))
	a.Fn.JB(LabelRef(label))
}

// prefetch prefetches the lines of an octet, and hashes, if the body is far. It uses the
// register at.
func (a *Adder) prefetch(label string, at reg.GPVirtual) {
	near := label + "Near"
	a.Fn.MOVQ(a.ahead, at)
	a.Fn.TESTQ(at, at)
	a.Fn.JZ(LabelRef(near))
	a.Fn.PREFETCHT0(Mem{Base: at, Disp: shared.AheadOfHashes - shared.HashBytes*prefetchedAhead})
	a.Fn.Label(label + "Prefetch")
	for key := range prefetchedRound {
		line := a.line(Mem{Base: at, Disp: shared.HashBytes * key})
		if a.soon {
			shared.FromCache(a.Fn, line)
		} else {
			shared.FromMemory(a.Fn, line)
		}
	}
	begin := a.Fn.GP64()
	a.Fn.LEAQ(Mem{Base: at, Disp: -shared.HashBytes * (shared.Octet - prefetchedRound)}, begin)
	a.Fn.ADDQ(U8(shared.HashBytes*prefetchedRound), at)
	a.Fn.CMPQ(begin, a.ahead)
	a.Fn.JNE(LabelRef(label + "Prefetch"))
	a.NotBehind(at, a.lastOctet)
	a.Fn.MOVQ(at, a.ahead)
	a.Fn.Label(near)
}

// Field returns the address of a field of the filter.
func (a *Adder) Field(name string) Mem { return a.Fn.Field(a.filter, "Kernel", name) }

// rowProbes are the probes that are prepared together.
const rowProbes = 8

// Numbers of rows of which there is code. AVX2 has none for three: it prepares a
// fourth, and sets only what the probes need.
var (
	fastLocalRowsOf512 = []int{1, 2, 3, 4}
	fastLocalRowsOf256 = []int{1, 2, 4}
	legacyRowsOf       = []int{1, 2}
)

// ForRows calls emit for numbers of rows, with code that takes the smallest that the
// probes need.
func (a *Adder) ForRows(numbers []int, emit func(label string, rows int)) {
	for i, rows := range numbers {
		label, more := fmt.Sprint("upTo", rowProbes*rows), fmt.Sprint("moreThan", rowProbes*rows)
		if last := i == len(numbers)-1; last {
			emit(label, rows)
			return
		}
		a.UpTo(rowProbes*rows, more)
		emit(label, rows)
		a.Fn.Label(more)
	}
}

func fastLocalAdd512(f *kernel.File) {
	a := NewAdder(f, kernel.AVX512, "fastLocalAddAVX512")
	a.Allocate(slices.Max(fastLocalRowsOf512) * Row512Bytes)
	a.UpTo(6, "moreThan6") // up to six take 4 % less time than eight (Emerald Rapids)
	a.shortOrMany("upTo6", NewRows512(a.Fn, 3), 1)
	a.Fn.Label("moreThan6")
	r := NewRows512(a.Fn, 4)
	a.ForRows(fastLocalRowsOf512, func(label string, rows int) {
		if rows == 1 {
			a.shortOrMany(label, r, rows)
		} else {
			a.Loops(label, newFastLocalRows512(a, r, rows))
		}
	})
}

// shortOrMany emits loops for few octets and for many.
func (a *Adder) shortOrMany(label string, r *Rows512, rows int) {
	a.Fn.CMPQ(a.left, U8(shortOctets))
	a.Fn.JBE(LabelRef(label + "Short"))
	a.behind++
	a.Loops(label+"Many", newFastLocalRows512(a, r, rows))
	a.behind--
	a.Fn.Label(label + "Short")
	a.Loops(label, newFastLocalRows512(a, r, rows))
}

func fastLocalAdd256(f *kernel.File) { add256(f, "fastLocalAddAVX2", Powers, fastLocalRowsOf256) }

func add256(f *kernel.File, name string, probes Progression, rowsOf []int) {
	a := NewAdder(f, kernel.AVX2, name)
	a.soon = true
	a.Allocate(slices.Max(rowsOf) * shared.Octet * RowsBytes)
	s := fastLocalRows256{Adder: a, b: NewBytes256(a.Fn), n: a.Fn.AllocLocal(8), Progression: probes}
	s.size, s.lines = a.Fn.YMM(), a.Fn.YMM()
	a.Fn.MOVQ(a.Probes, s.n)
	a.Fn.VPBROADCASTQ(a.Field("body").Offset(8), s.size)
	a.Fn.VPBROADCASTQ(a.Fn.Words("wholeLines", 0xffffffc0<<32), s.lines)
	loops := func(label string, rows, unrolled int) {
		s := s
		s.rows, s.unrolled = rows, unrolled
		a.Loops(label, &s)
	}
	a.UpTo(4, "moreThan4")
	loops("upTo4", 1, 0)
	a.Fn.Label("moreThan4")
	a.UpTo(6, "moreThan6")
	loops("upTo6", 1, 6)
	a.Fn.Label("moreThan6")
	a.ForRows(rowsOf, func(label string, rows int) {
		if rows == 1 {
			loops(label, 1, rowProbes)
		} else {
			loops(label, rows, 0)
		}
	})
}
