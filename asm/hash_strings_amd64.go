//go:build !purego

package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/race"
)

// mostStrings of less than 128 bytes, one behind the other, take up to 6 microseconds, and some times as much from memory.
const mostStrings = 512

// Nanoseconds for a string of the given number of bytes, in Go and by the kernel (Sapphire Rapids):
//
//	8          4.8   1.7
//	16         5.4   2.1
//	31         8.7   4.3
//	0 to 31   18.9   4.3
//	32         7.3   3.9
//	40         7.4   4.4
//	100       17    10
//	20 to 40  19.8  19.6

// The kernel for AVX-512 leaves strings of 128 bytes or more to Go, with their neighbours, and so those that have different
// numbers of whole 32 bytes, and those that make Go
// panic. It reads a copy of the offsets, which nobody changes after it has compared them with the data's size.
func hashStrings[O uint32 | uint64](hashes []uint64, offsets []O, data []byte) {
	if cpu.Current() == cpu.AVX512 && len(hashes) >= octet && len(data) > 0 { // a nil pointer takes the kernel 16 ns
		race.Write(hashes)
		race.Read(data[offsets[0]:offsets[len(hashes)]:len(data)]) // not up to its capacity
		var copied [mostStrings + 1]O
		var left [mostStrings / octet]bool
		for len(hashes) >= octet {
			n := min(len(hashes), mostStrings) &^ (octet - 1)
			copy(copied[:n+1], offsets)
			if first := unsafe.Pointer(&copied[0]); unsafe.Sizeof(copied[0]) == 4 {
				hashStrings32AVX512(&hashes[0], (*uint32)(first), unsafe.SliceData(data), len(data), n, &left[0])
			} else {
				hashStrings64AVX512(&hashes[0], (*uint64)(first), unsafe.SliceData(data), len(data), n, &left[0])
			}
			for i := range n / octet {
				if from := octet * i; left[i] {
					fallback.HashStrings(hashes[from:from+octet], offsets[from:from+octet+1], data)
				}
			}
			hashes, offsets = hashes[n:], offsets[n:]
		}
	}
	fallback.HashStrings(hashes, offsets, data)
}
