//go:build race

package asm

import (
	"runtime"
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
)

// These functions tell the race detector what kernels read and write, which it does not see.

// raceEnabled reports whether the detector is part of this program.
const raceEnabled = true

// raceRead says that all of s is read.
func raceRead[T any](s []T) {
	if len(s) > 0 {
		runtime.RaceReadRange(hiddenStart(s), len(s)*int(unsafe.Sizeof(s[0])))
	}
}

// raceWrite says that all of s is written.
func raceWrite[T any](s []T) {
	if len(s) > 0 {
		runtime.RaceWriteRange(hiddenStart(s), len(s)*int(unsafe.Sizeof(s[0])))
	}
}

// hiddenStart is where s begins: the runtime's functions would let everything that kernels use escape to the heap.
func hiddenStart[T any](s []T) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(hiddenSlice(s)))
}

// block is the hash's block, or the body's first one in formats whose builders alone write, and never beside lookups.
func (k *Kernel) block(hash uint64) []byte {
	if !k.prefetchable {
		return k.body[:min(BlockBytes, len(k.body))]
	}
	if k.format == SplitBlock {
		return k.body[uint64(fallback.Block(hash>>(8*k.blockHalf), uint32(len(k.body)/SplitBlockBytes)))*SplitBlockBytes:][:SplitBlockBytes]
	}
	return k.body[uint64(fallback.Block(hash, uint32(len(k.body)/BlockBytes)))*BlockBytes:][:BlockBytes]
}

// raceLookup marks the lookup of a hash. Those in a shared body meet atomic operations.
func (k *Kernel) raceLookup(hash uint64) {
	if !k.shared {
		raceRead(k.block(hash))
	}
}

func (k *Kernel) raceLookups(hashes []uint64) {
	raceRead(hashes)
	for _, hash := range hashes {
		k.raceLookup(hash)
	}
}

func (k *Kernel) raceLookupBits(hashes, hits []uint64) {
	k.raceLookups(hashes)
	raceWrite(hits[:min(Words(len(hashes)), len(hits))])
}

func (k *Kernel) raceLookupBools(hashes []uint64, hits []bool) {
	k.raceLookups(hashes)
	raceWrite(hits[:min(len(hashes), len(hits))])
}

func (k *Kernel) raceAdd(hash uint64) { raceWrite(k.block(hash)) }

func (k *Kernel) raceAddAll(hashes []uint64) {
	raceRead(hashes)
	for _, hash := range hashes {
		k.raceAdd(hash)
	}
}

func raceReadBlock(data []byte) { raceRead(data[:min(BlockBytes, len(data))]) }

func raceReadKey(key []byte) { raceRead(key) }

func raceReadKeys(keys [][]byte) {
	raceRead(keys)
	for _, key := range keys {
		raceRead(key)
	}
}

func raceWriteLines(body []byte, lines int) { raceWrite(body[:lines*BlockBytes]) }

// raceReadRows marks rows of a sliced tile.
func raceReadRows(tile []byte, rows []uint64, rowBytes int) {
	raceRead(rows)
	for _, row := range rows {
		raceRead(tile[row:][:rowBytes])
	}
}

// raceReadColumns marks the words of a sliced tile's rows that have the bodies' bits.
func raceReadColumns(tile []byte, stride, column int, bodies [][]byte) {
	eachRow(tile, stride, column, bodies, raceRead[byte])
}

func raceWriteColumns(tile []byte, stride, column int, bodies [][]byte) {
	eachRow(tile, stride, column, bodies, raceWrite[byte])
}

func eachRow(tile []byte, stride, column int, bodies [][]byte, do func(words []byte)) {
	for row := range 8 * len(bodies[0]) {
		do(tile[row*stride+column/64*8 : row*stride+(column+len(bodies)+63)/64*8])
	}
}

func raceWriteBodies(bodies [][]byte) {
	raceRead(bodies)
	for _, body := range bodies {
		raceWrite(body)
	}
}
