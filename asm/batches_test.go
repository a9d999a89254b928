package asm_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// A batch may be cut into chunks, its lines prefetched and its hashes sorted by
// where they belong, all of it by the size of the body and of the batch.

const longestBatch = 65_537

// batchLengths are around the powers of two that chunks may have, and beyond.
var batchLengths = []int{
	255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049, 2055, 2056, 4095, 4096, 4097, 10_000, longestBatch,
}

// bodySizes are in and beyond each level of caches.
var bodySizes = []int{asm.BlockBytes, 70 * asm.BlockBytes, 16 << 10, 1 << 20, 3 << 20, 48 << 20}

// longBatches is the memory for batches of lookups, in bodies up to a size.
type longBatches struct {
	memory []byte   // the body is somewhere in it
	hashes []uint64 // between unreadable pages, as the answers are
	hits   room
	each   func(t *testing.T, f func(t *testing.T)) // runs f in every setting: the same answers hold in all
	done   int                                      // batches
}

func newLongBatches(t *testing.T, size int, each func(t *testing.T, f func(t *testing.T))) *longBatches {
	return &longBatches{
		each:   each,
		memory: testmem.Between(t, paired(128, 2).size(size)+asm.BlockBytes),
		hashes: testmem.Words(testmem.Between(t, 8*longestBatch)),
		hits:   guardedRoom(t, longestBatch),
	}
}

// body returns a place for a body: right behind a guard, right before one, or
// across cache lines.
func (b *longBatches) body(size, place int) []byte {
	from := []int{0, len(b.memory) - size, 23}[place%3]
	return b.memory[from : from+size : from+size]
}

// check looks up batches of the lengths that a setting has, which begin with the same hashes.
// Hashes and answers are right beside guards.
func (b *longBatches) check(t *testing.T, kernel kernels, body []byte, hashes []uint64, lengths func() []int, describe func() string) {
	t.Helper()
	want := kernel.answers(body, hashes)
	defer testmem.ReadOnly(t, b.memory)()
	b.each(t, func(t *testing.T) {
		for _, n := range lengths() {
			queried, to := b.hashes[:n], 0
			if b.done++; b.done%2 != 0 {
				queried, to = b.hashes[len(b.hashes)-n:], atEnd
			}
			copy(queried, hashes)
			kernel.checkBatch(t, b.hits, to, body, queried, want, describe)
			if !slices.Equal(queried, hashes[:n]) {
				t.Fatalf("%s: looking up changed the hashes", describe())
			}
		}
	})
}

// checkContents does so with every third hash in a body of random bits, and then
// in a full one where some bits are clear.
func (b *longBatches) checkContents(t *testing.T, kernel kernels, body []byte, hashes []uint64, lengths func() []int) {
	t.Helper()
	b.fillAtRandom(kernel, body, hashes)
	b.check(t, kernel, body, hashes, lengths, func() string {
		return fmt.Sprintf("%s, %d random bytes", kernel.name, len(body))
	})
	b.clearSomeBits(kernel, body, hashes)
	b.check(t, kernel, body, hashes, lengths, func() string {
		return fmt.Sprintf("%s, %d full bytes but some bits", kernel.name, len(body))
	})
}

// fillAtRandom sets half of the bits, and adds every third hash.
func (b *longBatches) fillAtRandom(kernel kernels, body []byte, hashes []uint64) {
	r := rand.New(rand.NewPCG(uint64(len(body)), uint64(kernel.probes)))
	const unlike = 1<<16 + 1 // no two blocks a power of two apart have the same bits
	pattern := testmem.Words(b.memory)[:min(len(b.memory)/8, unlike)]
	for i := range pattern {
		pattern[i] = r.Uint64()
	}
	b.repeat(8 * len(pattern))
	for i := 0; i < min(len(hashes), len(body)/16); i += 3 {
		kernel.naiveAdd(body, hashes[i])
	}
}

// repeat fills the memory with its first n bytes, repeated.
func (b *longBatches) repeat(n int) {
	for ; n < len(b.memory); n *= 2 {
		copy(b.memory[n:], b.memory[:n])
	}
}

// clearSomeBits sets all bits but one of each third hash, two in a block, so that the
// probe that looks at it decides.
func (b *longBatches) clearSomeBits(kernel kernels, body []byte, hashes []uint64) {
	b.memory[0] = 0xff
	b.repeat(1)
	kernel.pair(rand.New(rand.NewPCG(uint64(len(body)), 37)), body)
	for i := 0; i < min(len(hashes), 6*len(body)/asm.BlockBytes); i += 3 {
		clearBit(body, kernel.naiveBits(body, hashes[i])[i/3%kernel.probes])
	}
}

func TestLongBatches(t *testing.T) {
	hashes := vectors.Hashes(31, batchLengths[len(batchLengths)-1-lessIf(slow)])
	for _, size := range bodySizes[:len(bodySizes)-lessIf(slow)] {
		batches := newLongBatches(t, size, eachLevel)
		lengths := func() []int {
			if slow && size == bodySizes[len(bodySizes)-1] {
				return nil // TestEveryLengthAndDistance has bodies that count as far
			}
			return batchLengths[:len(batchLengths)-lessIf(slow)]
		}
		for i, kernel := range someKernels() {
			if kernel.batch > 1 && (size == 16<<10 || size == 3<<20) {
				continue // as the sizes below
			}
			batches.checkContents(t, kernel, batches.body(kernel.size(size), i), hashes, lengths)
		}
	}
}

// lessIf returns 1 if the last of some is left out.
func lessIf(left bool) int {
	if left {
		return 1
	}
	return 0
}

// TestEveryProbeCountsInLongBatches covers all numbers of probes.
func TestEveryProbeCountsInLongBatches(t *testing.T) {
	lengths := []int{4097, 10_001}
	hashes := vectors.Hashes(32, slices.Max(lengths))
	for _, size := range []int{16 << 10, 3 << 20} {
		batches := newLongBatches(t, size, eachLevel)
		for i, kernel := range everyKernel() {
			body := batches.body(size, i)
			batches.clearSomeBits(kernel, body, hashes)
			batches.check(t, kernel, body, hashes, func() []int { return lengths }, func() string {
				return fmt.Sprintf("%s, %d full bytes but some bits", kernel.name, size)
			})
		}
	}
}

// TestEveryLengthAndDistance covers batches whose last lines, or all, are not prefetched
// as the others are. Lengths far from whole words are every fourth, by turns.
func TestEveryLengthAndDistance(t *testing.T) {
	const longest = 1300
	hashes := vectors.Hashes(35, longest)
	batches := newLongBatches(t, 70*asm.BlockBytes, eachLevelAndDistance)
	for i, kernel := range someKernels() {
		starts := []int{0, 2} // along the lines, and across
		if kernel.batch > 1 {
			starts = starts[i/2%2:][:1]
		}
		for _, place := range starts {
			batches.checkContents(t, kernel, batches.body(kernel.size(70*asm.BlockBytes), place), hashes, func() (lengths []int) {
				for n := range longest + 1 {
					if n <= longestTail || (n+2)%64 <= 4 || !slow && n%4 == (i+place/2)%4 {
						lengths = append(lengths, n)
					}
				}
				return lengths
			})
		}
	}
}

// TestUnevenBatches looks up hashes that do not spread over the body as hashes of keys
// do: a kernel that sorts them by place must not count on it.
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
	sizes := []int{3 << 20, 48 << 20}
	for _, size := range sizes[:len(sizes)-lessIf(slow)] {
		batches := newLongBatches(t, size, eachLevel)
		lengths := func() []int {
			switch {
			case !slow:
				return []int{4096, longestBatch}
			case size == sizes[0]:
				return []int{4096, 10_001}
			default:
				return nil
			}
		}
		for i, kernel := range []kernels{fastLocal(6), fastLocal(16), paired(128, 16), legacy(6)} {
			body := batches.body(size, i)
			batches.fillAtRandom(kernel, body, random)
			kernel.naiveAdd(body, random[0]&^low)
			kernel.naiveAdd(body, random[0]|low)
			for name, hashes := range skewed {
				batches.check(t, kernel, body, hashes, lengths, func() string {
					return fmt.Sprintf("%s, %d bytes, hashes %s", kernel.name, size, name)
				})
			}
		}
	}
}
