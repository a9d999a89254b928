package asm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// fewKeysFilters are of every kind that looks up keys in its own way, near and far.
func fewKeysFilters(random *rand.Rand) map[string]asm.Kernel {
	body := randomBody(random, 128*asm.BlockBytes)
	for i := range body {
		body[i] |= byte(random.Uint32())
	}
	filters := map[string]asm.Kernel{
		"nothing": asm.NewConstant(false), "everything": asm.NewConstant(true),
		"SplitBlock": asm.NewSplitBlock(body), "SplitBlock of one block": asm.NewSplitBlock(body[:asm.SplitBlockBytes]),
		"SplitBlock, shared": asm.NewSharedSplitBlock(body), "LevelDB": asm.NewLevelDB(body, 6), "Legacy": asm.NewLegacy(body, 128, 6),
		"Blobloom": asm.NewBlobloom(body, 6), "Paired": asm.NewPaired(body, 128, 6),
	}
	for probes := 1; probes <= 9; probes++ {
		if slow && probes < 6 {
			continue
		}
		filters[fmt.Sprint("FastLocal, ", probes)] = asm.NewFastLocal(body, probes)
		filters[fmt.Sprint("FastLocal, shared, ", probes)] = asm.NewSharedFastLocal(body, probes)
		filters[fmt.Sprint("FastLocal of one block, ", probes)] = asm.NewFastLocal(body[:asm.BlockBytes], probes)
	}
	return filters
}

// TestContainsKeys has keys beside memory that may not be touched, of one length and of different ones, some longer
// than assembly hashes. It writes nothing beside the answers. A Kernel that looks keys up in another one has the same
// answers.
func TestContainsKeys(t *testing.T) {
	eachLevelAndDistance(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(3, 54))
		memory := testmem.Between(t, 2*4096)
		for i := range memory {
			memory[i] = byte(random.Uint32())
		}
		hits := testmem.Between(t, 4096)
		for name, k := range fewKeysFilters(random) {
			by := asm.NewConstant(true)
			by.KeysOf(&k)
			for _, h := range keyed {
				k.HashBy(h.by, outside(h.Hash))
				for n := range 70 {
					if slow && n > 9 && n%8 > 1 {
						continue
					}
					for _, most := range []int{random.IntN(128), 16, 127, 300} {
						keys := fewKeys(random, memory, n, most)
						what := fmt.Sprintf("%s, %s, %d keys of up to %d bytes", name, h.name, n, most)
						if n > 0 {
							refusal(t, "hits shorter than keys", func() { k.ContainsKeys(keys, make([]bool, n-1, n)) })
						}
						checkFewKeys(t, what, &k, h.Sum64, keys, hits[len(hits)-n-1:])
						again := make([]bool, n)
						if by.ContainsKeys(keys, again); !slices.Equal(again, testmem.Bools(hits[len(hits)-n:])) {
							t.Fatalf("%s: other answers through another Kernel", what)
						}
					}
				}
			}
		}
	})
}

// fewKeys returns keys of one length or of many, which begin or end at unreadable pages or are anywhere.
func fewKeys(random *rand.Rand, memory []byte, n, most int) [][]byte {
	keys, uniform := make([][]byte, n), random.IntN(2) == 0
	for i := range keys {
		length := most
		if !uniform {
			length = random.IntN(most + 1)
		}
		at := []int{0, len(memory) - length, random.IntN(len(memory) - length)}[random.IntN(3)]
		keys[i] = memory[at : at+length : at+length]
	}
	return keys
}

// checkFewKeys compares the answers with those for hashes. room has a byte more than there are keys, and ends at an
// unreadable page.
func checkFewKeys(t *testing.T, name string, k *asm.Kernel, sum func(key []byte) uint64, keys [][]byte, room []byte) {
	t.Helper()
	const untouched = 42
	for i := range room {
		room[i] = untouched
	}
	hits := testmem.Bools(room[1:])
	k.ContainsKeys(keys, hits)
	for i, key := range keys {
		if want := k.Contains(sum(key)); hits[i] != want {
			t.Fatalf("%s: key %d, %x: not %v", name, i, key, want)
		}
	}
	if room[0] != untouched || slices.ContainsFunc(room[1+len(keys):], func(b byte) bool { return b != untouched }) {
		t.Fatalf("%s: something beside %d answers has changed", name, len(keys))
	}
}
