package asm_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// keyed are the ways to hash a key to look it up.
var keyed = []struct {
	name string
	by   asm.KeyHash
	keyhash.Hash
}{
	{"XX64", asm.XX64, keyhash.XX64},
	{"XXPH3", asm.XXPH3, keyhash.XXPH3},
	{"XXPH3 from outside", asm.OutsideHash, keyhash.XXPH3},
	{"LevelDB's", asm.LevelDB32, keyhash.LevelDB32},
	{"RocksDB's", asm.RocksDB32, keyhash.RocksDB32},
}

// outside hashes keys by a function from outside.
func outside(hash keyhash.Hash) asm.OutsideKeyHash {
	return func(sums []uint64, keys [][]byte) { hash.AppendHashes(sums[:0], keys) }
}

// hashIn reports whether a key is looked up by a hash: it is the only one in a filter large enough that no other
// hash is found.
func hashIn(k *asm.Kernel, hash uint64, key []byte) bool {
	k.EnableAdd()
	k.Add(hash)
	found := k.ContainsKey(key)
	clear(k.Body())
	return found && !k.ContainsKey(key)
}

// TestContainsKeyHashes has keys of every length at every address, right beside memory that may not be touched.
func TestContainsKeyHashes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 54))
	eachLevel(t, func(t *testing.T) {
		k := asm.NewFastLocal(make([]byte, 2*asm.BlockBytes), 30)
		for _, h := range keyed {
			k.HashBy(h.by, outside(h.Hash))
			check := func(key []byte) {
				if want := h.Sum64(key); !hashIn(&k, want, key) {
					t.Fatalf("%s: a key of %d bytes is not looked up by %#x", h.name, len(key), want)
				}
			}
			for n := range 301 {
				key := make([]byte, n+8)
				for range 3 {
					for i := range key {
						key[i] = byte(random.Uint32())
					}
					testmem.BesideGuards(t, key[:n], check)
				}
				for offset := range 8 {
					check(key[offset : offset+n])
				}
			}
			check(nil)
		}
	})
}

// TestContainsKeyByVectors has the hashes that RocksDB's code and xxhash give.
func TestContainsKeyByVectors(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		k := asm.NewFastLocal(make([]byte, 2*asm.BlockBytes), 30)
		for _, v := range vectors.XXPH3() {
			key := make([]byte, v.Len)
			for j := range key {
				key[j] = byte(131*j + 7*v.Len)
			}
			want, err := strconv.ParseUint(v.Hash, 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			k.HashBy(asm.XXPH3, nil)
			if !hashIn(&k, want, key) {
				t.Errorf("XXPH3, %d bytes: not looked up by %#x", v.Len, want)
			}
			k.HashBy(asm.XX64, nil)
			if want := xxhash.Sum64(key); !hashIn(&k, want, key) {
				t.Errorf("XX64, %d bytes: not looked up by %#x", v.Len, want)
			}
		}
	})
}

// TestContainsKeyInEveryFormat has answers for the keys' hashes. Filters with other entries than FastLocal's
// take the hash where assembly leaves it.
func TestContainsKeyInEveryFormat(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 54))
	body := make([]byte, 128*asm.BlockBytes)
	for i := range body {
		body[i] = byte(random.Uint32() | random.Uint32())
	}
	eachLevel(t, func(t *testing.T) {
		filters := map[string]asm.Kernel{
			"nothing": asm.NewConstant(false), "everything": asm.NewConstant(true), "SplitBlock": asm.NewSplitBlock(body),
			"SplitBlock, shared": asm.NewSharedSplitBlock(body), "Legacy": asm.NewLegacy(body, 128, 6), "LevelDB": asm.NewLevelDB(body, 6),
		}
		for _, probes := range []int{1, 6, 8, 9, 16, 17, 30} {
			filters[fmt.Sprint("FastLocal, ", probes)] = asm.NewFastLocal(body, probes)
			filters[fmt.Sprint("FastLocal, shared, ", probes)] = asm.NewSharedFastLocal(body, probes)
			filters[fmt.Sprint("Blobloom, ", probes)] = asm.NewBlobloom(body, probes)
			filters[fmt.Sprint("Paired, ", probes)] = asm.NewPaired(body, 128, max(2, probes))
		}
		for name, k := range filters {
			other := asm.NewConstant(true)
			other.KeysOf(&k)
			for _, h := range keyed {
				k.HashBy(h.by, outside(h.Hash))
				for n := range 2000 {
					key := make([]byte, n%40)
					for i := range key {
						key[i] = byte(random.Uint32())
					}
					if want := k.Contains(h.Sum64(key)); k.ContainsKey(key) != want || other.ContainsKey(key) != want {
						t.Fatalf("%s, %s: a key of %d bytes: not %v", name, h.name, len(key), want)
					}
				}
			}
		}
	})
}

// TestAddKeyAddsTheHash has keys of every length, and every way to add one.
func TestAddKeyAddsTheHash(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 54))
	memory := testmem.Between(t, 4096)
	for i := range memory {
		memory[i] = byte(random.Uint32())
	}
	eachLevelAndDistance(t, func(t *testing.T) {
		for _, of := range []func(body []byte) asm.Kernel{
			func(body []byte) asm.Kernel { return asm.NewFastLocal(body, 6) }, func(body []byte) asm.Kernel { return asm.NewFastLocal(body, 13) },
			asm.NewSplitBlock, func(body []byte) asm.Kernel { return asm.NewBlobloom(body, 5) },
		} {
			by, want := forAdding(of(make([]byte, 32*asm.BlockBytes))), forAdding(of(make([]byte, 32*asm.BlockBytes)))
			for _, h := range keyed {
				by.HashBy(h.by, outside(h.Hash))
				for n := range 300 {
					for _, at := range []int{0, random.IntN(len(memory) - n), len(memory) - n} {
						key := memory[at:][:n]
						by.AddKey(key)
						if want.Add(h.Sum64(key)); !bytes.Equal(by.Body(), want.Body()) {
							t.Fatalf("%v, %s: a key of %d bytes sets other bits", by.Shape().Format, h.name, n)
						}
					}
					if n%40 == 0 {
						clear(by.Body())
						clear(want.Body())
					}
				}
			}
		}
	})
}

// TestContainsKeyAllocatesNothing has keys on the stack, and answers.
func TestContainsKeyAllocatesNothing(t *testing.T) {
	if !asm.HashesKeys {
		t.Skip("there is no assembly")
	}
	k := forAdding(asm.NewFastLocal(make([]byte, asm.BlockBytes), 6))
	for _, h := range keyed {
		k.HashBy(h.by, outside(h.Hash))
		if n := testing.AllocsPerRun(100, func() {
			var key [40]byte
			k.ContainsKey(key[:16])
			k.ContainsKey(key[:])
			k.AddKey(key[:16])
			keys, hits := [9][]byte{key[:16], key[:]}, [9]bool{}
			for _, n := range []int{5, 8, 9} {
				k.ContainsKeys(keys[:n], hits[:n])
			}
		}); n > 0 {
			t.Errorf("%s: %v allocations", h.name, n)
		}
	}
}

// TestContainsKeyWithoutHash: what was not opened cannot hash.
func TestContainsKeyWithoutHash(t *testing.T) {
	for name, k := range map[string]asm.Kernel{"zero": {}, "no hash": asm.NewConstant(true)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			k.ContainsKey([]byte("key"))
		}()
		refusal(t, "zero Filter", func() { k.AddKey([]byte("key")) })
	}
}
