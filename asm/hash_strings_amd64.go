//go:build !purego

package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

func hashStrings[O uint32 | uint64](hashes []uint64, offsets []O, data []byte) {
	inGo := func(from, to int) { fallback.HashStrings(hashes[from:to], offsets[from:to+1], data) }
	level := cpu.Current()
	if level == cpu.Generic || len(hashes) < octet || len(data) == 0 { // a nil pointer takes the kernel 16 ns
		inGo(0, len(hashes))
		return
	}
	raceWrite(hashes)
	raceRead(data[offsets[0]:offsets[len(hashes)]:len(data)]) // not up to its capacity
	if level == cpu.AVX2 {
		data = data[:len(data):len(data)]
		hashStringsAVX2(hashes, offsets, data, inGo)
		return
	}
	var copied [mostHashedKeys + octet]O // whole octets, of one offset more than there are strings
	var widened [mostHashedKeys + octet]uint64
	for at := 0; at < len(hashes); {
		n := hashedKeysNext(len(hashes)-at, mostHashedKeys)
		copy(copied[:n+1], offsets[at:])
		if hashEven(hashes[at:at+n], copied[:n+1], data) {
			at += n
			continue
		}
		first := (*uint64)(unsafe.Pointer(&copied[0]))
		if unsafe.Sizeof(copied[0]) < unsafe.Sizeof(widened[0]) {
			widenOffsets(&widened[0], (*uint32)(unsafe.Pointer(&copied[0])), n/octet+1)
			first = &widened[0]
		}
		second := (*uint64)(unsafe.Add(unsafe.Pointer(first), unsafe.Sizeof(*first)))
		hashPlaces(hashes[at:at+n], first, second, data, func(from int) { inGo(at+from, at+from+octet) })
		at += n
	}
}

// hashEven hashes strings that all have 8 or 16 bytes, and reports whether they have. Nobody changes the offsets.
func hashEven[O uint32 | uint64](hashes []uint64, offsets []O, data []byte) bool {
	n := uint64(len(hashes))
	from, to := uint64(offsets[0]), uint64(offsets[n])
	if size := to - from; to > uint64(len(data)) || size != 8*n && size != 16*n {
		return false
	}
	size, other := offsets[1]-offsets[0], O(0)
	for i, offset := range offsets[1:] {
		other |= (offset - offsets[i]) ^ size
	}
	if other != 0 {
		return false
	}
	if first := unsafe.Pointer(&data[from]); size == 8 {
		hashUint64sAVX512(&hashes[0], (*uint64)(first), len(hashes))
	} else {
		hashPairs(hashes, unsafe.Slice((*[16]byte)(first), n))
	}
	return true
}

func hashSpans(hashes []uint64, spans [][2]uint32, data []byte) {
	inGo := func(from, to int) { fallback.HashSpans(hashes[from:to], spans[from:to], data) }
	level := cpu.Current()
	if level == cpu.Generic || len(hashes) < octet || len(data) == 0 {
		inGo(0, len(hashes))
		return
	}
	raceWrite(hashes)
	raceRead(spans)
	raceRead(data)
	if level == cpu.AVX2 {
		data = data[:len(data):len(data)]
		hashSpansAVX2(hashes, spans, data, inGo)
		return
	}
	var copied [mostHashedKeys][2]uint32 // whole octets
	var begin, end [mostHashedKeys]uint64
	for at := 0; at < len(hashes); {
		n := hashedKeysNext(len(hashes)-at, mostHashedKeys)
		copy(copied[:n], spans[at:])
		widenSpans(&begin[0], &end[0], &copied[0], (n+octet-1)/octet)
		hashPlaces(hashes[at:at+n], &begin[0], &end[0], data, func(from int) { inGo(at+from, at+from+octet) })
		at += n
	}
}

// hashPlaces hashes strings whose places in the data nobody changes after the kernel has compared them with the data's
// size. Eight strings of which one is long or beyond the data are left to Go, which panics about the latter.
func hashPlaces(hashes []uint64, from, to *uint64, data []byte, inGo func(from int)) {
	leftOctets(hashStringsAVX512(&hashes[0], from, to, unsafe.SliceData(data), len(data), len(hashes)), len(hashes), inGo)
}

// slicesAVX2 are strings that AVX2 hashes as keys. (A function that returns each of them takes 1.2 times as long, and
// one that sets all of them has them allocated.)
type slicesAVX2 [octet * octet][]byte

func hashStringsAVX2[O uint32 | uint64](hashes []uint64, offsets []O, data []byte, inGo func(from, to int)) {
	var keys slicesAVX2
	for at := 0; at < len(hashes); {
		n := hashedKeysNext(len(hashes)-at, len(keys))
		from := offsets[at]
		for i, to := range offsets[at+1:][:n] {
			keys[i] = data[from:to]
			from = to
		}
		keys.hash(hashes[at:at+n], func(from int) { inGo(at+from, at+from+octet) })
		at += n
	}
}

func hashSpansAVX2(hashes []uint64, spans [][2]uint32, data []byte, inGo func(from, to int)) {
	var keys slicesAVX2
	for at := 0; at < len(hashes); {
		n := hashedKeysNext(len(hashes)-at, len(keys))
		for i, span := range spans[at:][:n] {
			keys[i] = data[span[0]:span[1]]
		}
		keys.hash(hashes[at:at+n], func(from int) { inGo(at+from, at+from+octet) })
		at += n
	}
}

// hash hashes the first strings, and has eights of which one is long hashed in Go.
func (keys *slicesAVX2) hash(hashes []uint64, inGo func(from int)) {
	leftOctets(hashKeysAVX2(&hashes[0], &keys[0], len(hashes)), len(hashes), inGo)
}
