package main

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"github.com/cockroachdb/pebble/v2"

	"github.com/simdbloom/simdbloom/internal/test/splitmix"
)

// keyBytes is the size of a key: its number in decimal digits. Keys are in the order of their
// numbers, and those that share all but some digits share a prefix.
const keyBytes = 10

func appendKey(dst []byte, i int) []byte { return fmt.Appendf(dst, "%0*d", keyBytes, i) }

// appendMissingKey appends a key, with the prefix of key i, that is never written.
func appendMissingKey(dst []byte, i int) []byte { return append(appendKey(dst, i), '-') }

// keyNumber is appendKey the other way round, and -1 for other keys.
func keyNumber(key []byte) int {
	if n, err := strconv.Atoi(string(key)); err == nil && len(key) == keyBytes && n >= 0 {
		return n
	}
	return -1
}

// valueHead is what each value begins with: the number of the key, and the version.
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

// comparer has the filters hold prefixes of the given number of bytes, or whole keys for 0. A store
// records its name and refuses another: a filter of other prefixes would lose keys.
func comparer(prefixSize int) *pebble.Comparer {
	c := *pebble.DefaultComparer
	if prefixSize > 0 {
		c.Name = fmt.Sprintf("db_stress, prefixes of %d bytes", prefixSize)
		c.Split = func(key []byte) int { return min(prefixSize, len(key)) }
		// In iterations over a prefix, Pebble cuts deleted ranges here. The default, a zero byte more,
		// is no prefix, and has it forget deletions.
		c.ImmediateSuccessor = func(dst, prefix []byte) []byte {
			dst = append(dst, prefix...)
			if len(prefix) < prefixSize {
				return append(dst, 0)
			}
			dst[len(dst)-1]++ // no byte of a key is 0xff
			return dst
		}
	}
	return &c
}
