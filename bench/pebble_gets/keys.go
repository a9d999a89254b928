package main

import "encoding/binary"

const keyBytes = 16

// appendKey appends key number i. Keys are spread evenly, and in no order; those from the
// store's number of keys on are absent.
func appendKey(dst []byte, i int) []byte {
	dst = binary.BigEndian.AppendUint64(dst, mix(uint64(i)))
	return binary.BigEndian.AppendUint64(dst, uint64(i))
}

// appendValue appends bytes that do not compress.
func appendValue(dst []byte, i, n int) []byte {
	for at := 0; at < n; at += 8 {
		dst = binary.LittleEndian.AppendUint64(dst, mix(^uint64(i)+uint64(at)<<40))
	}
	return dst[:len(dst)-(8-n%8)%8]
}

// mix is splitmix64's finalizer, which is one to one.
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
