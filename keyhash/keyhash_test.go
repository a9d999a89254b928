package keyhash_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom/internal/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

var fnv1a = keyhash.New("FNV-1a", func(key []byte) uint64 {
	h := fnv.New64a()
	h.Write(key)
	return h.Sum64()
})

var hashes = []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, fnv1a}

func vectorKey(n int) []byte {
	key := make([]byte, n)
	for j := range key {
		key[j] = byte(j*131 + n*7)
	}
	return key
}

func TestXXPH3IsRocksDBs(t *testing.T) {
	all := vectors.XXPH3()
	if len(all) < 150 {
		t.Fatalf("%d vectors", len(all))
	}
	for _, v := range all {
		if got := fmt.Sprintf("%016x", keyhash.XXPH3.Sum64(vectorKey(v.Len))); got != v.Hash {
			t.Errorf("length %d: %s, want %s", v.Len, got, v.Hash)
		}
	}
}

// The digest is that of what RocksDB's util/xxph3.h, compiled by itself, printed
// for the vectors' key of every length from 0 to 1,100: its hashes, big-endian,
// one behind the other.
func TestXXPH3IsRocksDBsAtEveryLength(t *testing.T) {
	const want = "8c6c1ef49252f17e25b6aa3ba309832615b2494e45785e873f197e1100c5bb64"
	digest := sha256.New()
	for n := range 1101 {
		digest.Write(binary.BigEndian.AppendUint64(nil, keyhash.XXPH3.Sum64(vectorKey(n))))
	}
	if got := fmt.Sprintf("%x", digest.Sum(nil)); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

// The values of XXH64's specification.
func TestXX64IsXXH64(t *testing.T) {
	for key, want := range map[string]uint64{
		"":    0xef46db3751d8e999,
		"a":   0xd24ec4f1a98c6e5b,
		"abc": 0x44bc2cf5ad770999,
	} {
		if got := keyhash.XX64.Sum64String(key); got != want {
			t.Errorf("%q: %016x, want %016x", key, got, want)
		}
	}
}

// TestEveryLength sees to it that hashes depend on each byte of the key and on
// no other, at each length around all internal boundaries.
func TestEveryLength(t *testing.T) {
	for _, h := range hashes {
		seen := make(map[uint64]int)
		for n := range 1101 {
			key := vectorKey(n)
			sum := h.Sum64(key)
			if other, ok := seen[sum]; ok {
				t.Errorf("%s: lengths %d and %d have the same hash", h.Name(), other, n)
			}
			seen[sum] = n
			if h.Sum64String(string(key)) != sum {
				t.Errorf("%s: length %d: the string's hash differs", h.Name(), n)
			}
			for offset := range 8 {
				framed := append(append(bytes.Repeat([]byte{0xa5}, offset), key...), 0x5a)
				if h.Sum64(framed[offset:offset+n]) != sum {
					t.Errorf("%s: length %d: another hash at offset %d", h.Name(), n, offset)
				}
			}
			// Every byte near an end or a boundary, and a spread of the others.
			for i := range key {
				if n > 260 && i > 80 && i < n-80 && i%37 != 0 {
					continue
				}
				key[i] ^= 0x10
				if h.Sum64(key) == sum {
					t.Errorf("%s: length %d: byte %d has no influence", h.Name(), n, i)
				}
				key[i] ^= 0x10
			}
		}
	}
}

func TestAppendHashes(t *testing.T) {
	var keys [][]byte
	for n := range 70 {
		keys = append(keys, vectorKey(n*5))
	}
	for _, h := range hashes {
		want := []uint64{7}
		for _, key := range keys {
			want = append(want, h.Sum64(key))
		}
		if got := h.AppendHashes([]uint64{7}, keys); !slices.Equal(got, want) {
			t.Errorf("%s: batch differs from single hashes", h.Name())
		}
		if got := h.AppendHashes(nil, nil); len(got) != 0 {
			t.Errorf("%s: %d hashes of no keys", h.Name(), len(got))
		}
	}
}

func TestHashingAllocatesNothing(t *testing.T) {
	dst := make([]uint64, 0, 4)
	for _, h := range []keyhash.Hash{keyhash.XX64, keyhash.XXPH3} {
		for _, n := range []int{0, 3, 8, 16, 100, 200, 1000} {
			if allocs := testing.AllocsPerRun(100, func() {
				var onStack [1000]byte
				onStack[0] = byte(n)
				h.Sum64(onStack[:n])
			}); allocs != 0 {
				t.Errorf("%s, %d bytes: %v allocations", h.Name(), n, allocs)
			}
		}
		s, keys := strings.Repeat("k", 40), [][]byte{{1}, {2, 3}}
		if allocs := testing.AllocsPerRun(100, func() {
			h.Sum64String(s)
			h.AppendHashes(dst, keys)
		}); allocs != 0 {
			t.Errorf("%s: %v allocations", h.Name(), allocs)
		}
	}
}

// A function from outside gets the key's bytes, in memory that is not the key's.
func TestOutsideFunctionSeesACopy(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	key := []byte("some key")
	h := keyhash.New("spy", func(k []byte) uint64 {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, string(k))
		clear(k)
		return uint64(len(k))
	})
	var running sync.WaitGroup
	for range 8 {
		running.Go(func() { h.Sum64(key) })
	}
	running.Wait()
	if want := slices.Repeat([]string{"some key"}, 8); !slices.Equal(seen, want) || string(key) != "some key" {
		t.Errorf("saw %q; the key is now %q", seen, key)
	}
}

func TestNames(t *testing.T) {
	if keyhash.XX64.Name() != "XX64" || keyhash.XXPH3.Name() != "XXPH3" || fnv1a.Name() != "FNV-1a" {
		t.Error("wrong names")
	}
	if (keyhash.Hash{}).IsZero() != true || keyhash.XX64.IsZero() || fnv1a.IsZero() {
		t.Error("IsZero is wrong")
	}
	sum := func([]byte) uint64 { return 0 }
	for name, f := range map[string]func([]byte) uint64{"": sum, "XX64": sum, "XXPH3": sum, "mine": nil} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("New(%q) with function %v did not panic", name, f != nil)
				}
			}()
			keyhash.New(name, f)
		}()
	}
}

func BenchmarkSum64(b *testing.B) {
	for _, h := range []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, fnv1a} {
		for _, n := range []int{8, 16, 24, 32, 100, 1000} {
			key := vectorKey(n)
			b.Run(fmt.Sprintf("%s/%d", h.Name(), n), func(b *testing.B) {
				b.SetBytes(int64(n))
				for b.Loop() {
					h.Sum64(key)
				}
			})
		}
	}
}
