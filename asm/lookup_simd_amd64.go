//go:build goexperiment.simd && go1.27 && !go1.28 && !purego

package asm

import (
	"math/bits"
	"runtime"
	"simd/archsimd"
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
)

// An inlined selects the lookup in the closure of Lookup: for up to 8 or 16 probes of a block, with AVX-512 or AVX2.
type inlined uint8

// Their order matters: the closure tells groups apart by <=, with the last of each.
const (
	inlinesNone inlined = iota // it calls assembly
	inlinesFastLocal512by8
	inlinesSplitBlock
	inlinesFastLocal512by16
	inlinesFastLocal256by8
	inlinesFastLocal256by16
	inlinesBlobloom512by8
	inlinesBlobloom512by16
	inlinesPaired512by8
)

func inlinedOf(format Format, f form, body []byte, probes int) inlined {
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
	case format == Blobloom && f == form512by16:
		return inlinesBlobloom512by16
	case format == Paired && f == form512 && len(body) <= pairedNear: // both blocks without a branch
		return inlinesPaired512by8
	}
	return inlinesNone
}

// The closure loads these. Zero vectors and constants in it would be made before its first comparison, where the
// machine may have no AVX.
var (
	eightOnes     = [8]uint32{1, 1, 1, 1, 1, 1, 1, 1}
	sixteenOnes   = [16]uint32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	eightNegative = [8]int32{-1, -1, -1, -1, -1, -1, -1, -1}
)

// InlinesLookups reports whether Lookup's closure has lookups.
const InlinesLookups = true

// Lookup returns Contains as a closure, which the compiler inlines where it is called at one place of a function, and
// the closures in it: each may cost 800.
//
// Of a condition, the compiler puts the first part behind the comparison, and jumps to the other. Jumps that are taken
// cost more than comparisons: FastLocal of up to 8 probes takes none, of up to 16 one, and SplitBlock one. Code that is
// the same in two parts is written twice where the compiler addresses a block in fewer instructions then. A function
// that does nothing but load leaves a NOP where it is inlined: with one, FastLocal of up to 8 probes takes 4 % longer
// in 16 KiB, at most places of the caller's loop, and the same in 1 MiB.
func (k *Kernel) Lookup() func(hash uint64) bool {
	return func(hash uint64) bool {
		k.raceLookup(hash)
		in := k.inlined
		if in == inlinesNone {
			_, found := contains(k, hash)
			return found
		}
		ones := archsimd.LoadUint32x8Array(&eightOnes)
		if in <= inlinesSplitBlock {
			if in != inlinesSplitBlock {
				found := ones.AndNot(words512(k.blockAt(k.ownAt(hash)), archsimd.BroadcastUint32x8(uint32(hash>>32)).Mul(k.firstRow()))).IsZero()
				runtime.KeepAlive(k)
				return found
			}
			// Not by blockAt, whose 64 bytes would end behind the body: builds with the race detector check that.
			block := (*[8]uint32)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(k.body)), hash>>32*uint64(len(k.body))>>32&^(SplitBlockBytes-1)))
			bits := archsimd.BroadcastUint32x8(uint32(hash)).Mul(archsimd.LoadUint32x8Array(&fallback.SplitBlockSalts)).ShiftAllRight(27)
			found := ones.ShiftLeft(bits).AndNot(archsimd.LoadUint32x8Array(block)).IsZero()
			runtime.KeepAlive(k)
			return found
		}
		if in == inlinesFastLocal512by16 {
			at := archsimd.BroadcastUint32x16(uint32(hash >> 32)).Mul(k.bothRows()) // as words512 has it
			words := archsimd.LoadUint32x16Array(k.blockAt(k.ownAt(hash))).Permute(at.ShiftAllRight(28)).RotateRight(at.ShiftAllRight(23))
			sixteen := archsimd.LoadUint32x16Array(&sixteenOnes)
			found := words.And(sixteen).Equal(sixteen).ToBits() == 1<<16-1
			runtime.KeepAlive(k)
			return found
		}
		others := func(k *Kernel, in inlined, hash uint64, ones archsimd.Uint32x8) bool {
			high := archsimd.BroadcastUint32x8(uint32(hash >> 32))
			if in <= inlinesFastLocal256by16 {
				if in != inlinesFastLocal256by16 {
					return ones.AndNot(words256(k.blockAt(k.ownAt(hash)), high.Mul(k.firstRow()))).IsZero()
				}
				block := k.blockAt(k.ownAt(hash))
				return ones.AndNot(words256(block, high.Mul(k.firstRow())).And(words256(block, high.Mul(k.secondRow())))).IsZero()
			}
			own := k.ownAt(hash)
			if in <= inlinesBlobloom512by16 {
				block, step, start := k.blockAt(own), archsimd.BroadcastUint32x8(uint32(hash)<<9|1), high.ShiftAllLeft(23)
				if in != inlinesBlobloom512by16 {
					return ones.AndNot(words512(block, step.Mul(k.firstRow()).Add(start))).IsZero()
				}
				return ones.AndNot(words512(block, step.Mul(k.firstRow()).Add(start)).And(words512(block, step.Mul(k.secondRow()).Add(start)))).IsZero()
			}
			paired := func(k *Kernel, own uint64, high, ones archsimd.Uint32x8) bool {
				shape := (*pairedShape)(k.own)
				both := (uint64(*(*byte)(unsafe.Pointer(k.blockAt(own))))*BlockBytes ^ own) & uint64(shape.offsets) // where their offsets differ
				_, isLower := bits.Sub64(own, own^both, 0)                                                          // a branch would be mispredicted
				lower, products := own^both&(isLower-1), high.Mul(k.firstRow())
				shifted := products.ShiftAllLeft(9)
				return ones.AndNot(words512(k.blockAt(lower), shape.positions(products, shifted.ShiftAllRight(9))).
					And(words512(k.blockAt(lower^both), shape.positions(shifted, products.ShiftAllRight(9))))).IsZero()
			}
			return paired(k, own, high, ones)
		}
		found := others(k, in, hash, ones)
		runtime.KeepAlive(k)
		return found
	}
}

// ownAt returns where the block of a hash is. That is below len(k.body), which is whole blocks: the product's high half
// is below it.
func (k *Kernel) ownAt(hash uint64) uint64 {
	return uint64(uint32(hash)) * uint64(len(k.body)) >> 32 &^ (BlockBytes - 1)
}

func (k *Kernel) blockAt(at uint64) *[16]uint32 {
	return (*[16]uint32)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(k.body)), at))
}

// firstRow and secondRow return eight multipliers each, and bothRows sixteen. The compiler would compare a pointer to
// them with nil, but does not compare sums of pointers.
func (k *Kernel) firstRow() archsimd.Uint32x8 { return archsimd.LoadUint32x8Array(&k.eight) }

func (k *Kernel) secondRow() archsimd.Uint32x8 {
	return archsimd.LoadUint32x8Array((*[8]uint32)(unsafe.Add(unsafe.Pointer(k.multipliers), 32)))
}

func (k *Kernel) bothRows() archsimd.Uint32x16 {
	return archsimd.LoadUint32x16Array((*[16]uint32)(unsafe.Add(unsafe.Pointer(k.multipliers), 0)))
}

// words512 returns the words of a block that eight probes look at, with their bits at bit 0. Of a probe's position,
// the top four bits choose the word, and the next five its bit.
func words512(block *[16]uint32, at archsimd.Uint32x8) archsimd.Uint32x8 {
	low, high := archsimd.LoadUint32x8Array((*[8]uint32)(block[:8])), archsimd.LoadUint32x8Array((*[8]uint32)(block[8:]))
	return low.ConcatPermute(high, at.ShiftAllRight(28)).RotateRight(at.ShiftAllRight(23))
}

// words256 is words512 with AVX2, whose permutations have eight words: the top bit chooses between two.
func words256(block *[16]uint32, at archsimd.Uint32x8) archsimd.Uint32x8 {
	low, high := archsimd.LoadUint32x8Array((*[8]uint32)(block[:8])), archsimd.LoadUint32x8Array((*[8]uint32)(block[8:]))
	word := at.ShiftAllRight(28)
	words := low.Permute(word).IfElse(at.BitsToInt32().Greater(archsimd.LoadInt32x8Array(&eightNegative)), high.Permute(word))
	return words.ShiftRight(at.ShiftAllLeft(4).ShiftAllRight(27))
}

// positions returns those of the probes of one of two blocks: products, but where these are in the block's pair index,
// other bits of the products, spread over the rest of the block.
func (p *pairedShape) positions(products, others archsimd.Uint32x8) archsimd.Uint32x8 {
	indexed := archsimd.BroadcastUint32x8(p.indexed)
	return products.IfElse(products.Min(indexed).Equal(indexed), others.Mul(archsimd.BroadcastUint32x8(p.spread)).Add(indexed))
}
