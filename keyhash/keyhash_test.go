package keyhash_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

var fnv1a = keyhash.New("FNV-1a", func(key []byte) uint64 {
	h := fnv.New64a()
	h.Write(key)
	return h.Sum64()
})

var (
	builtins = []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, keyhash.RocksDB32, keyhash.LevelDB32}
	hashes   = append(slices.Clone(builtins), fnv1a)
)

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
	var keys [][]byte
	alone, batch := sha256.New(), sha256.New()
	for n := range 1101 {
		keys = append(keys, vectorKey(n))
		alone.Write(binary.BigEndian.AppendUint64(nil, keyhash.XXPH3.Sum64(keys[n])))
	}
	for _, hash := range keyhash.XXPH3.AppendHashes(nil, keys) {
		batch.Write(binary.BigEndian.AppendUint64(nil, hash))
	}
	if got := [2]string{fmt.Sprintf("%x", alone.Sum(nil)), fmt.Sprintf("%x", batch.Sum(nil))}; got != [2]string{want, want} {
		t.Errorf("digests %s, want %s", got, want)
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

func TestHashingAllocatesNothing(t *testing.T) {
	dst := make([]uint64, 0, 4)
	for _, h := range builtins {
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
		"AppendColumn":             func() { zero.AppendColumn(nil, keyhash.Values(make([]uint64, 9))) },
		"AppendColumn of no key":   func() { zero.AppendColumn(nil, keyhash.Column{}) },
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

// TestHashesOf32Bits are RocksDB's and LevelDB's, in the low half.
func TestHashesOf32Bits(t *testing.T) {
	for _, v := range vectors.Hashes32() {
		for h, want := range map[keyhash.Hash]vectors.Hex32{keyhash.RocksDB32: v.RocksDB, keyhash.LevelDB32: v.LevelDB} {
			if got := h.Sum64(vectorKey(v.Len)); got != uint64(want) {
				t.Errorf("%s of %d bytes: %#x, want %#x", h.Name(), v.Len, got, want)
			}
		}
	}
	differ := 0
	for _, key := range vectors.Keys("bin", 0, 6000) {
		for h, signed := range map[keyhash.Hash]bool{keyhash.RocksDB32: true, keyhash.LevelDB32: false} {
			if got, want := h.Sum64(key), uint64(naive.LevelDBHash(key, signed)); got != want {
				t.Fatalf("%s of %x: %#x, want %#x", h.Name(), key, got, want)
			}
		}
		if keyhash.LevelDB32.Sum64(key) != keyhash.RocksDB32.Sum64(key) {
			differ++
		}
	}
	if differ < 1000 {
		t.Errorf("only %d keys show the sign", differ)
	}
}

func TestNames(t *testing.T) {
	sum := func([]byte) uint64 { return 0 }
	refused := map[string]func([]byte) uint64{"": sum, "mine": nil}
	for i, name := range []string{"XX64", "XXPH3", "RocksDB32", "LevelDB32"} {
		if h := builtins[i]; h.Name() != name || h.IsZero() || keyhash.ForName(name) != h {
			t.Errorf("%s is named %s, and ForName has %v", name, h.Name(), keyhash.ForName(name))
		}
		refused[name] = sum
	}
	if keyhash.LevelDB32Signed != keyhash.RocksDB32 || keyhash.ForName("LevelDB32Signed") != keyhash.RocksDB32 {
		t.Error("LevelDB32Signed is another hash than RocksDB32")
	}
	refused["LevelDB32Signed"] = sum
	if fnv1a.Name() != "FNV-1a" || fnv1a.IsZero() || !(keyhash.Hash{}).IsZero() {
		t.Error("New or IsZero is wrong")
	}
	for _, name := range []string{"", "FNV-1a", "xx64", "XX64 ", "RocksDB", "LevelDB32signed"} {
		if h := keyhash.ForName(name); !h.IsZero() {
			t.Errorf("%q is %s", name, h.Name())
		}
	}
	for name, f := range refused {
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
