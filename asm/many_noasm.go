//go:build (!amd64 && !arm64) || purego

package asm

// farFrom is the size of bodies from which lines are prefetched.
const farFrom = 4 << 20

// isFar reports whether batches of lookups load lines ahead by themselves, which those
// of package fallback always do.
func isFar([]byte) bool { return true }

// prefetch loads the lines, since Go has no prefetch instruction: the loads wait for memory
// together. It is not inlined, because the compiler would remove loads without a use.
//
//go:noinline
func prefetch(body []byte, hashes []uint64) (all byte) {
	blocks := uint32(uint64(len(body)) / BlockBytes)
	for _, hash := range hashes {
		all |= body[uint(Block(hash, blocks))*BlockBytes]
	}
	return all
}

// isFarForAdding reports whether lines are prefetched before keys are added one by one. They
// are not here, where prefetching is loading: other goroutines change what is loaded.
func (f *FastLocal) isFarForAdding() bool { return false }
