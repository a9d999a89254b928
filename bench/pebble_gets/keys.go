package main

import (
	"encoding/binary"

	"github.com/simdbloom/simdbloom/internal/test/splitmix"
)

const keyBytes = 16

// appendKey appends key number i. Keys are spread evenly, and in no order; those from the
// store's number of keys on are absent.
func appendKey(dst []byte, i int) []byte {
	dst = binary.BigEndian.AppendUint64(dst, splitmix.Value(0, uint64(i)))
	return binary.BigEndian.AppendUint64(dst, uint64(i))
}

// appendValue appends bytes that do not compress.
func appendValue(dst []byte, i, n int) []byte {
	for at := 0; at < n; at += 8 {
		dst = binary.LittleEndian.AppendUint64(dst, splitmix.Value(uint64(i), uint64(at)))
	}
	return dst[:len(dst)-(8-n%8)%8]
}
