package asm_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// TestContainsManyAlikeKeys has many keys of 16 bytes, or of 8, among which some are shorter, longer, or all of other
// lengths. Keys begin or end at unreadable pages, or are scattered. Bodies begin at a cache line, or do not.
func TestContainsManyAlikeKeys(t *testing.T) {
	const most = 4500
	random := rand.New(rand.NewPCG(4, 73))
	memory := testmem.Between(t, 2*4096)
	for i := range memory {
		memory[i] = byte(random.Uint32())
	}
	scattered := make([]byte, 1<<20)
	for i := range scattered {
		scattered[i] = byte(random.Uint32())
	}
	room := testmem.Between(t, 2*4096)
	numbers := []int{63, 64, 65, 71, 72, 73, 80, 128, 255, 264, 519, 1031, 2047, 2048, 2049, 2055, 2056, 4103, most}
	if slow {
		numbers = []int{65, 263, 2055}
	}
	eachLevelAndDistance(t, func(t *testing.T) {
		bytes := randomBody(random, 128*asm.BlockBytes+asm.BlockBytes/2)
		for i := range bytes {
			bytes[i] |= byte(random.Uint32())
		}
		aligned := bytes[:128*asm.BlockBytes]
		filters := map[string]asm.Kernel{
			"SplitBlock": asm.NewSplitBlock(aligned), "SplitBlock, shared": asm.NewSharedSplitBlock(aligned),
			"Blobloom": asm.NewBlobloom(aligned, 7), "SplitBlock, not aligned": asm.NewSplitBlock(bytes[asm.BlockBytes/2:]), "Paired": asm.NewPaired(aligned, 128, 6),
		}
		for _, probes := range []int{1, 5, 6, 7, 8, 9} {
			filters[fmt.Sprint("FastLocal, ", probes)] = asm.NewFastLocal(aligned, probes)
		}
		filters["FastLocal, shared"] = asm.NewSharedFastLocal(aligned, 6)
		filters["FastLocal, not aligned"] = asm.NewFastLocal(bytes[asm.BlockBytes/2:], 6)
		for name, k := range filters {
			for _, h := range keyed[:2] {
				k.HashBy(h.by, nil)
				for _, n := range numbers {
					for others := range 5 {
						for _, size := range []int{16, 8} {
							keys := alikeKeys(random, memory, scattered, n, size, others)
							what := fmt.Sprintf("%s, %s, %d keys of %d bytes, %d", name, h.name, n, size, others)
							checkFewKeys(t, what, &k, h.Sum64, keys, room[len(room)-n-1:])
						}
					}
				}
			}
		}
	})
}

// alikeKeys returns keys of a size. Some have another length: none, the last one, one in 1,000, one in ten, or all.
func alikeKeys(random *rand.Rand, memory, scattered []byte, n, size, others int) [][]byte {
	keys := make([][]byte, n)
	apart := random.IntN(2) == 0
	for i := range keys {
		length := size
		if others == 1 && i == n-1 || others == 2 && random.IntN(1000) == 0 || others == 3 && random.IntN(10) == 0 || others == 4 {
			length = []int{0, 8, 15, 16, 17, 24, 300}[random.IntN(7)]
		}
		from := memory
		if apart {
			from = scattered
		}
		at := []int{0, len(from) - length, random.IntN(len(from) - length)}[random.IntN(3)]
		keys[i] = from[at : at+length : at+length]
	}
	return keys
}

// TestContainsWords has numbers right beside unreadable pages, as their answers are.
func TestContainsWords(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 73))
	numbers := testmem.Words(testmem.Between(t, 8*2200))
	for i := range numbers {
		numbers[i] = random.Uint64()
	}
	room := testmem.Between(t, 4096)
	eachLevelAndDistance(t, func(t *testing.T) {
		body := randomBody(random, 128*asm.BlockBytes)
		for i := range body {
			body[i] |= byte(random.Uint32())
		}
		for name, k := range map[string]asm.Kernel{
			"SplitBlock": asm.NewSplitBlock(body), "FastLocal, 6": asm.NewFastLocal(body, 6), "FastLocal, 8": asm.NewFastLocal(body, 8),
			"FastLocal, 9": asm.NewFastLocal(body, 9), "Paired": asm.NewPaired(body, 128, 6),
		} {
			for _, h := range keyed[:2] {
				k.HashBy(h.by, nil)
				for _, n := range []int{0, 7, 64, 65, 72, 100, 1023, 1024, 1040, 2100} {
					words := numbers[len(numbers)-n:]
					hits := testmem.Bools(room[len(room)-n:])
					clear(hits)
					done := k.ContainsWords(words, hits)
					if done > n || done > 0 && done < n-7 {
						t.Fatalf("%s: %d of %d are looked up", name, done, n)
					}
					for i, word := range words {
						if want := i < done && k.Contains(h.SumUint64(word)); hits[i] != want {
							t.Fatalf("%s, %s: number %d of %d: not %v", name, h.name, i, n, want)
						}
					}
				}
			}
		}
	})
}
