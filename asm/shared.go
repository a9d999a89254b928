package asm

import (
	"encoding/binary"
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
)

// NewSharedFastLocal is NewFastLocal of a body that several goroutines add to and query at
// once: by the methods whose names end in Shared, and by all that take batches or the whole
// body. The body begins at a multiple of 8 bytes.
//
// Bits are set by atomic operations. A kernel's lookup has none: it sees every addition that
// happened before it, by the rules of Go's memory model, and of those beside it some bits
// or none. Go code looks up by atomic loads.
func NewSharedFastLocal(body []byte, probes int) FastLocal {
	f := NewFastLocal(body, probes)
	if uintptr(unsafe.Pointer(unsafe.SliceData(body)))%8 != 0 {
		panic(fmt.Sprintf("asm: a shared body must begin at a multiple of 8, not at %p", unsafe.SliceData(body)))
	}
	f.shared = true
	return f
}

// words returns a shared body in words.
func (f *FastLocal) words() []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(f.body))), len(f.body)/8)
}

// containsBatchInGo answers without a kernel.
func (f *FastLocal) containsBatchInGo(hashes, hits []uint64) {
	if f.shared {
		fallback.SharedFastLocalContainsBatch(f.words(), f.probes, hashes, hits)
		return
	}
	fallback.FastLocalContainsBatch(f.body, f.probes, hashes, hits)
}

// addAllShared is AddShared of every hash. Lines of far bodies are prefetched, eight at a time, which
// come to the first-level cache. Of 16 and more, which come to the second, none was there in time in
// half of the rounds: 70 ns a key instead of 25 (32 MiB, Zen 5).
func (f *FastLocal) addAllShared(hashes []uint64) {
	const together = 8
	far := f.isFarForAdding()
	if far && len(hashes) > 1 {
		f.Prefetch(hashes[:min(LinesAhead, len(hashes))])
	}
	for len(hashes) > 0 {
		if far && len(hashes) > LinesAhead {
			f.Prefetch(hashes[LinesAhead:min(LinesAhead+together, len(hashes))])
		}
		n := min(together, len(hashes))
		for _, hash := range hashes[:n] {
			f.AddShared(hash)
		}
		hashes = hashes[n:]
	}
}

func (f *FastLocal) uniteShared(other *FastLocal) {
	to, from := f.words(), other.words()
	for i := range to {
		if bits := atomic.LoadUint64(&from[i]); bits&^atomic.LoadUint64(&to[i]) != 0 {
			atomic.OrUint64(&to[i], bits)
		}
	}
}

func (f *FastLocal) loadShared(to []byte, from int) {
	words := f.words()[from/8:]
	for i := range len(to) / 8 {
		binary.NativeEndian.PutUint64(to[8*i:], atomic.LoadUint64(&words[i]))
	}
}

func (f *FastLocal) clearShared() {
	words := f.words()
	for i := range words {
		atomic.StoreUint64(&words[i], 0)
	}
}
