package blocks

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// A Single is shared by the kernels for one key. There are two of each: one for a
// prepared filter, and one for bytes that a database passes with every key. Preparing a
// structure for one lookup would cost more than the lookup: loads of the structure wait for
// its stores, and keep the processor from starting the next lookup.
type Single struct {
	Fn    *kernel.Function
	Hash  Hashed
	Body  Op
	Size  Op
	Field func(name string) Mem // of a prepared filter, else nil
}

// NewEntry begins the kernel of a level for prepared filters.
func NewEntry(f *kernel.File, level kernel.Level, name string) *Single {
	fn := f.Entry(level, name, shared.Contains)
	if level == kernel.AVX512 {
		return newEntry(fn, inRegister(fn))
	}
	return newEntry(fn, inBoth(fn))
}

func newEntry(fn *kernel.Function, hash Hashed) *Single {
	s := newSingle(fn, shared.FieldOf(fn, shared.Prepared))
	s.Hash = hash
	return s
}

// newSingle begins a function on a prepared filter, whose hash the caller sets.
func newSingle(fn *kernel.Function, field func(name string) Mem) *Single {
	return &Single{Fn: fn, Field: field, Body: field("body"), Size: field("body").Offset(8)}
}

// A Hashed is a key's hash. The function that jumps to the kernels for prepared filters leaves it in a register, and on
// the stack. AVX2 fills no vector from a register. Kernels that have both take the half that chooses the block from the
// register, and fill vectors from the stack: adding key after key takes a tenth less than either way alone (Zen 4).
type Hashed struct {
	fn         *kernel.Function
	inRegister bool          // halves come from the register, and so do vectors if there is no word
	high       reg.GPVirtual // has the high half, or is nil; where it is not, the register has the low one
	word       Mem           // on the stack
}

// inBoth returns the hash of an entry. Go does not declare entries, so vet lets them read half an argument.
func inBoth(fn *kernel.Function) Hashed {
	return Hashed{fn: fn, inRegister: true, word: fn.Address(fn.Param("hash"))}
}

// inRegister returns the hash that the function's caller left in a register.
func inRegister(fn *kernel.Function) Hashed { return Hashed{fn: fn, inRegister: true} }

// low loads the low half.
func (h Hashed) low(to reg.GPVirtual) {
	if h.inRegister {
		h.fn.MOVL(shared.HashedKey.As32(), to.As32())
	} else {
		h.fn.MOVL(h.word, to.As32())
	}
}

// High loads the high half.
func (h Hashed) High(to reg.GPVirtual) {
	switch {
	case h.high != nil:
		h.fn.MOVQ(h.high, to)
	case h.inRegister:
		h.fn.MOVQ(shared.HashedKey, to)
		h.fn.SHRQ(U8(32), to)
	default:
		h.fn.MOVL(h.word.Offset(4), to.As32())
	}
}

// lows fills the vector with the low half.
func (h Hashed) lows(v Op) {
	if h.word.Base == nil {
		h.fn.VPBROADCASTD(shared.HashedKey.As32(), v)
	} else {
		h.fn.VPBROADCASTD(h.word, v)
	}
}

// highs fills the vector with the high half.
func (h Hashed) highs(v Op) {
	switch {
	case h.high != nil:
		h.fn.VPBROADCASTD(h.high.As32(), v)
	case h.word.Base == nil:
		h.fn.VPBROADCASTQ(shared.HashedKey, v)
		h.fn.VPSHUFD(U8(0xf5), v, v)
	default:
		h.fn.VPBROADCASTD(h.word.Offset(4), v)
	}
}

// loadHash finds the hash among the arguments, unless it is in the register.
func (s *Single) loadHash() {
	if !s.Hash.inRegister {
		s.Hash = HashOf(s.Fn)
	}
}

// HashOf returns where the hash is. Vet wants an argument to be read in one piece, but the halves are
// needed.
func HashOf(fn *kernel.Function) Hashed {
	hash := fn.GP64()
	fn.LEAQ(fn.Address(fn.Param("hash")), hash)
	return Hashed{fn: fn, word: Mem{Base: hash}}
}

// Answer returns where the answer is returned.
func (s *Single) Answer() Mem { return s.Fn.Answer() }

// Offset finds the hash's block in the body.
func (s *Single) Offset() reg.GPVirtual {
	at := s.Fn.GP64()
	if size, ok := s.Size.(Mem); ok && s.Hash.inRegister {
		s.Fn.MULXL(size, at.As32(), at.As32()) // by DX, which has the hash; a body is smaller than 4 GiB
	} else {
		s.multiply(at)
	}
	s.Fn.ANDQ(I8(-64), at)
	return at
}

// multiply finds a place in the body in the hash's proportion.
func (s *Single) multiply(at reg.GPVirtual) {
	if s.Hash.high != nil {
		s.Fn.MOVQ(s.Size, at)
		s.Fn.IMULQ(shared.HashedKey, at)
	} else {
		s.Hash.low(at)
		s.Fn.IMULQ(s.Size, at)
	}
	s.Fn.SHRQ(U8(32), at)
}

// block returns the address of the block.
func (s *Single) block() Mem {
	at := s.Offset()
	s.Fn.ADDQ(s.Body, at)
	return Mem{Base: at}
}

// blockAt is block for one instruction, which adds the offset itself. That and no MULX, which is three operations, save
// 6 % at 32 MiB (Emerald Rapids).
func (s *Single) blockAt() Mem {
	body, ok := s.Body.(reg.Register)
	if !ok {
		body = s.Fn.GP64()
		s.Fn.MOVQ(s.Body, body)
	}
	at := s.Fn.GP64()
	s.multiply(at)
	s.Fn.ANDQ(I8(-64), at)
	return Mem{Base: body, Index: at, Scale: 1}
}

// High fills the vector with the high half of the hash.
func (s *Single) High(v Op) { s.Hash.highs(v) }

// Rotate brings the bits at the positions in the top bits of the products, each in
// its word, into bit 0 of the words.
func (s *Single) Rotate(words, products Op) {
	s.Fn.VPSRLD(U8(23), products, products)
	s.Fn.VPRORVD(products, words, words)
}

// NoneOf returns whether none of the lowest bits is set. CX has their number, negated:
// a shift by it leaves no others.
func (s *Single) NoneOf(bits reg.GPVirtual) {
	s.Fn.SHLL(reg.CL, bits)
	s.Fn.SETEQ(s.Answer())
}

// Otherwise continues a function on bytes in another one, which takes a hash in memory.
func (s *Single) Otherwise(name string) {
	s.Fn.Label("other")
	if s.Hash.inRegister {
		s.Fn.MOVQ(shared.HashedKey, s.Fn.Address(s.Fn.Param("key")))
	}
	s.Fn.TailCall(name)
}

// MaxProbes is the most probes of a key.
const MaxProbes = 30

// One returns the address of two doublewords of 1.
func (s *Single) One() Mem { return s.Fn.Words("one", 1|1<<32) }
