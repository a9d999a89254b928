//go:build goexperiment.simd && go1.27 && !go1.28 && !purego

package asm

import (
	"simd/archsimd"
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
)

// An inlined selects the lookup in the closure of Lookup: for up to 8 or 16 probes, with AVX-512 or AVX2.
// Their order is that of the closure's comparisons, which are few for each: taken branches cost most.
type inlined uint8

const (
	inlinesNone inlined = iota // it calls assembly
	inlinesFastLocal512by8
	inlinesSplitBlock
	inlinesFastLocal512by16
	inlinesBlobloom512by8
	inlinesFastLocal256by8
	inlinesFastLocal256by16
)

// The closure has no room for more: the compiler inlines one of a cost of 800 at most.
func inlinedOf(format Format, f form, probes int) inlined {
	switch {
	case format == SplitBlock && f != formGeneric:
		return inlinesSplitBlock
	case format == FastLocal && f == form512:
		return inlinesFastLocal512by8
	case format == FastLocal && f == form512by16:
		return inlinesFastLocal512by16
	case format == FastLocal && f == form256 && probes <= 8:
		return inlinesFastLocal256by8
	case format == FastLocal && f == form256 && probes <= 16:
		return inlinesFastLocal256by16
	case format == Blobloom && f == form512:
		return inlinesBlobloom512by8
	}
	return inlinesNone
}

// The closure loads these. Zero vectors and constants in it would be made before its first comparison, where the
// machine may have no AVX.
var (
	eightOnes       = [8]uint32{1, 1, 1, 1, 1, 1, 1, 1}
	eightThirtyOnes = [8]uint32{31, 31, 31, 31, 31, 31, 31, 31}
	eightNegative   = [8]int32{-1, -1, -1, -1, -1, -1, -1, -1}
)

// Lookup returns Contains as a closure, which the compiler inlines where it is called at one place of a function.
// The position of a block is below len(k.body), which is whole blocks: the product's high half is below it.
func (k *Kernel) Lookup() func(hash uint64) bool {
	return func(hash uint64) bool {
		k.looksUp(hash)
		in := k.inlined
		if in == inlinesNone {
			_, found := contains(k, hash)
			return found
		}
		body, ones := unsafe.Pointer(unsafe.SliceData(k.body)), archsimd.LoadUint32x8Array(&eightOnes)
		if in == inlinesSplitBlock {
			block := (*[8]uint32)(unsafe.Add(body, hash>>32*uint64(len(k.body))>>32&^(SplitBlockBytes-1)))
			bits := archsimd.BroadcastUint32x8(uint32(hash)).Mul(archsimd.LoadUint32x8Array(&fallback.SplitBlockSalts)).ShiftAllRight(27)
			return ones.ShiftLeft(bits).AndNot(archsimd.LoadUint32x8Array(block)).IsZero()
		}
		at := uint64(uint32(hash)) * uint64(len(k.body)) >> 32 &^ (BlockBytes - 1)
		low, high := archsimd.LoadUint32x8Array((*[8]uint32)(unsafe.Add(body, at))), archsimd.LoadUint32x8Array((*[8]uint32)(unsafe.Add(body, at+32)))
		product := archsimd.BroadcastUint32x8(uint32(hash >> 32))
		if in >= inlinesFastLocal256by8 {
			found := words256(low, high, product.Mul(archsimd.LoadUint32x8Array(&k.eight)))
			if in == inlinesFastLocal256by16 {
				found = found.And(words256(low, high, product.Mul(archsimd.LoadUint32x8Array((*[8]uint32)(k.multipliers[8:])))))
			}
			return ones.AndNot(found).IsZero()
		}
		if in == inlinesFastLocal512by8 {
			return ones.AndNot(words512(low, high, product.Mul(archsimd.LoadUint32x8Array(&k.eight)))).IsZero()
		}
		if in == inlinesFastLocal512by16 {
			products := archsimd.BroadcastUint32x16(uint32(hash >> 32)).Mul(archsimd.LoadUint32x16Array((*[16]uint32)(k.multipliers[:])))
			words := archsimd.LoadUint32x16Array((*[16]uint32)(unsafe.Add(body, at))).Permute(products.ShiftAllRight(28)).RotateRight(products.ShiftAllRight(23))
			return ones.AndNot(words.GetLo().And(words.GetHi())).IsZero()
		}
		step := archsimd.BroadcastUint32x8(uint32(hash)<<9 | 1)
		return ones.AndNot(words512(low, high, step.Mul(archsimd.LoadUint32x8Array(&k.eight)).Add(product.ShiftAllLeft(23)))).IsZero()
	}
}

// words512 returns the words of a block that eight probes look at, with their bits at bit 0. Of a probe's position,
// the top four bits choose the word, and the next five its bit.
func words512(low, high, at archsimd.Uint32x8) archsimd.Uint32x8 {
	return low.ConcatPermute(high, at.ShiftAllRight(28)).RotateRight(at.ShiftAllRight(23))
}

// words256 is words512 with AVX2, whose permutations have eight words: the top bit chooses between two.
func words256(low, high, at archsimd.Uint32x8) archsimd.Uint32x8 {
	word := at.ShiftAllRight(28)
	words := low.Permute(word).IfElse(at.BitsToInt32().Greater(archsimd.LoadInt32x8Array(&eightNegative)), high.Permute(word))
	return words.ShiftRight(at.ShiftAllRight(23).And(archsimd.LoadUint32x8Array(&eightThirtyOnes)))
}
