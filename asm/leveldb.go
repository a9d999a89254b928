package asm

import (
	"runtime"
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
)

// NewLevelDB returns the filter with the given body. It panics if the body is empty, or if there are
// more than MaxProbes probes. Without probes, the filter contains every hash. A key's bits are anywhere
// in the body. The kernel is for one key: batches of an octet and more are looked up in pure Go.
func NewLevelDB(body []byte, probes int) Kernel {
	if len(body) == 0 {
		panic("asm: the body must not be empty")
	}
	checkProbes(probes, 0)
	form := formOf(1)
	k := Kernel{
		body: body, format: LevelDB, form: form, probes: probes, oneByOneMax: oneByOneMaxOf(LevelDB, form, body),
	}
	k.levelDB().modulus = fallback.NewModulus(8 * uint64(len(body)))
	k.use(&levelDBFunctions)
	return k
}

// levelDBFilter is in the place of other formats' first multipliers.
type levelDBFilter struct {
	modulus fallback.Modulus // of the bits
}

func (k *Kernel) levelDB() *levelDBFilter { return (*levelDBFilter)(unsafe.Pointer(&k.eight)) }

func levelDBContainsGo(k *Kernel, hash uint64) (_ uint64, found bool) {
	found = fallback.LevelDBContains(k.body, k.levelDB().modulus, k.probes, hash)
	runtime.KeepAlive(k)
	return 0, found
}

func levelDBBitsInGo(k *Kernel, hashes, hits []uint64) {
	fallback.LevelDBContainsBatch(k.body, k.levelDB().modulus, k.probes, hashes, hits)
	runtime.KeepAlive(k)
}
