package asm_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// LevelDB's kernel for one key answers as fallback does.
func TestLevelDBContains(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		hits, hashes := guardedRoom(t, longestTail), vectors.Hashes(36, longestTail)
		for probes := 0; probes <= asm.MaxProbes; probes++ {
			for size := 1; size <= 200; size++ {
				if slow && size > 16 && size%4 != probes%4 {
					continue
				}
				checkLevelDB(t, r, randomBody(r, size), probes)
				body := bytes.Repeat([]byte{0xff}, size)
				clearBit(body, r.Uint64N(uint64(8*size)))
				checkLevelDB(t, r, body, probes)
				clear(body)
				fallback.LevelDBAdd(body, fallback.NewModulus(8*uint64(len(body))), probes, levelDBHashes(r))
				checkLevelDB(t, r, body, probes)
			}
			kernel, body := levelDB(probes), randomBody(r, 77)
			fallback.LevelDBAdd(body, fallback.NewModulus(8*77), probes, hashes[:20])
			want := kernel.answers(body, hashes)
			for n := range longestTail + 1 {
				kernel.checkBatch(t, hits, -n%2, body, hashes[:n], want, func() string { return kernel.name })
			}
		}
	})
}

// levelDB are the kernels of LevelDB's filters, and Go's for batches.
func levelDB(probes int) kernels {
	return kernels{
		name: fmt.Sprintf("LevelDB, k=%d", probes),
		containsBits: func(body []byte, hashes, hits []uint64) {
			f := asm.NewLevelDB(body, probes)
			f.ContainsBits(hashes, hits)
		},
		containsBools: func(body []byte, hashes []uint64, hits []bool) {
			f := asm.NewLevelDB(body, probes)
			f.ContainsBools(hashes, hits)
		},
		fallbackContains: func(body []byte, hash uint64) bool {
			return fallback.LevelDBContains(body, fallback.NewModulus(8*uint64(len(body))), probes, hash)
		},
	}
}

// Bodies of 2^29 bytes and more have a bit for every hash of 32 bits.
func TestLevelDBContainsLarge(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		for _, size := range []int{1<<20 + 1, 1<<24 - 3, 1<<29 - 1, 1 << 29, 1<<29 + 1, 1<<29 + 77} {
			if size > 1<<24 && (slow || testing.Short()) {
				break
			}
			body, hashes := testmem.Sparse(t, uint64(size)), levelDBHashes(r) // of which few pages are used
			if body == nil {
				t.Logf("this machine has no %d bytes for a slice: sizes below were tested", size)
				break
			}
			fallback.LevelDBAdd(body, fallback.NewModulus(8*uint64(len(body))), 7, hashes)
			k := asm.NewLevelDB(body, 7)
			for _, hash := range hashes {
				if !k.Contains(hash) {
					t.Fatalf("%d bytes: %#x is absent", size, hash)
				}
			}
			checkLevelDB(t, r, body, 1)
			checkLevelDB(t, r, body, 7)
		}
	})
}

// levelDBHashes returns the smallest and largest hashes, and some between. The high half means nothing.
func levelDBHashes(r *rand.Rand) []uint64 {
	return []uint64{0, 1, 1<<32 - 1, 1<<32 - 2, 1 << 31, 1 << 17, 1<<64 - 1, r.Uint64(), r.Uint64(), r.Uint64()}
}

func checkLevelDB(t *testing.T, r *rand.Rand, body []byte, probes int) {
	t.Helper()
	k := asm.NewLevelDB(body, probes)
	for _, hash := range levelDBHashes(r) {
		if got, want := k.Contains(hash), fallback.LevelDBContains(body, fallback.NewModulus(8*uint64(len(body))), probes, hash); got != want {
			t.Fatalf("%d bytes, %d probes, hash %#x: %v, not %v", len(body), probes, hash, got, want)
		}
	}
}
