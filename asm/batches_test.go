package asm_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/testmem"
	"github.com/simdbloom/simdbloom/internal/vectors"
)

// A batch may be cut into chunks, its lines prefetched and its hashes sorted by
// where they belong, all of it by the size of the body and of the batch.

const longestBatch = 200_003

// batchLengths are around the powers of two that chunks may have, and beyond.
var batchLengths = []int{
	255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 10_000, 65_537, longestBatch,
}

// bodySizes are in and beyond each level of caches.
var bodySizes = []int{asm.BlockBytes, 70 * asm.BlockBytes, 16 << 10, 1 << 20, 3 << 20, 48 << 20}

// longBatches is where batches of a body of one size are asked.
type longBatches struct {
	room         []byte // the body is somewhere in it
	size         int
	hashes, hits []uint64 // between unreadable pages
	atEnd        bool     // where the last batch was, in them
}

func newLongBatches(t *testing.T, size int) *longBatches {
	return &longBatches{
		room:   testmem.Between(t, size+asm.BlockBytes),
		size:   size,
		hashes: testmem.Words(testmem.Between(t, 8*longestBatch)),
		hits:   testmem.Words(testmem.Between(t, 8*asm.Words(longestBatch))),
	}
}

// body returns a place for the body: right behind a guard, right before one, or
// across cache lines.
func (b *longBatches) body(place int) []byte {
	from := []int{0, len(b.room) - b.size, 23}[place%3]
	return b.room[from : from+b.size : from+b.size]
}

// check asks batches of the given lengths, which begin with the same hashes.
// Hashes and answers are right beside guards.
func (b *longBatches) check(t *testing.T, kernel kernels, body []byte, hashes []uint64, lengths []int, describe func() string) {
	t.Helper()
	want := kernel.answers(body, hashes[:slices.Max(lengths)])
	defer testmem.ReadOnly(t, b.room)()
	for _, n := range lengths {
		asked, from := b.hashes[:n], 0
		if b.atEnd = !b.atEnd; b.atEnd {
			asked, from = b.hashes[len(b.hashes)-n:], len(b.hits)-asm.Words(n)
		}
		copy(asked, hashes)
		kernel.checkBatch(t, b.hits, from, body, asked, want, describe)
		if !slices.Equal(asked, hashes[:n]) {
			t.Fatalf("%s: looking up changed the hashes", describe())
		}
	}
}

// fillAtRandom has every third hash added to half of the bits.
func (b *longBatches) fillAtRandom(kernel kernels, body []byte, r *rand.Rand, hashes []uint64) {
	words := testmem.Words(b.room)
	for i := range words {
		words[i] = r.Uint64()
	}
	for i := 0; i < min(len(hashes), len(body)/16); i += 3 {
		kernel.naiveAdd(body, hashes[i])
	}
}

// clearSomeBits has all bits set but one of each third hash, two in a block, so
// that the probe which looks at it decides.
func (b *longBatches) clearSomeBits(k int, body []byte, hashes []uint64) {
	words := testmem.Words(b.room)
	for i := range words {
		words[i] = ^uint64(0)
	}
	blocks := len(body) / asm.BlockBytes
	for i := 0; i < min(len(hashes), 6*blocks); i += 3 {
		bit := probedBit(hashes[i], i/3%k)
		body[int(asm.Block(hashes[i], uint32(blocks)))*asm.BlockBytes+int(bit/8)] &^= 1 << (bit % 8)
	}
}

func TestLongBatches(t *testing.T) {
	hashes := vectors.Hashes(31, longestBatch)
	eachLevel(t, func(t *testing.T) {
		for _, size := range bodySizes {
			batches := newLongBatches(t, size)
			for i, k := range probeClasses {
				r := rand.New(rand.NewPCG(uint64(size), uint64(k)))
				body := batches.body(i)
				batches.fillAtRandom(fastLocal(k), body, r, hashes)
				batches.check(t, fastLocal(k), body, hashes, batchLengths, func() string {
					return fmt.Sprintf("k=%d, %d random bytes", k, size)
				})
				batches.clearSomeBits(k, body, hashes)
				batches.check(t, fastLocal(k), body, hashes, batchLengths, func() string {
					return fmt.Sprintf("k=%d, %d full bytes but some bits", k, size)
				})
			}
		}
	})
}

// TestEveryProbeCountsInLongBatches is for all numbers of probes.
func TestEveryProbeCountsInLongBatches(t *testing.T) {
	lengths := []int{4097, 65_537}
	hashes := vectors.Hashes(32, slices.Max(lengths))
	eachLevel(t, func(t *testing.T) {
		for _, size := range []int{16 << 10, 3 << 20} {
			batches := newLongBatches(t, size)
			for k := 1; k <= asm.MaxProbes; k++ {
				body := batches.body(k)
				batches.clearSomeBits(k, body, hashes)
				batches.check(t, fastLocal(k), body, hashes, lengths, func() string {
					return fmt.Sprintf("k=%d, %d full bytes but some bits", k, size)
				})
			}
		}
	})
}

// TestEveryLengthAndDistance is for batches whose last lines, or all, are not
// prefetched as the others are.
func TestEveryLengthAndDistance(t *testing.T) {
	const longest = 1300
	hashes := vectors.Hashes(35, longest)
	lengths := make([]int, longest+1)
	for n := range lengths {
		lengths[n] = n
	}
	batches := newLongBatches(t, 70*asm.BlockBytes)
	eachLevel(t, func(t *testing.T) {
		eachDistance(t, func(t *testing.T) {
			for i := range 2 * len(probeClasses) {
				k := probeClasses[i/2]
				r := rand.New(rand.NewPCG(36, uint64(i)))
				body := batches.body(2 * (i % 2)) // along the lines, and across
				batches.fillAtRandom(fastLocal(k), body, r, hashes)
				batches.check(t, fastLocal(k), body, hashes, lengths, func() string { return fmt.Sprintf("k=%d, random", k) })
				batches.clearSomeBits(k, body, hashes)
				batches.check(t, fastLocal(k), body, hashes, lengths, func() string {
					return fmt.Sprintf("k=%d, full but some bits", k)
				})
			}
		})
	})
}

// TestUnevenBatches asks hashes that do not spread over the body as hashes of
// keys do: whoever sorts them by place must not count on it.
func TestUnevenBatches(t *testing.T) {
	const low = 1<<32 - 1
	random := vectors.Hashes(33, longestBatch)
	ascending := slices.SortedFunc(slices.Values(random), func(a, b uint64) int { return cmp.Compare(a&low, b&low) })
	descending := slices.Clone(ascending)
	slices.Reverse(descending)
	skewed := map[string][]uint64{"ascending": ascending, "descending": descending}
	for name, change := range map[string]func(i int, hash uint64) uint64{
		"in the first block":       func(_ int, hash uint64) uint64 { return hash &^ low },
		"in the last block":        func(_ int, hash uint64) uint64 { return hash | low },
		"in the middle":            func(_ int, hash uint64) uint64 { return hash&^low | 1<<31 },
		"the same":                 func(int, uint64) uint64 { return random[0] },
		"at both ends, by turns":   func(i int, hash uint64) uint64 { return hash&^low | uint64(-i&1)*low },
		"in one half and one line": func(i int, hash uint64) uint64 { return hash | uint64(-i&1)*low },
	} {
		hashes := slices.Clone(random)
		for i := range hashes {
			hashes[i] = change(i, hashes[i])
		}
		skewed[name] = hashes
	}
	eachLevel(t, func(t *testing.T) {
		for _, size := range []int{3 << 20, 48 << 20} {
			batches := newLongBatches(t, size)
			for i, k := range []int{6, 16} {
				body := batches.body(i)
				batches.fillAtRandom(fastLocal(k), body, rand.New(rand.NewPCG(uint64(size), uint64(k))), random)
				fastLocal(k).naiveAdd(body, random[0]&^low)
				fastLocal(k).naiveAdd(body, random[0]|low)
				for name, hashes := range skewed {
					batches.check(t, fastLocal(k), body, hashes, []int{4096, 65_537, longestBatch}, func() string {
						return fmt.Sprintf("k=%d, %d bytes, hashes %s", k, size, name)
					})
				}
			}
		}
	})
}
