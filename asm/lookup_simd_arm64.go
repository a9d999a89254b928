//go:build goexperiment.simd && go1.27 && !go1.28 && !purego

package asm

import (
	"runtime"
	"simd/archsimd"
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
)

// An inlined selects the lookup in the closure of Lookup: of split blocks, or none. The other formats gain nothing
// from NEON one key at a time: see kernel_arm64.go.
type inlined bool

func inlinedOf(format Format, f form, _ []byte, _ int) inlined {
	return format == SplitBlock && f != formGeneric
}

var (
	fourOnes        = [4]uint32{1, 1, 1, 1}
	splitBlockSalts = [2][4]uint32{[4]uint32(fallback.SplitBlockSalts[:4]), [4]uint32(fallback.SplitBlockSalts[4:])}
)

// InlinesLookups reports whether Lookup's closure has lookups.
const InlinesLookups = true

// Lookup returns Contains as a closure, which the compiler inlines where it is called at one place of a function.
// The position of a block is below len(k.body), which is whole blocks: the product's high half is below it.
func (k *Kernel) Lookup() func(hash uint64) bool {
	return func(hash uint64) bool {
		if !k.inlined {
			return k.Contains(hash)
		}
		k.raceLookup(hash)
		block := unsafe.Add(unsafe.Pointer(unsafe.SliceData(k.body)), hash>>32*uint64(len(k.body))>>32&^(SplitBlockBytes-1))
		ones, low := archsimd.LoadUint32x4Array(&fourOnes), archsimd.BroadcastUint32x4(uint32(hash))
		first := low.Mul(archsimd.LoadUint32x4Array(&splitBlockSalts[0])).ShiftAllRight(27).ConvertToInt32()
		second := low.Mul(archsimd.LoadUint32x4Array(&splitBlockSalts[1])).ShiftAllRight(27).ConvertToInt32()
		missing := ones.Shift(first).AndNot(archsimd.LoadUint32x4Array((*[4]uint32)(block))).
			Or(ones.Shift(second).AndNot(archsimd.LoadUint32x4Array((*[4]uint32)(unsafe.Add(block, 16))))).ReshapeToUint64s()
		runtime.KeepAlive(k)
		return missing.GetElem(0)|missing.GetElem(1) == 0
	}
}
