package fallback

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// TestRemainders has moduli and numbers near every edge.
func TestRemainders(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	moduli := []uint64{1, 2, 3, 5, 7, 641, 6_700_417, 1<<32 + 1, 1<<35 - 8, 1 << 35, math.MaxInt64, math.MaxUint64}
	for shift := range 33 {
		for d := range uint64(20) {
			moduli = append(moduli, 1<<shift+d, max(1<<shift, d+1)-d, 8*r.Uint64N(1<<29)+8)
		}
	}
	for _, n := range moduli {
		modulus := NewModulus(n)
		numbers := []uint32{0, 1, math.MaxInt32, 1 << 31, math.MaxUint32, r.Uint32()}
		for _, multiple := range []uint64{1, 2, 3, math.MaxUint32 / n, math.MaxUint32/n - 1, math.MaxUint32 / n / 2, r.Uint64N(math.MaxUint32/n + 1)} {
			for d := -2; d <= 2; d++ {
				numbers = append(numbers, uint32(multiple*n+uint64(d)))
			}
		}
		for _, x := range numbers {
			if got := uint64(modulus.of(x)); got != uint64(x)%n {
				t.Fatalf("%d %% %d = %d, not %d", x, n, uint64(x)%n, got)
			}
			if n%8 != 0 || n > 1<<32 {
				continue
			}
			moduli := []Modulus{modulus}
			if n/8 <= levelDBMostReciprocal {
				moduli = append(moduli, Modulus{levelDBReciprocal(int(n / 8)), n})
			}
			for _, m := range moduli {
				if at, bit := m.byteOf(x); 8*at+bit != uint64(x)%n {
					t.Fatalf("%d %% %d is bit %d of byte %d by %#x", x, n, bit, at, m.Reciprocal)
				}
			}
		}
	}
}

// TestLevelDBAsTheNaiveFilter has every number of probes, bodies of all small sizes, and
// batches that end anywhere in a word.
func TestLevelDBAsTheNaiveFilter(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, size := range []int{1, 2, 3, 7, 8, 9, 63, 64, 65, 1000, 4096, LevelDBNear - 1, LevelDBNear} {
		for probes := range 31 {
			added := make([]uint64, min(size, 400))
			for i := range added {
				added[i] = r.Uint64() // the upper half does not count
			}
			data := make([]byte, size+1)
			body := data[:size]
			data[size] = byte(probes)
			modulus := NewModulus(8 * uint64(len(body)))
			LevelDBAdd(body, modulus, probes, added)
			if probes > 0 && bytes.Count(body, []byte{0}) == size {
				t.Fatalf("%d bytes, k=%d: no bit is set", size, probes)
			}
			queried := slices.Concat(added, []uint64{0, 1, math.MaxUint32, 1 << 32, 1<<64 - 1}, added[:r.IntN(len(added)+1)])
			for i := range queried[len(added):] {
				queried[len(added)+i] += uint64(i) * 77
			}
			if probes%2 == 0 { // else groups of present keys come first
				r.Shuffle(len(queried), func(i, j int) { queried[i], queried[j] = queried[j], queried[i] })
			}
			name := fmt.Sprintf("%d bytes, k=%d", size, probes)
			hits := make([]uint64, (len(queried)+63)/64+1)
			hits[len(hits)-1] = 7
			LevelDBContainsBatch(body, modulus, probes, queried, hits)
			for i, hash := range queried {
				want := naive.LevelDBContains(data, uint32(hash))
				alone, batch := LevelDBContains(body, modulus, probes, hash), hits[i/64]>>(i%64)&1 != 0
				once := LevelDBContainsOnce(body, probes, hash)
				if alone != want || once != want || batch != want || !want && slices.Contains(added, hash) {
					t.Fatalf("%s: hash %#x: alone %v, once %v, in the batch %v, want %v", name, hash, alone, once, batch, want)
				}
			}
			if rest := len(queried) % 64; rest > 0 && hits[len(hits)-2]>>rest != 0 || hits[len(hits)-1] != 7 {
				t.Fatalf("%s: bits beyond the last hash were set", name)
			}
		}
	}
}

// TestLargeLevelDBBodies has bodies of about 2^32 bits, in memory that is only reserved.
func TestLargeLevelDBBodies(t *testing.T) {
	const probes = 5
	for _, size := range []uint64{levelDBMostReciprocal, levelDBMostReciprocal + 1, 1<<29 - 1, 1 << 29, 1<<29 + 9} {
		body := testmem.Sparse(t, size)
		if body == nil {
			t.Skipf("this machine has no %d bytes for a slice", size)
		}
		modulus := NewModulus(8 * uint64(len(body)))
		for _, hash := range []uint64{0, 1, math.MaxUint32, math.MaxUint32 - 7, 1 << 31, 0x9e3779b9} {
			if LevelDBContainsOnce(body, probes, hash) || LevelDBContains(body, modulus, probes, hash) {
				t.Errorf("%d bytes contain %#x before it is added", size, hash)
			}
			LevelDBAdd(body, modulus, probes, []uint64{hash})
			if !LevelDBContainsOnce(body, probes, hash) || !LevelDBContains(body, modulus, probes, hash) {
				t.Errorf("%d bytes do not contain %#x", size, hash)
			}
			if bit := hash % (8 * size); body[bit/8]>>(bit%8)&1 == 0 {
				t.Errorf("%d bytes: the first bit of %#x is not set", size, hash)
			}
		}
	}
}

// TestLevelDBBuildsTheNaiveFilter compares bytes.
func TestLevelDBBuildsTheNaiveFilter(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 6, 7, 100, 5000} {
		for _, bitsPerKey := range []int{1, 2, 10, 16, 44, 50} {
			hashes, low := make([]uint64, n), make([]uint32, n)
			for i := range hashes {
				hashes[i] = r.Uint64()
				low[i] = uint32(hashes[i])
			}
			want := naive.LevelDB(low, bitsPerKey)
			body := make([]byte, len(want)-1)
			LevelDBAdd(body, NewModulus(8*uint64(len(body))), int(want[len(body)]), hashes)
			if !bytes.Equal(body, want[:len(body)]) {
				t.Fatalf("%d hashes, %d bits per key: other bytes", n, bitsPerKey)
			}
		}
	}
}
