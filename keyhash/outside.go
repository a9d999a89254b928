package keyhash

import (
	"encoding/binary"
	"sync"
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

// sumsOutsideUint64 is sumOutside of the 8 bytes of every key.
func (a *algorithm) sumsOutsideUint64(sums, keys []uint64) {
	buf := keyCopies.Get().(*[]byte)
	var bytes [8]byte
	for i, key := range keys {
		binary.LittleEndian.PutUint64(bytes[:], key)
		sums[i] = a.sumCopy(buf, bytes[:])
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
