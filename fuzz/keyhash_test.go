package fuzz

import (
	"bytes"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/keyhash"
)

// FuzzKeyHash tests that a hash depends on a key's bytes alone: not on where they are, what
// is beside them, or which method hashes them.
func FuzzKeyHash(f *testing.F) {
	for _, n := range []int{0, 1, 3, 4, 8, 9, 16, 17, 128, 129, 240, 241, 1024, 1025, 3000} {
		f.Add(bytes.Repeat([]byte("key"), n)[:n])
	}
	f.Fuzz(func(t *testing.T, key []byte) {
		for _, hash := range []keyhash.Hash{keyhash.XX64, keyhash.XXPH3} {
			want := hash.Sum64(key)
			if hash.Sum64String(string(key)) != want {
				t.Fatalf("%s: the string's hash differs", hash.Name())
			}
			if sums := hash.AppendHashes(nil, [][]byte{key, key}); sums[0] != want || sums[1] != want {
				t.Fatalf("%s: the batch's hash differs", hash.Name())
			}
			testmem.BesideGuards(t, key, func(key []byte) {
				if hash.Sum64(key) != want {
					t.Fatalf("%s: the hash differs elsewhere", hash.Name())
				}
			})
		}
	})
}
