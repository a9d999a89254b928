package answers

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/keyhash"
)

// TestKeysOfEveryNumber goes around the numbers of keys at which another way begins,
// with the package's own hashes and one from outside.
func TestKeysOfEveryNumber(t *testing.T) {
	all, hashes := readers(2*largeBlock + 9)
	keys := make([][]byte, len(hashes))
	for i, hash := range hashes {
		keys[i] = binary.LittleEndian.AppendUint64(nil, hash)[:i%9]
	}
	keys[3], keys[100] = nil, nil
	outside := keyhash.New("length and last byte", func(key []byte) uint64 {
		sum := uint64(len(key))
		for _, b := range key {
			sum = sum<<8 ^ uint64(b)*0x9e3779b97f4a7c15
		}
		return sum
	})
	for name, r := range all {
		for _, hash := range []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, outside} {
			for n := range len(keys) + 1 {
				if n > 150 && n < len(keys)-1 && (n+2)%block > 4 {
					continue
				}
				hits := make([]bool, n+2)
				hits[n], hits[n+1] = true, false
				r.Keys(hash, keys[:n], hits)
				for i, key := range keys[:n] {
					if hits[i] != r.contains(hash.Sum64(key)) {
						t.Fatalf("%s, %s: key %d of %d", name, hash.Name(), i, n)
					}
				}
				if !hits[n] || hits[n+1] {
					t.Fatalf("%s, %s: of %d keys more are answered", name, hash.Name(), n)
				}
			}
		}
	}
}

func TestTooFewBoolsForKeysPanic(t *testing.T) {
	all, _ := readers(0)
	for name, r := range all {
		for _, n := range []int{1, oneByOne, oneByOne + 1, smallBlock, smallBlock + 1, block, block + 1, largeBlock, largeBlock + 1, 5 * largeBlock} {
			for _, fill := range []bool{false, true} {
				hits := slices.Repeat([]bool{fill}, n-1)
				func() {
					defer func() {
						if recover() == nil {
							t.Errorf("%s: %d bools for %d keys did not panic", name, n-1, n)
						}
					}()
					r.Keys(keyhash.XX64, make([][]byte, n), hits)
				}()
				if slices.Contains(hits, !fill) {
					t.Errorf("%s: something was written for %d keys before the panic", name, n)
				}
			}
		}
	}
}
