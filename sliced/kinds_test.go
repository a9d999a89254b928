package sliced_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/sliced"
)

// TestKindsComeAndGo: all filters of a size are removed, and others of that size or of new ones are added. What is
// there is found, each by one hash alone, and is as it was, also after it was written and read.
func TestKindsComeAndGo(t *testing.T) {
	s := sliced.New(keyhash.XX64)
	filters := map[int]*simdbloom.Filter{} // by their numbers
	seeds := map[int]uint64{}
	seed := uint64(0)
	add := func(keys, n int) (ids []int) {
		for range n {
			seed++
			b := contract.Must(bloom.NewBuilder(10+float64(seed%2), keyhash.XX64, simdbloom.WithSizeBytes(64*keys+5)))
			b.AddHashes(vectors.Hashes(seed, keys))
			f := contract.Must(b.Filter())
			id := contract.Must(s.Append(f))
			ids = append(ids, id)
			filters[id], seeds[id] = f, seed
		}
		return ids
	}
	remove := func(ids []int) {
		for _, id := range ids {
			if err := s.Remove(id); err != nil {
				t.Fatal(err)
			}
			delete(filters, id)
		}
	}
	check := func(step int, s *sliced.Filters) {
		t.Helper()
		if s.Len() != len(filters) {
			t.Fatalf("step %d: %d filters, want %d", step, s.Len(), len(filters))
		}
		for id, f := range filters {
			hash := vectors.Hashes(seeds[id], 1)
			var one []int
			for filter := range s.Candidates(hash, []uint64{1}) {
				one = append(one, filter)
			}
			if hits := s.AppendHits(nil, hash[0]); !slices.Contains(hits, id) || !slices.Equal(hits, one) {
				t.Fatalf("step %d: filter %d is not found: %v, %v", step, id, hits, one)
			}
			if got := s.Filter(id); got == nil || !bytes.Equal(got.Bytes(), f.Bytes()) || got.BitsPerKey() != f.BitsPerKey() || got.Name() != f.Name() {
				t.Fatalf("step %d: filter %d is another: %v, want %v", step, id, got, f)
			}
		}
	}
	a, b, c := add(2, 40), add(5, 40), add(9, 33)
	random := rand.New(rand.NewPCG(1, 1))
	for step := range 12 {
		sets := []*[]int{&a, &b, &c}
		if i := random.IntN(3); len(*sets[i]) > 0 {
			remove(*sets[i])
			*sets[i] = nil
		} else {
			*sets[i] = add([]int{2, 5, 9, 3}[random.IntN(4)], 36)
		}
		check(step, s)
		opened := contract.Must(sliced.OpenBytes(bytesOf(s)))
		check(step, opened)
		opened.Close()
	}
}

// noRoom is a writer that takes nothing.
type noRoom struct{}

func (noRoom) Write([]byte) (int, error) { return 0, io.ErrShortBuffer }

// TestFilesThatCannotBeWritten: the error is the writer's, and filters that are wrong in the file that they are read
// from are not written again.
func TestFilesThatCannotBeWritten(t *testing.T) {
	s := newFilters(someFilters(600))
	if n, err := s.WriteTo(noRoom{}); n != 0 || !errors.Is(err, io.ErrShortBuffer) {
		t.Errorf("%d bytes, %v", n, err)
	}
	data := bytesOf(s)
	data[len(data)/2] ^= 1
	lazy := contract.Must(sliced.OpenBytes(data, filterfile.WithLazyCheck()))
	if _, err := lazy.WriteTo(io.Discard); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Error(err)
	}
	if err := lazy.WriteFile(filepath.Join(t.TempDir(), "f")); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Error(err)
	}
}

// TestRoundBatches: candidates of as many keys as are looked up together.
func TestRoundBatches(t *testing.T) {
	s := newFilters(someFilters(100))
	for _, n := range []int{20, 128, 256} {
		hashes := slices.Concat(vectors.Hashes(7, 20), vectors.Hashes(1000, n-20))
		wanted := slices.Repeat([]uint64{math.MaxUint64}, 4)
		for id, keys := range s.Candidates(hashes, wanted) {
			if id == 7 && (len(keys) < 20 || keys[19] != 19) {
				t.Errorf("%d hashes: filter 7 has %v", n, keys)
			}
		}
	}
	s = newFilters(slices.Repeat(someFilters(1), 2000)) // of four chunks
	hashes, wanted := vectors.Hashes(1, 2000), make([]uint64, 2000/64+1)
	for i := range wanted {
		wanted[i] = math.MaxUint64
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range s.Candidates(hashes, wanted) {
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 64*2000+40_000 {
		t.Errorf("%d bytes are allocated for 2,000 hashes", n)
	}
}
