//go:build (!amd64 && !arm64) || purego

package asm

import (
	"runtime"

	"github.com/simdbloom/simdbloom/fallback"
)

// farFrom is the size of bodies from which lines are prefetched.
const farFrom = 4 << 20

// isFar reports whether batches of lookups load lines ahead by themselves, which those
// of package fallback always do.
func isFar([]byte) bool { return true }

// prefetch loads the lines, since Go has no prefetch instruction: the loads wait for memory
// together. It is not inlined, because the compiler would remove loads without a use.
//
//go:noinline
func (k *Kernel) prefetch(bytes int, hashes []uint64, _ bool) (all byte) {
	if blocks := uint32(uint64(bytes) / BlockBytes); blocks > 0 {
		for _, hash := range hashes {
			all |= k.body[uint(fallback.Block(hash>>(8*k.blockHalf), blocks))*BlockBytes]
		}
	}
	runtime.KeepAlive(k)
	return all
}

// isFarForAdd reports whether lines are prefetched before keys are added one by one. They
// are not here, where prefetching is loading: other goroutines change what is loaded.
func (k *Kernel) isFarForAdd() bool { return false }
