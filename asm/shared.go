package asm

import (
	"encoding/binary"
	"fmt"
	"sync/atomic"
	"unsafe"
)

// NewSharedFastLocal is NewFastLocal of a body that several goroutines add to and query at
// once: by Contains, the methods whose names end in Shared, and all that take batches or the whole
// body. The body begins at a multiple of 8 bytes.
//
// Bits are set by atomic operations. A kernel's lookup has none: it sees every addition that
// happened before it, by the rules of Go's memory model, and of those beside it some bits
// or none. Go code looks up by atomic loads.
func NewSharedFastLocal(body []byte, probes int) Kernel {
	k := NewFastLocal(body, probes)
	k.share(&sharedFastLocalFunctions)
	return k
}

// share makes the body shared.
func (k *Kernel) share(f *functions) {
	if uintptr(unsafe.Pointer(unsafe.SliceData(k.body)))%8 != 0 {
		panic(fmt.Sprintf("asm: a shared body must begin at a multiple of 8, not at %p", unsafe.SliceData(k.body)))
	}
	k.shared = true
	k.use(f)
}

// words returns a shared body in words.
func (k *Kernel) words() []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(k.body))), len(k.body)/8)
}

// addAllShared is AddShared of every hash. Lines of far bodies are prefetched, the first to the
// second-level cache, which takes many at once, and then eight at a time to the first. If those came
// to the second, too, none was there in time in half of the rounds: 70 ns a key instead of 25 (32 MiB,
// Zen 5).
func (k *Kernel) addAllShared(hashes []uint64) {
	const together = 8
	far := k.isFarForAdd()
	if far && len(hashes) > 1 {
		k.prefetch(k.prefetchBytes(), hashes[:min(LinesAhead, len(hashes))], len(hashes) < 2*together)
	}
	for len(hashes) > 0 {
		if far && len(hashes) > LinesAhead {
			k.prefetch(k.prefetchBytes(), hashes[LinesAhead:min(LinesAhead+together, len(hashes))], true)
		}
		n := min(together, len(hashes))
		for _, hash := range hashes[:n] {
			k.AddShared(hash)
		}
		hashes = hashes[n:]
	}
}

func (k *Kernel) uniteShared(other *Kernel) {
	to, from := k.words(), other.words()
	for i := range to {
		if bits := atomic.LoadUint64(&from[i]); bits&^atomic.LoadUint64(&to[i]) != 0 {
			atomic.OrUint64(&to[i], bits)
		}
	}
}

func (k *Kernel) loadShared(to []byte, from int) {
	words := k.words()[from/8:]
	for i := range len(to) / 8 {
		binary.NativeEndian.PutUint64(to[8*i:], atomic.LoadUint64(&words[i]))
	}
}

func (k *Kernel) clearShared() {
	words := k.words()
	for i := range words {
		atomic.StoreUint64(&words[i], 0)
	}
}
