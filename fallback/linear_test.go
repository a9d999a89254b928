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

// linearFilter is a linear filter that a test has built.
type linearFilter struct {
	body   []byte
	layers []uint32
	r      int
}

func (f linearFilter) contains(hash uint64) bool {
	return LinearContains(f.body, f.layers, f.r, hash)
}

func (f linearFilter) containsBatch(hits, hashes []uint64) {
	LinearContainsBatch(f.body, f.layers, f.r, hashes, hits)
}

func (f linearFilter) naiveContains(hash uint64) bool {
	return naive.LinearContains(f.body, f.layers, f.r, hash)
}

// buildLinear builds a filter as docs/linear.md says.
func buildLinear(hashes []uint64, millibits uint64) linearFilter {
	if len(hashes) == 0 {
		return linearFilter{r: MostLinearBits}
	}
	r, lines := naive.LinearPlan(uint64(len(hashes)), millibits)
	for attempt := 0; ; attempt++ {
		f, left := linearOf(hashes, r, lines)
		if left == 0 || attempt == 2 || r == LeastLinearBits {
			return f
		}
		for r--; LinearSlotsOf(r) == 0; r-- {
		}
	}
}

// linearOf returns a filter of at most the given number of lines, and how many keys none of
// its layers holds.
func linearOf(keys []uint64, r int, left uint64) (f linearFilter, lost int) {
	f.r = r
	var solver LinearSolver
	for len(keys) > 0 && left > 0 && len(f.layers) < 16 {
		lines := left
		if len(f.layers) < 15 {
			lines = naive.LinearNextLayer(r, uint64(len(keys)), left)
		}
		left -= lines
		f.layers = append(f.layers, uint32(lines))
		var bumped []uint64
		for _, ofLine := range byLine(keys, uint32(lines)) {
			var line [BlockBytes]byte
			threshold := LinearSolve(&solver, line[:], r, uint32(lines), ofLine)
			f.body = append(f.body, line[:]...)
			for _, hash := range ofLine {
				if _, order := LinearPlace(hash, uint32(lines)); order < uint64(threshold) {
					bumped = append(bumped, LinearNext(hash))
				}
			}
		}
		keys = bumped
	}
	return f, len(keys)
}

// byLine returns the hashes of every line.
func byLine(hashes []uint64, lines uint32) [][]uint64 {
	sorted := slices.Clone(hashes)
	slices.SortFunc(sorted, func(a, b uint64) int {
		lineA, _ := LinearPlace(a, lines)
		lineB, _ := LinearPlace(b, lines)
		return int(int64(lineA) - int64(lineB))
	})
	all := make([][]uint64, lines)
	for i := range all {
		n := 0
		for n < len(sorted) {
			if line, _ := LinearPlace(sorted[n], lines); line != uint32(i) {
				break
			}
			n++
		}
		all[i], sorted = sorted[:n], sorted[n:]
	}
	return all
}

// TestLinearSlots has the slots that docs/linear.md lists.
func TestLinearSlots(t *testing.T) {
	want := [64]int{
		7: 72, 8: 63, 9: 56, 10: 50, 11: 45, 12: 42, 13: 38, 14: 36, 15: 33, 16: 31, 17: 29, 18: 28, 19: 26,
		20: 25, 21: 24, 22: 22, 24: 21, 25: 20, 26: 19, 28: 18, 29: 17, 31: 16,
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
	for _, want := range vectors.LinearFilters() {
		name := fmt.Sprintf("%s, n=%d, R=%d", want.Kind, want.N, want.R)
		f := buildLinear(want.Hashes(), want.Millibits())
		data := slices.Clone(f.body)
		for _, lines := range f.layers {
			data = append(data, byte(lines), byte(lines>>8), byte(lines>>16), byte(lines>>24))
		}
		data = append(data, byte(f.r), byte(len(f.layers)), 1, 0x80, 'L', 'L', 'F', '1')
		if sum := sha256.Sum256(data); len(data) != want.Len || !bytes.Equal(sum[:], want.SHA256) {
			t.Errorf("%s: other bytes: R=%d, layers %d, want %d", name, f.r, f.layers, want.Layers)
			continue
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
			want := naive.LinearLine(r, uint64(lines), hashes)
			line := bytes.Repeat([]byte{0xa5}, BlockBytes)
			for range 2 {
				threshold := LinearSolve(&solver, line, r, lines, hashes)
				if !bytes.Equal(line, want[:]) || threshold != want[linearHeader]>>seedBits {
					t.Fatalf("R=%d, %d keys: line %x, threshold %d, want %x", r, len(hashes), line, threshold, want)
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
	for _, r := range []int{7, 8, 9, 10, 21, 31} {
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
			LinearSolve(&solver, line[:], r, 1, hashes)
			if len(seen) < 3000 { // all of which the naive solver takes
				if want := naive.LinearLine(r, 1, different); line != want {
					t.Errorf("R=%d, %s: line %x, want %x", r, name, line, want)
				}
			}
			threshold := line[linearHeader] >> seedBits
			shape := &linearShapes[r]
			for _, hash := range hashes {
				if _, order := LinearPlace(hash, 1); order >= uint64(threshold) && shape.holds(&line, hash) == 0 {
					t.Fatalf("R=%d, %s: hash %#x is not in the line", r, name, hash)
				}
			}
		}
	}
}

func TestLinearAllocatesNothing(t *testing.T) {
	hashes := randomHashes(1, 3000)
	f := buildLinear(hashes, 20_000)
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

// TestLinearAnyBody looks up in bodies of random bytes, as the naive reading does.
func TestLinearAnyBody(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 9))
	for r := range MostLinearBits + 1 {
		if LinearSlotsOf(r) == 0 {
			continue
		}
		for round := range 20 {
			f := linearFilter{r: r}
			total := uint32(0)
			for range round % 17 {
				f.layers = append(f.layers, 1+random.Uint32N(5))
				total += f.layers[len(f.layers)-1]
			}
			f.body = make([]byte, total*BlockBytes)
			for i := range f.body {
				f.body[i] = byte(random.Uint32())
			}
			for i := linearHeader; i < len(f.body); i += BlockBytes {
				if random.IntN(2) == 0 {
					f.body[i] |= 0xfc // everything goes on to the next layer
				}
			}
			check(t, fmt.Sprintf("R=%d, layers %d", r, f.layers), nil, nil, randomHashes(random.Uint64(), 1+random.IntN(500)),
				f.contains, f.containsBatch, f.naiveContains)
		}
	}
}
