package asm_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// A kernel may look into the primary blocks first, and then into the secondary blocks of
// the keys that survive; and it may skip this first step where most keys survive. So the
// answers must not depend on how many keys of a batch survive, nor on their order.

// A fate says where a key ends.
type fate int

const (
	absent  fate = iota // in its primary block
	refused             // in its secondary block
	present
)

func (f fate) String() string { return [...]string{"absent", "refused", "present"}[f] }

// fateOf returns a hash's. Where there are no pairs, the first half of the probes
// stands for the primary block.
func (k kernels) fateOf(body []byte, hash uint64) fate {
	for i, bit := range k.naiveBits(body, hash) {
		switch set := body[bit/8]>>(bit%8)&1 != 0; {
		case !set && i < k.probes/2:
			return absent
		case !set:
			return refused
		}
	}
	return present
}

// mix says which fate the keys of a batch have. Where time is short, minor ones are left out.
type mix struct {
	name  string
	keys  int
	fates func(i int) fate
	minor bool
}

// mixes are the mixes for code that adapts to the keys.
func mixes(r *rand.Rand) (all []mix) {
	const long = 4200 // more than two calls of assembly
	fates := []fate{absent, refused, present}
	for _, most := range fates {
		all = append(all, mix{fmt.Sprintf("all %v", most), long, func(int) fate { return most }, false})
		for _, few := range fates {
			if few == most {
				continue
			}
			for _, percent := range []int{1, 10, 50} {
				all = append(all, mix{fmt.Sprintf("%d in 100 %v, others %v", percent, few, most), long, func(int) fate {
					if r.IntN(100) < percent {
						return few
					}
					return most
				}, percent != 10})
			}
		}
	}
	all = append(all, mix{"at random", long, func(int) fate { return fates[r.IntN(3)] }, false})

	var inRuns []fate
	for turn, length := range []int{1, 7, 8, 9, 63, 64, 65, 200, 511, 1000, 1025, 1, 15, 16, 17, 31, 33, 127, 128, 129, 513, 1024, 32} {
		for range length {
			inRuns = append(inRuns, fates[turn%3])
		}
	}
	all = append(all, mix{"in runs", len(inRuns), func(i int) fate { return inRuns[i] }, false},
		mix{"in runs, backwards", len(inRuns), func(i int) fate { return inRuns[len(inRuns)-1-i] }, false})

	// As long as a call of assembly, after which a kernel may change its way.
	calls := []func() fate{
		func() fate { return present }, func() fate { return fates[r.IntN(3)] }, func() fate { return fates[r.IntN(3)] },
		func() fate { return present }, func() fate { return absent }, func() fate { return present }, func() fate { return refused },
	}
	for _, length := range []int{1024, 2048, 1984} {
		all = append(all, mix{fmt.Sprintf("otherwise after every %d", length), len(calls) * length, func(i int) fate {
			return calls[i/length]()
		}, false})
	}

	survive := func(of int, survivors func(i int) int) func(i int) fate {
		chosen := make([]bool, of)
		return func(i int) fate {
			if i%of == 0 {
				for j := range chosen {
					chosen[j] = j < survivors(i)
				}
				r.Shuffle(of, func(a, b int) { chosen[a], chosen[b] = chosen[b], chosen[a] })
			}
			if chosen[i%of] {
				return fates[1+r.IntN(2)]
			}
			return absent
		}
	}
	for n := range 65 {
		all = append(all, mix{fmt.Sprintf("%d of 64 survive", n), 320, survive(64, func(int) int { return n }), n%4 != 0})
	}
	all = append(all,
		mix{"more and more of 64 survive", 65 * 64, survive(64, func(i int) int { return i / 64 }), false},
		mix{"fewer and fewer of 64 survive", 65 * 64, survive(64, func(i int) int { return 64 - i/64 }), false},
		mix{"more and more of 8 survive", 9 * 8, survive(8, func(i int) int { return i / 8 }), false},
		mix{"more and more of 16 survive", 17 * 16, survive(16, func(i int) int { return i / 16 }), false},
	)
	return all
}

func TestMixesOfSurvivors(t *testing.T) {
	for i, kernel := range someKernels() {
		testMixes(t, kernel, i)
	}
}

func testMixes(t *testing.T, kernel kernels, variant int) {
	r := rand.New(rand.NewPCG(uint64(variant), 84))
	size := kernel.size(70 * asm.BlockBytes)
	body := testmem.Between(t, size+asm.BlockBytes)[variant:][:size]
	copy(body, kernel.balancedBody(r, size))
	var pools [present + 1][]uint64
	for _, hash := range vectors.Hashes(uint64(variant), 8000) {
		f := kernel.fateOf(body, hash)
		pools[f] = append(pools[f], hash)
	}
	all := mixes(r)
	longest := 0
	hashes, want := make([][]uint64, len(all)), make([][]uint64, len(all))
	for m, mix := range all {
		longest = max(longest, mix.keys)
		hashes[m], want[m] = make([]uint64, mix.keys), make([]uint64, asm.Words(mix.keys))
		for i := range mix.keys {
			f := mix.fates(i)
			hashes[m][i] = pools[f][r.IntN(len(pools[f]))]
			if f == present {
				want[m][i/64] |= 1 << (i % 64)
			}
		}
	}
	hits := newRoom(longest)
	turn := 0
	eachLevelAndDistance(t, func(t *testing.T) {
		turn++
		for m, mix := range all {
			if mix.minor && (sampled || slow && m%3 != turn%3) {
				continue // or with another distance
			}
			describe := func() string { return fmt.Sprintf("%s, %s", kernel.name, mix.name) }
			for _, n := range []int{mix.keys, mix.keys - 1 - r.IntN(63), r.IntN(mix.keys), r.IntN(min(mix.keys, 130))} {
				kernel.checkBatch(t, hits, n%places, body, hashes[m][:n], want[m], describe)
			}
		}
	})
}
