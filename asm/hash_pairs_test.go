package asm_test

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// TestHashPairs has keys and hashes right beside unreadable pages. What is beside the hashes stays.
func TestHashPairs(t *testing.T) {
	const most, untouched = 1<<13 + 30, 42
	random := rand.New(rand.NewPCG(5, 73))
	memory, room := testmem.Between(t, 16*most), testmem.Words(testmem.Between(t, 8*most))
	for i := range memory {
		memory[i] = byte(random.Uint32())
	}
	pairs := unsafe.Slice((*[16]byte)(unsafe.Pointer(&memory[0])), most)
	numbers := []int{1 << 13, 1<<13 + 8, 1<<13 + 17, most}
	for n := range 40 {
		numbers = append(numbers, n)
	}
	for name, hash := range map[string]func(hashes []uint64, pairs [][16]byte){"asm": asm.HashPairs, "fallback": fallback.HashPairs} {
		eachLevel(t, func(t *testing.T) {
			refusal(t, "slice bounds out of range", func() { hash(make([]uint64, 7, 8), pairs[:8]) })
			for _, n := range numbers {
				for _, from := range []int{0, most - n} {
					for i := range room {
						room[i] = untouched
					}
					at := most - n - from
					hash(room[at:][:n], pairs[from:][:n])
					for i, got := range room {
						want := uint64(untouched)
						if at <= i && i < at+n {
							want = xxhash.Sum64(pairs[from+i-at][:])
						}
						if got != want {
							t.Fatalf("%s, %d keys from %d: word %d is %#x, want %#x", name, n, from, i, got, want)
						}
					}
				}
			}
		})
	}
}
