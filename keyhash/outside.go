package keyhash

import (
	"encoding/binary"
	"sync"
	"unsafe"
)

// keyCopies holds the memory that outside functions see keys in.
var keyCopies = sync.Pool{New: func() any { return new([]byte) }}

// mostKept is the size in bytes up to which the memory of a key's copy is kept.
const mostKept = 64 << 10

// sumOutside calls a function that the compiler cannot look into, with a copy of key.
// If it passed key itself, every key of every caller, whatever its hash, would escape to
// the heap.
func (a *algorithm) sumOutside(key []byte) uint64 {
	buf := keyCopies.Get().(*[]byte)
	sum := a.sumCopy(buf, key)
	keepCopy(buf)
	return sum
}

// sumsOutside is sumOutside of every key, with one memory for their copies.
func (a *algorithm) sumsOutside(sums []uint64, keys [][]byte) {
	buf := keyCopies.Get().(*[]byte)
	for i, key := range keys {
		sums[i] = a.sumCopy(buf, key)
	}
	keepCopy(buf)
}

// sumsOutsideNumbers is sumOutside of the 8 or 4 bytes of every key.
func sumsOutsideNumbers[N uint64 | uint32](a *algorithm, sums []uint64, keys []N) {
	buf := keyCopies.Get().(*[]byte)
	var bytes [8]byte
	for i, key := range keys {
		binary.LittleEndian.PutUint64(bytes[:], uint64(key))
		sums[i] = a.sumCopy(buf, bytes[:unsafe.Sizeof(key)])
	}
	keepCopy(buf)
}

func (a *algorithm) sumCopy(buf *[]byte, key []byte) uint64 {
	*buf = append((*buf)[:0], key...)
	return a.outside(*buf)
}

func keepCopy(buf *[]byte) {
	if cap(*buf) <= mostKept {
		keyCopies.Put(buf)
	}
}
