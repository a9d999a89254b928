package keyhash_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
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

// TestXX64IsXxhashs compares every length that is hashed here, and many that are
// not, at every alignment.
func TestXX64IsXxhashs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	memory := make([]byte, 320)
	for n := range 301 {
		for range 4 {
			for i := range memory {
				memory[i] = byte(random.Uint32())
			}
			for offset := range 17 {
				key := memory[offset : offset+n : offset+n]
				want := xxhash.Sum64(key)
				if got := keyhash.XX64.Sum64(key); got != want {
					t.Fatalf("length %d at offset %d: %016x, want %016x", n, offset, got, want)
				}
				if got := keyhash.XX64.AppendHashes(nil, [][]byte{key, key}); got[0] != want || got[1] != want {
					t.Fatalf("length %d at offset %d, as one of many: %016x, want %016x", n, offset, got, want)
				}
			}
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
	var mixed [][]byte
	for n := range 300 {
		mixed = append(mixed, vectorKey(n), nil, vectorKey(n%33), []byte{})
	}
	memory := make([]byte, 4<<20)
	for i := range memory {
		memory[i] = byte(i * i >> 9)
	}
	var scattered [][]byte
	for i := range 300 {
		at := i * 7919 % 1021 * 4099 % (len(memory) - 32)
		scattered = append(scattered, memory[at:at+i%33])
	}
	for _, h := range hashes {
		for _, keys := range [][][]byte{nil, mixed[:1], mixed[1:2], mixed, scattered[:7], scattered[:8], scattered[:65], scattered} {
			want := []uint64{7}
			for _, key := range keys {
				want = append(want, h.Sum64(key))
			}
			if got := h.AppendHashes([]uint64{7}, keys); !slices.Equal(got, want) {
				t.Errorf("%s: batch of %d differs from single hashes", h.Name(), len(keys))
			}
			room := make([]uint64, len(want)+1)
			room[0], room[len(want)] = 7, 8
			if got := h.AppendHashes(room[:1], keys); &got[0] != &room[0] || !slices.Equal(got, want) || room[len(want)] != 8 {
				t.Errorf("%s: %d hashes are not where there was room for them, or beyond it", h.Name(), len(keys))
			}
		}
		if got := h.AppendHashes(nil, nil); len(got) != 0 {
			t.Errorf("%s: %d hashes of no keys", h.Name(), len(got))
		}
	}
}

// A key of 64 bits is its 8 bytes in little-endian order, on machines of either order.
func TestUint64IsLittleEndian(t *testing.T) {
	for _, c := range []struct {
		hash      keyhash.Hash
		key, want uint64
	}{
		{keyhash.XX64, 0, 0x34c96acdcadb1bbb},
		{keyhash.XX64, 0x0123456789abcdef, 0xea3c52081e9843ec},
		{keyhash.XXPH3, 0, 0x11d09843b5b83333},
		{keyhash.XXPH3, 0x0123456789abcdef, 0xa109510bc6eca90d},
		{fnv1a, 0, 0xa8c7f832281a39c5},
		{fnv1a, 0x0123456789abcdef, 0x37eb3f3347761c55},
	} {
		if got := c.hash.SumUint64(c.key); got != c.want {
			t.Errorf("%s of %#x: %#016x, want %#016x", c.hash.Name(), c.key, got, c.want)
		}
	}
}

func TestUint64s(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, h := range hashes {
		for _, n := range []int{0, 1, 7, 8, 33, 100, 10_000} {
			keys, want := make([]uint64, n), []uint64{7}
			for i := range keys {
				keys[i] = random.Uint64() >> random.IntN(64)
				sum := h.Sum64(binary.LittleEndian.AppendUint64(nil, keys[i]))
				if got := h.SumUint64(keys[i]); got != sum {
					t.Fatalf("%s of %#x: %#x, want %#x", h.Name(), keys[i], got, sum)
				}
				want = append(want, sum)
			}
			original := slices.Clone(keys)
			if got := h.AppendUint64s([]uint64{7}, keys); !slices.Equal(got, want) {
				t.Errorf("%s: batch of %d differs from single hashes", h.Name(), n)
			}
			room := make([]uint64, len(want)+1)
			room[0], room[len(want)] = 7, 8
			if got := h.AppendUint64s(room[:1], keys); &got[0] != &room[0] || !slices.Equal(got, want) || room[len(want)] != 8 {
				t.Errorf("%s: %d hashes are not where there was room for them, or beyond it", h.Name(), n)
			}
			if !slices.Equal(keys, original) {
				t.Errorf("%s: %d keys have changed", h.Name(), n)
			}
			got := h.AppendUint64s(keys[:0], keys)
			if n > 0 && &got[0] != &keys[0] || !slices.Equal(got, want[1:]) {
				t.Errorf("%s: %d hashes have not replaced the keys", h.Name(), n)
			}
		}
	}
}

// One call at a time: the race detector drops some of the memory for copies.
func TestHashingUint64sAllocatesNothing(t *testing.T) {
	keys, room := make([]uint64, 100), make([]uint64, 0, 100)
	outside := keyhash.New("first byte", func(key []byte) uint64 { return uint64(key[0]) })
	for _, h := range []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, outside} {
		for what, call := range map[string]func(){
			"SumUint64":              func() { h.SumUint64(keys[0]) },
			"AppendUint64s":          func() { h.AppendUint64s(room, keys) },
			"AppendUint64s in place": func() { h.AppendUint64s(keys[:0], keys) },
		} {
			if allocs := testing.AllocsPerRun(100, call); allocs != 0 {
				t.Errorf("%s, %s: %v allocations", h.Name(), what, allocs)
			}
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
		running.Add(1)
		go func() {
			defer running.Done()
			h.Sum64(key)
		}()
	}
	running.Wait()
	if want := slices.Repeat([]string{"some key"}, 8); !slices.Equal(seen, want) || string(key) != "some key" {
		t.Errorf("saw %q; the key is now %q", seen, key)
	}
	seen = nil
	keys := [][]byte{key, bytes.Repeat([]byte{1}, 1<<17), nil, []byte("other")} // one is too long to keep the copy's memory
	want := []string{string(key), string(keys[1]), "", "other"}
	sums := h.AppendHashes(nil, keys)
	if !slices.Equal(seen, want) || !slices.Equal(sums, []uint64{8, 1 << 17, 0, 5}) || string(key) != want[0] || string(keys[3]) != want[3] {
		t.Errorf("a batch saw %d keys, sums %d; the keys are now %q and %q", len(seen), sums, key, keys[3])
	}
}

func TestZeroHashPanics(t *testing.T) {
	var zero keyhash.Hash
	for what, call := range map[string]func(){
		"Name":                     func() { zero.Name() },
		"Sum64":                    func() { zero.Sum64(nil) },
		"Sum64String":              func() { zero.Sum64String("key") },
		"AppendHashes":             func() { zero.AppendHashes(nil, make([][]byte, 9)) },
		"AppendHashes without key": func() { zero.AppendHashes(nil, nil) },
		"SumUint64":                func() { zero.SumUint64(0) },
		"AppendUint64s":            func() { zero.AppendUint64s(nil, make([]uint64, 9)) },
		"AppendUint64s of no key":  func() { zero.AppendUint64s(nil, nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s did not panic", what)
				}
			}()
			call()
		}()
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

// The keys of benchmarks are 64 Ki different ones.
const benchmarkKeys = 1 << 16

func BenchmarkSum64(b *testing.B) {
	var sum uint64
	benchmark(b, func(h keyhash.Hash, keys [][]byte) {
		for _, key := range keys {
			sum += h.Sum64(key)
		}
	})
}

func BenchmarkAppendHashes(b *testing.B) {
	var room [256]uint64 // the hashes are soon used up, and stay in the cache
	benchmark(b, func(h keyhash.Hash, keys [][]byte) {
		for block := range slices.Chunk(keys, len(room)) {
			h.AppendHashes(room[:0], block)
		}
	})
}

func BenchmarkUint64s(b *testing.B) {
	var sum uint64
	room := make([]uint64, 4096)
	for _, h := range hashes[:2] {
		for _, keys := range [][]uint64{make([]uint64, 8), make([]uint64, len(room))} {
			for name, pass := range map[string]func(){
				"AppendUint64s": func() { h.AppendUint64s(room[:0], keys) },
				"SumUint64": func() {
					for _, key := range keys {
						sum += h.SumUint64(key)
					}
				},
			} {
				b.Run(fmt.Sprint(h.Name(), "/", name, "/", len(keys)), func(b *testing.B) {
					for b.Loop() {
						pass()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(keys)), "ns/key")
				})
			}
		}
	}
}

func benchmark(b *testing.B, pass func(h keyhash.Hash, keys [][]byte)) {
	run := func(name string, h keyhash.Hash, keys [][]byte) {
		b.Run(h.Name()+"/"+name, func(b *testing.B) {
			for b.Loop() {
				pass(h, keys)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchmarkKeys, "ns/key")
		})
	}
	for _, h := range []keyhash.Hash{keyhash.XX64, keyhash.XXPH3} {
		for _, n := range []int{8, 13, 16, 24, 32, 100, 1000} {
			run(strconv.Itoa(n), h, manyKeys(n))
		}
		// In random order, and from more memory than the caches of most cores have.
		const apart = 128
		keys := manyKeys(apart)
		for i, key := range keys {
			keys[i] = key[:16]
		}
		rand.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		run("16 scattered", h, keys)
	}
}

func manyKeys(n int) [][]byte {
	memory := make([]byte, benchmarkKeys*n)
	for i := range memory {
		memory[i] = byte(rand.Uint32())
	}
	return slices.Collect(slices.Chunk(memory, n))
}
