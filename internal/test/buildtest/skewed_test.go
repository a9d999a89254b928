package buildtest

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// Hashes that are spread unevenly over the filter. The low half of a hash chooses its
// block, in proportion, so the hashes of neighbouring blocks, and of a part of the filter,
// have the low half's high bits in common.

const (
	lowHalf = 1<<32 - 1
	one     = 0x9ae16a3b2f90404f
	other   = 0x3c6ef372fe94f82b
)

// skews return the i-th of n hashes, made of a random one.
var skews = []struct {
	name string
	hash func(i, n uint64, random uint64) uint64
}{
	{"two in turn", func(i, _, _ uint64) uint64 {
		if i%2 == 0 {
			return one
		}
		return other
	}},
	{"two of one block in turn", func(i, _, _ uint64) uint64 { return one ^ i%2<<63 }},
	{"every second one the same", func(i, _, random uint64) uint64 {
		if i%2 == 0 {
			return one
		}
		return random
	}},
	{"first block", func(_, _, random uint64) uint64 { return random &^ lowHalf }},
	{"last block", func(_, _, random uint64) uint64 { return random | lowHalf }},
	{"first and last block in turn", func(i, _, random uint64) uint64 { return random&^lowHalf | lowHalf*(i%2) }},
	{"one part", func(_, _, random uint64) uint64 {
		return random&^(0x1ff<<fallback.ListShift) | 0x5a<<fallback.ListShift
	}},
	{"a fraction of a part", func(_, _, random uint64) uint64 { return random&^(0xffff<<16) | 0xbeef<<16 }},
	{"two neighbouring parts", func(_, _, random uint64) uint64 {
		return random&^lowHalf | (1<<31 - 1<<23 + random&(1<<24-1))
	}},
	{"part after part", func(i, n, random uint64) uint64 { return random&^lowHalf | rising(i, n, random) }},
	{"part before part", func(i, n, random uint64) uint64 { return random&^lowHalf | rising(n-1-i, n, random) }},
	{"sorted", func(i, n, random uint64) uint64 { return rising(i, n, random>>32)<<32 | random&lowHalf }},
	{"denser and denser", func(_, _, random uint64) uint64 {
		low := random & lowHalf
		return random&^lowHalf | low*low>>32*low>>32
	}},
	{"even, then one block", func(i, n, random uint64) uint64 {
		if i < n/2 {
			return random
		}
		return random&^lowHalf | one&lowHalf
	}},
}

// rising returns the i-th of n rising numbers of 32 bits.
func rising(i, n, random uint64) uint64 { return (i<<32 + random&lowHalf) / n }

// skewed returns n such hashes.
func skewed(hash func(i, n, random uint64) uint64, n int) []uint64 {
	r, hashes := rand.NewPCG(uint64(n), 5), make([]uint64, n)
	for i := range hashes {
		hashes[i] = hash(uint64(i), uint64(n), r.Uint64())
	}
	return hashes
}

// TestSkewedHashes builds filters in small parts and sections.
func TestSkewedHashes(t *testing.T) {
	enoughProcs(t)
	for i, skew := range skews {
		for j, k := range kinds {
			several := make([]setting, unlessSlow(2, 1))
			for turn := range several {
				several[turn] = oneSetting(len(several)*(len(kinds)*i+j) + turn)
			}
			compareSkewed(t, skew.name, k.inParts(), several, skewed(skew.hash, k.hashesBeyond(listsFrom)))
		}
	}
}

// TestManySkewedHashes needs no clock to notice a builder that takes quadratic time: half a million
// hashes or more would take it minutes. Each skew has one kind.
func TestManySkewedHashes(t *testing.T) {
	if slow() {
		t.Skip("takes seconds, for the same at every level")
	}
	enoughProcs(t)
	for i, skew := range skews {
		k := kinds[i%len(kinds)]
		compareSkewed(t, skew.name, k, []setting{oneSetting(i)}, skewed(skew.hash, k.hashesBeyond(1<<20)))
	}
}

func compareSkewed(t *testing.T, name string, k kind, settings []setting, hashes []uint64) {
	t.Helper()
	if k.batch == inSplitBlocks { // the high half chooses the block
		for i, hash := range hashes {
			hashes[i] = bits.RotateLeft64(hash, 32)
		}
	}
	kept := slices.Compact(slices.Clone(hashes))
	want := k.plain(kept)
	for _, s := range settings {
		restore := s.limit()
		b := k.builder(t, s.concurrency)
		for piece := range slices.Chunk(hashes, 400_001) {
			b.AddHashes(piece)
		}
		if b.Len() != len(kept) {
			t.Errorf("%s, %v, %s: %d hashes kept of %d, want %d", k.name, s, name, b.Len(), len(hashes), len(kept))
		}
		same(t, finish(t, b), want, "%s, %v, %s", k.name, s, name)
		restore()
	}
}

// TestCountsWrap pairs blocks by numbers of hashes on both sides of 2^16, counted modulo
// 2^16. In the first batch's blocks the true numbers would make other pairs.
func TestCountsWrap(t *testing.T) {
	enoughProcs(t)
	for i, k := range kinds {
		if k.batch <= 0 {
			continue
		}
		// In a filter of a few parts the first batch gets nearly all hashes.
		fuller := unlessSlow(16, 2)
		for _, more := range []int{0, 1} { // exactly 2^16, which is no hash, and more
			n := 0
			for block := range fuller {
				n += 1<<16 + more*(fuller-block)
			}
			even := vectors.Hashes(45, n/8)
			blocks := uint64(len(k.plain(make([]uint64, n+len(even))))-4) / 64
			r := rand.NewPCG(6, uint64(i))
			var hashes []uint64
			for block := range uint64(fuller) {
				lowest := (block<<32 + blocks - 1) / blocks
				for range 1<<16 + more*(fuller-int(block)) {
					hashes = append(hashes, r.Uint64()&^lowHalf|(lowest+r.Uint64()%100))
				}
			}
			hashes = append(hashes, even...)
			shuffle := rand.New(r)
			shuffle.Shuffle(len(hashes), func(i, j int) { hashes[i], hashes[j] = hashes[j], hashes[i] })
			want := k.naive(hashes) // package fallback could be wrong in the same way
			for _, s := range fewSettings(2*i + more) {
				compareBuilt(t, k, s, hashes, want)
			}
		}
	}
}
