package blocks

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/hash"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Keys512 emits the functions that hash one short key, or less than eight, and look it up, in FastLocal with up to 8
// probes and in SplitBlock.
func Keys512(f *kernel.File) {
	hash.KeyEntries(f, "fastLocalKeyEntries", "fastLocalContainsKey", kernel.AVX512, func(fn *kernel.Function, high reg.GPVirtual) {
		s := newKeyed(fn, high)
		s.High(reg.Z16)
		s.eightOf512(s.blockAt(), s.Field("eight"))
	})
	hash.KeyEntries(f, "splitBlockKeyEntries", "splitBlockContainsKey", kernel.AVX512, func(fn *kernel.Function, high reg.GPVirtual) {
		s := newKeyed(fn, high)
		s.splitContains512(s.splitBlock())
	})
	hash.KeysEntries(f, "fastLocalKeysEntries", "fastLocalContainsKeys", kernel.AVX512, func(fn *kernel.Function, r hash.Room) (done Op) {
		return eachHash(fn, r, func(s *Single) (lookUp func() (missing reg.OpmaskVirtual)) {
			multipliers := s.multipliers512(s.Field("eight"), reg.Z19)
			return func() reg.OpmaskVirtual {
				s.High(reg.Z16)
				return s.eight512(s.blockAt(), multipliers)
			}
		})
	})
	hash.KeysEntries(f, "splitBlockKeysEntries", "splitBlockContainsKeys", kernel.AVX512, func(fn *kernel.Function, r hash.Room) (done Op) {
		return eachHash(fn, r, func(s *Single) (lookUp func() (missing reg.OpmaskVirtual)) {
			salts, ones, bits := reg.Y19, reg.Y18, reg.Y17
			fn.VMOVDQU32(splitSalts(fn, 1), salts)
			fn.VPBROADCASTD(s.One(), ones)
			return func() reg.OpmaskVirtual { return s.split512(s.splitBlock(), salts, ones, bits) }
		})
	})
}

// newKeyed continues on a prepared filter with the halves of the hash in registers.
func newKeyed(fn *kernel.Function, high reg.GPVirtual) *Single {
	s := newSingle(fn, shared.FieldOf(fn, shared.Prepared))
	s.Hash = inRegister(fn)
	s.Hash.high = high
	return s
}

// eachHash emits the loop over hashes. begin loads what lookUp, which it returns, needs for every hash.
func eachHash(fn *kernel.Function, r hash.Room, begin func(s *Single) (lookUp func() (missing reg.OpmaskVirtual))) (done Op) {
	filter, hits, i := fn.GP64(), fn.GP64(), fn.GP64()
	fn.Load(fn.Param("k"), filter)
	fn.Load(fn.Param("hits").Base(), hits)
	s := newSingle(fn, shared.FieldOf(fn, filter))
	s.Hash = Hashed{fn: fn, word: r.Hashes.Idx(i, shared.HashBytes)}
	body, size := fn.GP64(), fn.GP64()
	fn.MOVQ(s.Body, body)
	fn.MOVQ(s.Size, size)
	s.Body, s.Size = body, size
	lookUp := begin(s)
	fn.XORL(i.As32(), i.As32())
	fn.Label("hash")
	missing := lookUp()
	fn.KORTESTB(missing, missing)
	fn.SETEQ(Mem{Base: hits, Index: i, Scale: 1})
	fn.INCQ(i)
	fn.CMPQ(i, r.N)
	fn.JB(LabelRef("hash"))
	return r.N
}
