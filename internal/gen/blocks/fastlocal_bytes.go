package blocks

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/hash"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// newFastLocalBytes begins the kernel for bytes, and returns the hash's block. CX has the number of
// probes less one, or more than that may be for bytes that are no filter. The trailer is 0xff, 0, the
// number of probes, and 0, 0.
//
// In a large filter each instruction counts: the fewer a lookup has, the more lookups wait for memory
// at once. So one comparison checks the trailer.
func newFastLocalBytes(f *kernel.File, level kernel.Level, name, doc string) (s *Single, block Mem) {
	return newBytes(f, level, name, doc).fastLocalBytes()
}

// newBytes begins a kernel for bytes.
func newBytes(f *kernel.File, level kernel.Level, name, doc string) *Single {
	fn := f.Function(level, name, shared.OfAnyBytes, name+" is "+doc)
	shared.UnlessLevel(fn, level)
	return &Single{Fn: fn}
}

// fastLocalBytes is newFastLocalBytes of a function that has begun, and maybe hashed the key.
func (s *Single) fastLocalBytes() (_ *Single, block Mem) {
	fn := s.Fn
	data, size, blocks, at := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	fn.Load(fn.Param("size"), size)
	fn.LEAQ(Mem{Base: size, Disp: -5}, blocks)
	fn.SHRQ(U8(6), blocks)
	fn.LEAQ(Mem{Base: blocks, Disp: -1}, at)
	fn.CMPQ(at, U32(MaxBlocks-1))
	fn.JHI(LabelRef("other"))
	fn.Load(fn.Param("data"), data)
	fn.MOVQ(Mem{Base: data, Index: size, Scale: 1, Disp: -8}, reg.RCX)
	s.loadHash()
	s.Hash.low(at)
	fn.IMULQ(blocks, at)
	fn.SHRQ(U8(32), at)
	fn.SHLQ(U8(6), at)
	fn.SHRQ(U8(24), reg.RCX)
	fn.SUBQ(U32(0xff|1<<16), reg.RCX)
	fn.RORQ(U8(16), reg.RCX)
	return s, Mem{Base: data, Index: at, Scale: 1}
}

// MaxBlocks is how many blocks the largest body has.
const MaxBlocks = 1<<26 - 1

// fastLocalBytes512 emits one kernel of both for a filter's bytes.
func fastLocalBytes512(f *kernel.File) {
	s, block := newFastLocalBytes(f, kernel.AVX512, "fastLocalMayContain", "FastLocalMayContain.")
	s.fastLocalOfBytes512(block)
	s.Otherwise("fastLocalMayContainAVX2")

	lookUp := func(s *Single) {
		_, block := s.fastLocalBytes()
		s.fastLocalOfBytes512(block)
	}
	keyInBytes(f, "fastLocalMayContainKey", "FastLocalMayContainKey of a key of up to 31 bytes.", hash.ShortXX64, "fastLocalMayContainAVX2", lookUp)
	keyInBytes(f, "fastLocalMayContainKeyXXPH3", "FastLocalMayContainKeyXXPH3 of a key of 4 to 32 bytes.", hash.ShortXXPH3, "fastLocalMayContainAVX2", lookUp)
}

// fastLocalOfBytes512 looks the key up. CX has what newFastLocalBytes says.
func (s *Single) fastLocalOfBytes512(block Mem) {
	s.Fn.CMPQ(reg.RCX, U8(7))
	s.Fn.JHI(LabelRef("more"))
	last := s.Fn.GP64()
	s.Fn.LEAQ(s.lastPowers(), last)
	s.High(reg.Z16)
	s.eightOf512(block, Mem{Base: last, Index: reg.RCX, Scale: 4})
	s.Fn.Label("more")
	s.Fn.CMPQ(reg.RCX, U8(MaxProbes-1))
	s.Fn.JHI(LabelRef("other"))
	s.Fn.INCL(reg.ECX)
	s.fastLocalMore512(block)
}

// lastPowers returns the address of eight words for one probe. The eight behind the first n of these words
// are for n probes more.
func (s *Single) lastPowers() Mem {
	var words [8]uint64
	powers := PowersOfPhi()
	for i, power := range powers[:8] {
		words[i/2] |= 1 << (i % 2 * 32)
		words[(i+7)/2] |= uint64(power) << ((i + 7) % 2 * 32)
	}
	return s.Fn.Words("lastPowers", words[:]...)
}

// fastLocalBytes256 emits it for a filter's bytes.
func fastLocalBytes256(f *kernel.File) {
	s, block := newFastLocalBytes(f, kernel.AVX2, "fastLocalMayContainAVX2", "where fastLocalMayContain continues without AVX-512.")
	s.Fn.CMPQ(reg.RCX, U8(MaxProbes-1))
	s.Fn.JHI(LabelRef("other"))
	s.Fn.INCL(reg.ECX)
	s.probes256(Powers, block, s.Powers)
	s.Otherwise("fastLocalMayContainOther")
}
