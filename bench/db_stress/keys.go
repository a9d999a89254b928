package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"github.com/simdbloom/simdbloom/internal/test/splitmix"
)

// headBytes is how many bytes of a key its number takes, at most.
const headBytes = 10

// appendHead appends what a key begins with: how many decimal digits its number has, and these. So keys
// are in the order of their numbers, and those that share all but some digits share a prefix. The number 0
// has no digits. (Pebble 2.1.7 panics when it writes a data block of nothing but the empty key.)
func appendHead(dst []byte, i int) []byte {
	digits := ""
	if i > 0 {
		digits = strconv.Itoa(i)
	}
	return append(append(dst, '0'+byte(len(digits))), digits...)
}

// appendKey appends a key: its number, and behind that no letters, a few, or some hundreds, so that there
// are keys of every length for which a hash function has code of its own.
func appendKey(dst []byte, i int) []byte {
	dst = appendHead(dst, i)
	seed := splitmix.Value(uint64(i), 0)
	letters := uint64(0)
	switch seed % 8 {
	case 0:
		letters = seed >> 8 % 300
	case 1, 2, 3:
		letters = seed >> 8 % 32
	}
	for j := range letters {
		dst = append(dst, 'a'+byte(seed>>(j%56))%26)
	}
	return dst
}

// appendMissingKey appends a key, next to key i, that is never written.
func appendMissingKey(dst []byte, i int) []byte { return append(appendKey(dst, i), '-') }

// keyNumber is appendKey the other way round, and -1 for other keys.
func keyNumber(key []byte) int {
	if len(key) == 0 {
		return -1
	}
	digits := min(int(key[0]-'0'), len(key)-1)
	n, _ := strconv.Atoi(string(key[1 : 1+digits])) // 0 without digits
	if n < 0 || !bytes.Equal(key, appendKey(nil, n)) {
		return -1
	}
	return n
}

// valueHead begins each value: the number of the key, and the version.
const valueHead = 4 + 4

// appendValue appends the value that a version of a key has, of 8 to 71 bytes.
func appendValue(dst []byte, i int, v version) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(i))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	seed := splitmix.Value(uint64(i), uint64(v))
	for j := range seed % 64 {
		dst = append(dst, byte(seed>>(j%56)))
	}
	return dst
}

// versionOf returns the version that a key's value is of.
func versionOf(i int, value []byte) (version, error) {
	if len(value) >= valueHead {
		v := version(binary.LittleEndian.Uint32(value[4:]))
		if v.present() && slices.Equal(value, appendValue(nil, i, v)) {
			return v, nil
		}
	}
	return 0, fmt.Errorf("a value that was never written to the key: %x", value)
}
