package asm_test

import (
	"math/big"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/testmem"
	"github.com/simdbloom/simdbloom/internal/vectors"
)

// Sizes around those where signed and unsigned 32-bit arithmetic would end. Each
// is a whole number of both kinds of batches.
var largeBodies = []uint64{1<<30 - 8192, 1 << 30, 1<<31 - 8192, 1 << 31, 1<<31 + 8192, 1<<32 - 8192}

var edgeHashes = []uint64{0, 1, 63, 64, 1<<31 - 1, 1 << 31, 1<<31 + 1, 1<<32 - 64, 1<<32 - 2, 1<<32 - 1, 1<<64 - 1}

func TestBlockOfLargeFilters(t *testing.T) {
	for _, size := range append(largeBodies, asm.MaxBodyBytes, 64, 128) {
		blocks := uint32(size / asm.BlockBytes)
		for _, hash := range append(vectors.Hashes(size, 1000), edgeHashes...) {
			exact := new(big.Int).Mul(big.NewInt(int64(uint32(hash))), big.NewInt(int64(blocks)))
			exact.Rsh(exact, 32)
			if got := asm.Block(hash, blocks); uint64(got) != exact.Uint64() || got >= blocks {
				t.Errorf("%d blocks, hash %#x: block %d, not %v", blocks, hash, got, exact)
			}
		}
	}
}

// TestLargeBodies looks up in, and adds to, bodies of up to 4 GiB in memory that
// the operating system has promised only: a few pages of it are really used.
func TestLargeBodies(t *testing.T) {
	hashes := append(vectors.Hashes(21, 300), edgeHashes...)
	absent := vectors.Hashes(22, 300)
	for _, size := range largeBodies {
		body := testmem.Sparse(t, size)
		if body == nil {
			t.Logf("this machine has no %d bytes for a slice: sizes below were tested", size)
			break
		}
		for name, kernel := range map[string]kernels{
			"FastLocal": fastLocal(12), "Paired-32": paired(32, 16), "Paired-128": paired(128, 16),
		} {
			last := len(body) - 1
			body[last] |= 0x80
			kernel.add(body, hashes)
			hits := make([]uint64, asm.Words(len(hashes)))
			kernel.containsBatch(hits, body, hashes)
			for i, hash := range hashes {
				if hits[i/64]>>(i%64)&1 == 0 || !kernel.contains(body, hash) || !kernel.naiveContains(body, hash) {
					t.Fatalf("%s of %d bytes: hash %#x was added and is missing", name, size, hash)
				}
			}
			kernel.containsBatch(hits, body, absent)
			for i, hash := range absent {
				want := kernel.naiveContains(body, hash)
				if hits[i/64]>>(i%64)&1 != 0 != want || kernel.contains(body, hash) != want {
					t.Fatalf("%s of %d bytes: hash %#x: not %v", name, size, hash, want)
				}
			}
			// As good as new for the next one.
			for _, hash := range hashes {
				block := uint64(asm.Block(hash, uint32(size/asm.BlockBytes)))
				batch := body[block/128*128*asm.BlockBytes:][:128*asm.BlockBytes]
				clear(batch)
			}
		}
	}
}

func TestBodiesBeyondTheFormatPanic(t *testing.T) {
	body := testmem.Sparse(t, 1<<32)
	if body == nil {
		t.Log("this machine has no slices of 4 GiB")
		return
	}
	for name, lookup := range map[string]func(){
		"FastLocal":  func() { asm.FastLocalContains(body, 6, 1) },
		"Paired-32":  func() { asm.PairedContains(body, 32, 6, 1) },
		"Paired-128": func() { asm.PairedContains(body, 128, 6, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			lookup()
		}()
	}
}
