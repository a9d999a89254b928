package asm

import "unsafe"

// together is how many keys are touched and then hashed: far fewer than there are
// lines in the first-level cache. Scattered keys of up to 1,023 bytes take up to 13 microseconds.
const together = 64

// touch loads a byte of every key, so that hashing finds the keys in the cache. The
// processor looks ahead over only a few hashes, but over many loads. For a million keys
// of 16 bytes, each allocated by itself and in random order, XX64 needs a third of the
// time with it. Scattered keys that were in the cache take half a nanosecond more
// (processor not recorded).
//
//go:noinline
func touch(keys [][]byte) (sum byte) {
	for _, key := range keys {
		if len(key) > 0 {
			sum ^= key[0]
		}
	}
	return sum // or the compiler would drop the loads
}

// scattered reports whether keys that follow each other are more than a page apart,
// judged by three pairs of them. If they are not, or are too few to tell, the processor's
// own prefetching is enough.
func scattered(keys [][]byte) bool {
	n := len(keys)
	return n >= 8 && (apart(keys[0], keys[1]) || apart(keys[n/2], keys[n/2+1]) || apart(keys[n-2], keys[n-1]))
}

func apart(a, b []byte) bool {
	const page = 4096
	return startOf(b)-startOf(a)+page > 2*page
}

func startOf(key []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(key))) }
