package asm_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/hashing"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// A keyHash is a hash that batches of keys have kernels for, in assembly, in Go, and of one key.
type keyHash struct {
	kernel, inGo func(hashes []uint64, keys [][]byte)
	sum          func(key []byte) uint64
}

var keyHashes = map[string]keyHash{
	"XX64":      {hashKeysBy(asm.XX64), fallback.HashKeys, xxhash.Sum64},
	"XXPH3":     {hashKeysBy(asm.XXPH3), fallback.HashKeysXXPH3, hashing.XXPH3},
	"LevelDB32": hash32Of(asm.LevelDB32, false),
	"RocksDB32": hash32Of(asm.RocksDB32, true),
}

func hashKeysBy(by asm.KeyHash) func(hashes []uint64, keys [][]byte) {
	return func(hashes []uint64, keys [][]byte) { asm.HashKeys(by, nil, hashes, keys) }
}

func hash32Of(by asm.KeyHash, signed bool) keyHash {
	return keyHash{
		hashKeysBy(by),
		func(hashes []uint64, keys [][]byte) { fallback.HashKeys32(hashes, keys, signed) },
		func(key []byte) uint64 { return uint64(naive.LevelDBHash(key, signed)) },
	}
}

// eachKeyHash runs f for every hash at every level.
func eachKeyHash(t *testing.T, f func(t *testing.T, hash keyHash)) {
	for name, hash := range keyHashes {
		t.Run(name, func(t *testing.T) { eachLevel(t, func(t *testing.T) { f(t, hash) }) })
	}
}

// TestHashKeys has keys of every length in every lane, at all alignments, across pages and right beside unreadable
// ones, empty ones without an address, and every number of them. What is beside the hashes stays.
func TestHashKeys(t *testing.T) {
	const longest = 300
	eachKeyHash(t, func(t *testing.T, hash keyHash) {
		random := rand.New(rand.NewPCG(1, 2))
		memory := testmem.Between(t, 3*4096)
		for i := range memory {
			memory[i] = byte(random.Uint32())
		}
		// place returns a key that begins or ends at the end of a page, or is anywhere.
		place := func(length int) []byte {
			at := []int{0, len(memory) - length, 4096 - random.IntN(length+1), random.IntN(len(memory) - length)}[random.IntN(4)]
			return memory[at : at+length : at+length]
		}
		check := func(lengths []int) {
			t.Helper()
			keys, want := make([][]byte, len(lengths)), make([]uint64, len(lengths))
			for i, length := range lengths {
				if length > 0 || random.IntN(2) == 0 {
					keys[i] = place(length)
				}
				want[i] = hash.sum(keys[i])
			}
			hash.check(t, keys, want)
		}
		rounds := 1
		if !slow {
			rounds = 8
		}
		for length := range longest + 1 {
			for range rounds {
				check(slices.Repeat([]int{length}, 8+random.IntN(9)))
				lengths := slices.Repeat([]int{length}, 8)
				lengths[random.IntN(8)] = random.IntN(longest)
				check(lengths)
			}
		}
		for _, most := range []int{8, 16, 31, 32, 63, 64, 100, 127, 128, 160, longest} {
			for n := range 81 {
				lengths := make([]int, n)
				for range rounds {
					for i := range lengths {
						lengths[i] = random.IntN(most + 1)
					}
					check(lengths)
				}
			}
		}
		for n := range 81 {
			check(inRuns(random, n))
		}
		for _, n := range []int{504, 511, 512, 513, 519, 520, 1029} { // more than in a call
			lengths := make([]int, n)
			for i := range lengths {
				lengths[i] = random.IntN(140)
			}
			check(lengths)
		}
	})
}

// inRuns returns lengths of which some that follow each other are the same.
func inRuns(random *rand.Rand, n int) (lengths []int) {
	for len(lengths) < n {
		length := []int{8, 16, 24, 13, 40, 64, 250, 270, random.IntN(40)}[random.IntN(9)]
		lengths = append(lengths, slices.Repeat([]int{length}, 1+random.IntN(20))...)
	}
	return lengths[:n]
}

// check hashes keys into memory right beside unreadable pages, and into the middle of other hashes.
func (h keyHash) check(t *testing.T, keys [][]byte, want []uint64) {
	t.Helper()
	inGo := make([]uint64, len(want))
	if h.inGo(inGo, keys); !slices.Equal(inGo, want) {
		t.Fatal("package fallback has other hashes")
	}
	hashes := slices.Repeat([]uint64{42}, len(want)+2)
	h.kernel(hashes[1:len(want)+1], keys)
	for i, hash := range hashes[1 : len(want)+1] {
		if hash != want[i] {
			t.Fatalf("key %d of %d, of %d bytes: %#x, want %#x", i, len(keys), len(keys[i]), hash, want[i])
		}
	}
	if hashes[0] != 42 || hashes[len(want)+1] != 42 {
		t.Fatalf("%d keys: something beside the hashes has changed", len(keys))
	}
}

// TestHashKeysBesideGuards has the hashes right beside unreadable pages.
func TestHashKeysBesideGuards(t *testing.T) {
	eachKeyHash(t, func(t *testing.T, hash keyHash) {
		room := testmem.Words(testmem.Between(t, 8<<10))
		var keys [][]byte
		var want []uint64
		for i := range 130 {
			keys = append(keys, make([]byte, i%50))
			want = append(want, hash.sum(keys[i]))
		}
		for n := range keys {
			for _, hashes := range [][]uint64{room[:n], room[len(room)-n:]} {
				clear(hashes)
				if hash.kernel(hashes, keys[:n]); !slices.Equal(hashes, want[:n]) {
					t.Fatalf("%d keys have other hashes", n)
				}
			}
		}
		refusal(t, "less room than keys", func() { hash.kernel(make([]uint64, 9, 10), keys[:10]) })
		refusal(t, "less room than keys", func() { hash.inGo(make([]uint64, 9, 10), keys[:10]) })
	})
}
