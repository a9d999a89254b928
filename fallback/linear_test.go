package fallback

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// linearFilter is a linear filter that is looked up in.
type linearFilter struct {
	body   []byte
	layers LinearLayers
	naive  naive.LinearFilter
}

func filterOf(t testing.TB, f naive.LinearFilter) linearFilter {
	layers, ok := NewLinearLayers(f.Multipliers, f.J, f.R)
	if !ok || layers.numLines != len(f.Headers) {
		t.Fatalf("R=%d, j=%d, multipliers %d: %d lines, not %d", f.R, f.J, f.Multipliers, layers.numLines, len(f.Headers))
	}
	return linearFilter{slices.Concat(f.Lines, f.Headers), layers, f}
}

func (f *linearFilter) contains(hash uint64) bool {
	return LinearContains(f.body, &f.layers, hash)
}

func (f *linearFilter) containsBatch(hits, hashes []uint64) {
	LinearContainsBatch(f.body, &f.layers, hashes, hits)
}

// TestLinearSlots has the slots that docs/linear.md lists.
func TestLinearSlots(t *testing.T) {
	want := [64]int{
		7: 72, 8: 64, 9: 56, 10: 51, 11: 46, 12: 42, 13: 39, 14: 36, 15: 34, 16: 32, 17: 30, 18: 28, 19: 26,
		20: 25, 21: 24, 22: 23, 23: 22, 24: 21, 25: 20, 26: 19, 28: 18, 30: 17, 32: 16,
	}
	for r, slots := range want {
		if got := LinearSlotsOf(r); got != slots {
			t.Errorf("R=%d: %d slots, want %d", r, got, slots)
		}
	}
	if LinearSlotsOf(-1) != 0 {
		t.Error("slots of R=-1")
	}
}

func TestLinearAsTheVectors(t *testing.T) {
	most := 1000 // keys
	if testing.Short() {
		most = 500
	}
	for _, want := range vectors.LinearFilters() {
		if want.N > most { // package linear's tests have those
			continue
		}
		name := fmt.Sprintf("%s, n=%d, R=%d", want.Kind, want.N, want.R)
		f := filterOf(t, naive.Linear(want.Hashes(), want.Millibits()))
		if sum := sha256.Sum256(f.naive.Bytes()); !bytes.Equal(sum[:], want.SHA256) {
			t.Fatalf("%s: other bytes", name)
		}
		for _, hash := range want.Hashes() {
			if !f.contains(hash) {
				t.Fatalf("%s: hash %#x was added", name, hash)
			}
		}
		absent := want.Absent()
		words := make([]uint64, (len(absent)+63)/64)
		f.containsBatch(words, absent)
		hits := []int{}
		for i, hash := range absent {
			hit := words[i/64]>>(i%64)&1 != 0
			if f.contains(hash) != hit {
				t.Fatalf("%s: hash %#x: alone %v, in the batch %v", name, hash, !hit, hit)
			}
			if hit {
				hits = append(hits, i)
			}
		}
		if len(hits) != want.HitCount || !slices.Equal(hits[:min(64, len(hits))], want.Hits) {
			t.Errorf("%s: %d of %d absent hashes may be present, want %d", name, len(hits), want.Asked, want.HitCount)
		}
	}
}

// TestLinearLines compares lines, of all sizes of fingerprints and numbers of keys, with
// the naive ones.
func TestLinearLines(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	var solver LinearSolver
	for r := range MostLinearBits + 1 {
		slots := LinearSlotsOf(r)
		if slots == 0 {
			continue
		}
		for round := range 60 {
			keys := random.IntN(slots + slots/2)
			if round%10 == 9 {
				keys = 5 * slots
			}
			hashes := randomHashes(random.Uint64(), keys)
			lines := uint32(random.Uint32N(1<<random.UintN(32) + 1))
			of := random.Uint32N(max(lines, 1))
			for i := range hashes {
				lowest := (uint64(of)<<32 + uint64(lines) - 1) / max(uint64(lines), 1)
				above := (uint64(of+1)<<32 + uint64(lines) - 1) / max(uint64(lines), 1)
				hashes[i] = hashes[i]&^0xffffffff | lowest + hashes[i]&0xffffffff%max(above-lowest, 1)
				if round%5 == 1 && i > 0 && random.IntN(3) == 0 {
					hashes[i] = hashes[random.IntN(i)]
				}
				if round%5 == 2 { // few rows, few places in the order
					hashes[i] &= 0x3_0000_0000 | 3<<30 | 7
				}
			}
			lines = max(lines, 1)
			hashes = slices.DeleteFunc(hashes, func(h uint64) bool { line, _ := LinearPlace(h, lines); return line != of })
			want, wantHeader := naive.LinearLine(r, uint64(lines), hashes)
			line := bytes.Repeat([]byte{0xa5}, BlockBytes)
			for range 2 {
				header := LinearSolve(&solver, line, r, lines, hashes)
				if !bytes.Equal(line, want[:]) || header != wantHeader {
					t.Fatalf("R=%d, %d keys: line %x, header %x, want %x, %x", r, len(hashes), line, header, want, wantHeader)
				}
				slices.Reverse(hashes)
			}
		}
	}
}

// TestLinearManyInALine has far more keys in a line than it has slots. Repetitions change
// nothing, and take no time that grows with their square.
func TestLinearManyInALine(t *testing.T) {
	const n = 100_000
	var solver LinearSolver
	var line [BlockBytes]byte
	for _, r := range []int{7, 8, 9, 10, 21, 32} {
		for name, hash := range map[string]func(i uint64) uint64{
			"all equal":       func(uint64) uint64 { return 0x123456789abcdef0 },
			"few hashes":      func(i uint64) uint64 { return 0x123456789abcdef0 * (1 + i%uint64(LinearSlotsOf(r)-9)) },
			"one row":         func(i uint64) uint64 { return 7<<32 | i<<14 },
			"one row, order":  func(i uint64) uint64 { return 7<<32 | 5<<26 | i },
			"no row":          func(i uint64) uint64 { return i << 14 },
			"one in an order": func(i uint64) uint64 { return i<<32 | 9<<26 },
		} {
			hashes := make([]uint64, n)
			seen := make(map[uint64]bool)
			var different []uint64
			for i := range hashes {
				hashes[i] = hash(uint64(i))
				if !seen[hashes[i]] && len(different) < 3000 {
					different = append(different, hashes[i])
				}
				seen[hashes[i]] = true
			}
			header := LinearSolve(&solver, line[:], r, 1, hashes)
			if len(seen) < 3000 { // all of which the naive solver takes
				if want, wantHeader := naive.LinearLine(r, 1, different); line != want || header != wantHeader {
					t.Errorf("R=%d, %s: line %x, header %x, want %x, %x", r, name, line, header, want, wantHeader)
				}
			}
			shape := linearShapeOf(int(r))
			for _, hash := range hashes {
				if _, order := LinearPlace(hash, 1); order >= uint64(header>>seedBits) && shape.holds(&line, header, hash) == 0 {
					t.Fatalf("R=%d, %s: hash %#x is not in the line", r, name, hash)
				}
			}
		}
	}
}

func TestLinearAllocatesNothing(t *testing.T) {
	hashes := randomHashes(1, 3000)
	f := filterOf(t, naive.Linear(hashes, 20_000))
	var solver LinearSolver
	var line [BlockBytes]byte
	hits := make([]uint64, 3000/64+1)
	if n := testing.AllocsPerRun(10, func() {
		LinearSolve(&solver, line[:], 18, 1<<20, hashes[:30])
		f.containsBatch(hits, hashes)
		f.contains(hashes[0])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestLinearLayers has what the format has no filters of.
func TestLinearLayers(t *testing.T) {
	for _, c := range []struct {
		multipliers [][2]uint32
		cut, r      int
		ok          bool
	}{
		{nil, 0, 32, true},
		{nil, 1, 8, false},
		{[][2]uint32{{0, 1}}, 0, 6, false},
		{[][2]uint32{{0, 1}}, 0, 27, false},
		{[][2]uint32{{0, 1}}, 0, 33, false},
		{[][2]uint32{{0, 1}}, 5, 26, true},
		{[][2]uint32{{0, 1}}, 5, 32, false},
		{[][2]uint32{{0, 1}}, -1, 8, false},
		{[][2]uint32{{0, 1}}, 64, 8, false},
		{[][2]uint32{{1, 1}}, 0, 8, false},
		{[][2]uint32{{1, 0}}, 3, 8, false},
		{[][2]uint32{{0, 1}, {0, 0}}, 0, 8, false},
		{make([][2]uint32, 17), 0, 8, false},
		{[][2]uint32{{0, 1 << 31}, {0, 1 << 31}}, 0, 8, false},
	} {
		if l, ok := NewLinearLayers(c.multipliers, c.cut, c.r); ok != c.ok {
			t.Errorf("%+v: %v, %+v", c, ok, l)
		}
	}
	l, ok := NewLinearLayers([][2]uint32{{100, 90}, {0, 7}, {3, 2}}, 25, 26)
	want := LinearLayers{number: 3, numLines: 40 + 55 + 7 + 2 + 2, bits: [2]int{28, 26}}
	want.layers[0] = linearLayer{25 << 26, [2]LinearSection{{100, 0}, {90, 40}}}
	want.layers[1] = linearLayer{0, [2]LinearSection{{0, 95}, {7, 95}}}
	want.layers[2] = linearLayer{25 << 26, [2]LinearSection{{3, 102}, {2, 104}}}
	if !ok || l != want {
		t.Errorf("%+v, want %+v", l, want)
	}
}

// TestLinearAnyBody looks up in bodies of random bytes, as the naive reading does.
func TestLinearAnyBody(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 9))
	for r := range MostLinearBits + 1 {
		if LinearSlotsOf(r) == 0 {
			continue
		}
		for round := range 20 {
			of := naive.LinearFilter{R: r}
			if r < MostLinearBits && round%17 > 0 {
				of.J = random.IntN(64)
			}
			total := uint64(0)
			for range round % 17 {
				multipliers := [2]uint32{0, 1 + random.Uint32N(5)}
				if of.J > 0 && random.IntN(3) > 0 {
					multipliers[0] = 1 + random.Uint32N(5)
				}
				of.Multipliers = append(of.Multipliers, multipliers)
				a, b := naive.LinearSections(multipliers, of.J)
				total += a + b
			}
			of.Lines, of.Headers = make([]byte, total*BlockBytes), make([]byte, total)
			for i := range of.Lines {
				of.Lines[i] = byte(random.Uint32())
			}
			for i := range of.Headers {
				of.Headers[i] = byte(random.Uint32())
				if random.IntN(2) == 0 {
					of.Headers[i] |= 0xfc // everything goes on to the next layer
				}
			}
			f := filterOf(t, of)
			check(t, fmt.Sprintf("R=%d, j=%d, layers %d", r, of.J, of.Multipliers), nil, nil, randomHashes(random.Uint64(), 1+random.IntN(500)),
				f.contains, f.containsBatch, of.Contains)
		}
	}
}
