package asm_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
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
			if got := fallback.Block(hash, blocks); uint64(got) != exact.Uint64() || got >= blocks {
				t.Errorf("%d blocks, hash %#x: block %d, not %v", blocks, hash, got, exact)
			}
		}
	}
}

// TestLargeBodies adds hashes to bodies of up to 4 GiB and looks them up. The memory is
// only reserved: a few pages of it are used.
func TestLargeBodies(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, size := range append(largeBodies, asm.MaxBodyBytes) {
			body := testmem.Sparse(t, size)
			if body == nil {
				t.Logf("this machine has no %d bytes for a slice: sizes below were tested", size)
				break
			}
			for _, kernel := range someKernels() {
				if len(body) == kernel.size(len(body)) {
					testLargeBody(t, kernel, body)
				}
			}
		}
	})
}

func testLargeBody(t *testing.T, kernel kernels, body []byte) {
	added := append(vectors.Hashes(21, 300), edgeHashes...)
	body[len(body)-1] |= 0x80
	kernel.addPaired(body, added)
	for _, hash := range added {
		if !kernel.naiveContains(body, hash) {
			t.Fatalf("%s of %d bytes: hash %#x was added and is missing", kernel.name, len(body), hash)
		}
	}
	queried := append(added, vectors.Hashes(22, 300)...)
	want := kernel.answers(body, queried)
	describe := func() string { return fmt.Sprintf("%s of %d bytes", kernel.name, len(body)) }
	kernel.checkSingles(t, body, queried, want, describe)
	kernel.checkBatch(t, newRoom(len(queried)), 0, body, queried, want, describe)

	// Zero again for the next one.
	for _, hash := range added {
		const pairs = 128 * asm.BlockBytes
		from := int(kernel.block(hash, uint32(len(body)/asm.BlockBytes))) * asm.BlockBytes / pairs * pairs
		clear(body[from:min(from+pairs, len(body))])
	}
}

// addPaired pairs the hashes' blocks with either end of the batch, and adds them.
func (k kernels) addPaired(body []byte, hashes []uint64) {
	blocks := len(body) / asm.BlockBytes
	for i, hash := range hashes {
		k.pairBlock(body, int(k.block(hash, uint32(blocks))), i%2*(k.batch-1))
	}
	k.add(body, hashes)
}

// TestLongBatchInALargeBody is long enough for all that a batch does for bodies beyond
// the caches. Most of the body has no memory and reads as zeros.
func TestLongBatchInALargeBody(t *testing.T) {
	added, queried := vectors.Hashes(23, 300), vectors.Hashes(24, 70_001)
	for i, hash := range added {
		queried[i*len(queried)/len(added)] = hash
	}
	eachLevel(t, func(t *testing.T) {
		size := asm.MaxBodyBytes
		if slow {
			size = 1<<31 + 8192
		}
		body := testmem.Sparse(t, size)
		if body == nil {
			t.Logf("this machine has no %d bytes for a slice", size)
			return
		}
		for _, kernel := range []kernels{fastLocal(6), fastLocal(16), paired(128, 16), legacy(6)} {
			body := body[:len(body)/kernel.size(1)*kernel.size(1)]
			kernel.addPaired(body, added)
			describe := func() string { return fmt.Sprintf("%s, %d bytes", kernel.name, len(body)) }
			kernel.checkBatch(t, newRoom(len(queried)), 0, body, queried, kernel.answers(body, queried), describe)
		}
	})
}

func TestBodiesBeyondTheFormatPanic(t *testing.T) { eachLevel(t, testBeyondTheFormat) }

func testBeyondTheFormat(t *testing.T) {
	body := testmem.Sparse(t, 1<<32)
	if body == nil {
		t.Log("this machine has no slices of 4 GiB")
		return
	}
	for name, lookup := range map[string]func(){
		"FastLocal":  func() { fastLocalContains(body, 6, 1) },
		"Paired-32":  func() { pairedContains(body, 32, 6, 1) },
		"Paired-128": func() { pairedContains(body, 128, 6, 1) },
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
