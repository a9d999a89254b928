package sliced_test

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/sliced"
)

// someFilters returns n FastLocal filters of 20 keys each. Filter i has vectors.Hashes(i, 20).
func someFilters(n int) []*simdbloom.Filter {
	filters := make([]*simdbloom.Filter, n)
	for i := range filters {
		b := contract.Must(bloom.NewBuilder(10, keyhash.XX64))
		b.AddHashes(vectors.Hashes(uint64(i), 20))
		filters[i] = contract.Must(b.Filter())
	}
	return filters
}

// newFilters returns Filters with the given ones.
func newFilters(filters []*simdbloom.Filter) *sliced.Filters {
	s := sliced.New(keyhash.XX64)
	contract.Must(s.AppendAll(filters))
	return s
}

// TestRefused: filters that cannot be appended are errors that say why, and nothing changes.
func TestRefused(t *testing.T) {
	good := someFilters(40)
	for _, of := range contract.Formats() {
		b := contract.Must(of.NewBuilder(10, of.Hash))
		b.AddHashes(vectors.Hashes(1, 500))
		f := contract.Must(b.Filter())
		s := sliced.New(of.Hash)
		id, err := s.Append(f)
		first, errOfAll := s.AppendAll([]*simdbloom.Filter{f})
		can := slices.Contains([]simdbloom.Format{simdbloom.FastLocal, simdbloom.SplitBlock, simdbloom.Blobloom}, f.Format())
		for _, err := range []error{err, errOfAll} {
			if (err == nil) != can || err != nil && (id+first != 0 || !strings.Contains(err.Error(), "FastLocal, SplitBlock, Blobloom")) {
				t.Errorf("%s: %d, %d, %v", of.Name, id, first, err)
			}
		}
	}
	other := keyhash.New("XX64.other", keyhash.XX64.Sum64)
	twin := keyhash.New("XX64.other", keyhash.XX64.Sum64)
	for _, c := range []struct {
		hash keyhash.Hash
		f    *simdbloom.Filter
		why  string
	}{
		{keyhash.XX64, nil, "nil"},
		{keyhash.XX64, new(simdbloom.Filter), "zero Filter"},
		{keyhash.XXPH3, good[0], "key hash XX64, and the others have XXPH3"},
		{keyhash.Hash{}, good[0], "zero Hash"},
		{other, contract.Must(bloom.Open(good[0].Bytes(), twin)), "called twice"},
	} {
		s := sliced.New(c.hash)
		if _, err := s.Append(c.f); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%v: %v, want %q", c.f, err, c.why)
		}
		all := []*simdbloom.Filter{good[1], c.f}
		if !c.hash.IsZero() {
			all[0] = contract.Must(bloom.Open(good[1].Bytes(), c.hash))
		}
		if _, err := s.AppendAll(all); err == nil || !strings.Contains(err.Error(), c.why) || !c.hash.IsZero() && !strings.Contains(err.Error(), "filter 1") {
			t.Errorf("%v: %v, want %q", c.f, err, c.why)
		}
		if s.Len() != 0 || len(s.Shapes()) != 0 || s.Filter(0) != nil {
			t.Error("a filter was appended")
		}
	}
}

// TestUnusedIDs: those that no filter has are errors.
func TestUnusedIDs(t *testing.T) {
	s := newFilters(someFilters(100))
	for _, id := range []int{7, 99} {
		if err := s.Remove(id); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []int{7, 99, 100, -1, math.MaxInt, math.MinInt} {
		if f, err := s.Filter(id), s.Remove(id); f != nil || err == nil {
			t.Errorf("%d: %v, %v", id, f, err)
		}
	}
	for _, want := range []int{7, 99, 100} {
		if id, err := s.Append(someFilters(1)[0]); id != want || err != nil {
			t.Errorf("%d, %v, want %d", id, err, want)
		}
	}
}

// TestTooLarge: more filters than memory are an error before anything is allocated.
func TestTooLarge(t *testing.T) {
	s := newFilters(someFilters(100))
	for _, n := range []int{math.MaxInt, math.MaxInt - 1000, math.MaxInt / 2, math.MaxInt / 8} {
		if err := s.Grow(n); !errors.Is(err, simdbloom.ErrTooLarge) {
			t.Errorf("Grow(%d): %v", n, err)
		}
	}
	if runtime.GOOS == "linux" { // more than the machine has
		large := sliced.New(keyhash.XX64)
		for range 31 {
			contract.Must(large.Append(contract.Must(bloom.Open(append(make([]byte, 1<<20), 0xff, 0, 6, 0, 0), keyhash.XX64))))
		}
		if err := large.Grow(1 << 25); !errors.Is(err, simdbloom.ErrTooLarge) {
			t.Errorf("Grow by 32 TiB: %v", err)
		}
		if err := large.Grow(aligned.Memory() / 16 >> 20); err != nil {
			t.Errorf("Grow by a sixteenth of the memory: %v", err)
		}
	}
	if err := s.Grow(-1); err == nil || errors.Is(err, simdbloom.ErrTooLarge) {
		t.Error(err)
	}
	if err := s.Grow(1000); err != nil {
		t.Error(err)
	}
	if s.Len() != 100 {
		t.Error(s.Len())
	}
}

// TestClosed: methods that return an error return one, and others panic.
func TestClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "filters")
	if err := newFilters(someFilters(100)).WriteFile(path); err != nil {
		t.Fatal(err)
	}
	opened := contract.Must(sliced.Open(path))
	var zero sliced.Filters
	for _, s := range []*sliced.Filters{opened, newFilters(someFilters(40)), &zero} {
		started := s.Hits([]uint64{1})
		for range 2 {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		id, err := s.Append(someFilters(1)[0])
		first, errOfAll := s.AppendAll(nil)
		if id+first != 0 {
			t.Errorf("ids %d and %d", id, first)
		}
		_, errOfWriteTo := s.WriteTo(io.Discard)
		for i, err := range []error{err, errOfAll, errOfWriteTo, s.Remove(0), s.Grow(1), s.WriteFile(path + "2"), s.Check(), s.Err()} {
			if !errors.Is(err, fs.ErrClosed) {
				t.Errorf("method %d: %v", i, err)
			}
		}
		for i, f := range []func(){
			func() { s.AppendHits(nil, 1) },
			func() { s.AppendKeyHits(nil, nil) },
			func() {
				for range started {
				}
			},
			func() {
				for range s.Candidates([]uint64{1}, []uint64{1}) {
				}
			},
			func() { s.Filter(0) }, func() { s.Len() }, func() { s.SizeBytes() }, func() { s.Shapes() },
		} {
			func() {
				defer func() {
					if text, _ := recover().(string); !strings.Contains(text, "closed") {
						t.Errorf("lookup %d: %v", i, text)
					}
				}()
				f()
			}()
		}
	}
}

func TestShortBitmap(t *testing.T) {
	defer func() {
		if text, _ := recover().(string); text != "sliced: len(wanted) is 1, but 65 hashes need 2 words" {
			t.Error(text)
		}
	}()
	newFilters(someFilters(40)).Candidates(make([]uint64, 65), make([]uint64, 1))
}

// TestIterationsThatEnd: no hash follows the one at which the caller ends.
func TestIterationsThatEnd(t *testing.T) {
	hashes := vectors.Hashes(0, 20)
	for i, ids := range newFilters(someFilters(40)).Hits(hashes) {
		if i > 3 || !slices.Contains(ids, 0) {
			t.Fatal(i, ids)
		}
		if i == 3 {
			break
		}
	}
}

// TestMemory: filters of one shape need at most 4 % more memory than they have bytes, also in a file. Beside another
// shape each has a place of 8 bytes, and its column an id of 4.
func TestMemory(t *testing.T) {
	for _, blocks := range []int{2, 20} {
		b := contract.Must(bloom.NewBuilder(10, keyhash.XX64, simdbloom.WithSizeBytes(64*blocks+5)))
		b.AddHashes(vectors.Hashes(1, 50*blocks))
		f := contract.Must(b.Filter())
		for _, n := range []int{64, 128, 1024, 8192, 10_240, 16_384, 32_768, 100_000} {
			if blocks*n > 300_000 {
				continue
			}
			s := newFilters(slices.Repeat([]*simdbloom.Filter{f}, n))
			got := s.SizeBytes()
			opened, most := contract.Must(sliced.OpenBytes(bytesOf(s))).SizeBytes(), float64(n*f.SizeBytes())*1.04
			if float64(max(got, opened)) > most || min(got, opened) < 64*blocks*n {
				t.Errorf("%d filters of %d bytes: %d bytes, %d in a file, want at most %.0f", n, f.SizeBytes(), got, opened, most)
			}
			if want := []sliced.Shape{{Format: simdbloom.FastLocal, Probes: f.NumProbes(), SizeBytes: f.SizeBytes(), Filters: n}}; !slices.Equal(s.Shapes(), want) {
				t.Errorf("shapes %v, want %v", s.Shapes(), want)
			}
			contract.Must(s.Append(contract.Must(bloom.Open(append(make([]byte, 192), 0xff, 0, 6, 0, 0), keyhash.XX64))))
			again := contract.Must(sliced.OpenBytes(bytesOf(s))).SizeBytes()
			if more := s.SizeBytes() - got; more < 12*n || again-opened < 12*n || again-opened > 12*n+600 {
				t.Errorf("%d filters of %d bytes need %d bytes more beside another shape, %d in a file, want 12 each", n, f.SizeBytes(), more, again-opened)
			}
		}
	}
}

// TestAppendedIsACopy: what happens to a filter afterwards does not matter.
func TestAppendedIsACopy(t *testing.T) {
	for _, n := range []int{1, 31, 32, 100} {
		s := sliced.New(keyhash.XX64)
		var all []*simdbloom.Mutable
		for range n {
			m := contract.Must(bloom.NewMutable(20, 10, keyhash.XX64))
			m.AddHash(0x123456789abcdef0)
			contract.Must(s.Append(&m.Filter))
			all = append(all, m)
		}
		for _, m := range all {
			m.Reset()
			m.AddHash(0xfedcba9876543210)
		}
		if hits := s.AppendHits(nil, 0x123456789abcdef0); len(hits) != n {
			t.Errorf("%d of %d filters", len(hits), n)
		}
		if hits := s.AppendHits(nil, 0xfedcba9876543210); len(hits) > 0 {
			t.Errorf("%d of %d filters have a key that was added later", len(hits), n)
		}
	}
}

// TestMemoryOfOthers: filters that are not sliced need their bytes and some 200 beside them, and removed ones a bit for
// the id and another for the column. The memory of a shape is freed with its last filter.
func TestMemoryOfOthers(t *testing.T) {
	s := sliced.New(keyhash.XX64)
	const n, size = 31, 64<<10 + 5
	few := contract.Must(bloom.NewMutable(1000, 10, keyhash.XX64, simdbloom.WithSizeBytes(size)))
	contract.Must(s.AppendAll(slices.Repeat([]*simdbloom.Filter{&few.Filter}, n)))
	if got := s.SizeBytes(); got < n*(size+100) || got > n*(size+400) {
		t.Errorf("%d filters of %d bytes: %d bytes", n, size, got)
	}
	const many = 20_000
	first := contract.Must(s.AppendAll(slices.Repeat(someFilters(1), many)))
	before := s.SizeBytes()
	if err := s.Remove(first + many - 1); err != nil || s.SizeBytes() < before+many/4 {
		t.Errorf("%v, %d bytes, before the last was removed %d", err, s.SizeBytes(), before)
	}
	for id := range n {
		if err := s.Remove(id); err != nil {
			t.Fatal(err)
		}
	}
	for id := first; id < first+many-1; id++ {
		if err := s.Remove(id); err != nil {
			t.Fatal(err)
		}
		if id == first+many-3 {
			contract.Must(s.Append(contract.Must(bloom.Open(nil, keyhash.XX64))))
		}
	}
	if got := s.SizeBytes(); s.Len() != 1 || got > before/4 {
		t.Errorf("%d bytes without filters, before %d", got, before)
	}
}

// TestGrow: room for filters that are announced is made at once, with the first that needs it.
func TestGrow(t *testing.T) {
	s := sliced.New(keyhash.XX64)
	const n = 5000
	if err := s.Grow(n); err != nil {
		t.Fatal(err)
	}
	f := someFilters(1)
	contract.Must(s.AppendAll(slices.Repeat(f, 32)))
	before := s.SizeBytes()
	contract.Must(s.AppendAll(slices.Repeat(f, n-32)))
	if after := s.SizeBytes(); after != before || after < n*64 {
		t.Errorf("%d bytes, and %d with all filters", before, after)
	}
}

// TestLongHashNames: filters come back whose key hash has a name that no file can have. They cannot be written.
func TestLongHashNames(t *testing.T) {
	hash := keyhash.New(strings.Repeat("long", 1000), keyhash.XX64.Sum64)
	s := sliced.New(hash)
	m := contract.Must(bloom.NewMutable(100, 10, hash))
	m.AddHash(1)
	contract.Must(s.AppendAll(slices.Repeat([]*simdbloom.Filter{&m.Filter}, 40)))
	if f := s.Filter(7); f == nil || !slices.Equal(f.Bytes(), m.Bytes()) || !slices.Contains(s.AppendHits(nil, 1), 7) {
		t.Errorf("a filter did not come back: %v", f)
	}
	if n, err := s.WriteTo(io.Discard); n != 0 || err == nil {
		t.Errorf("%d bytes were written: %v", n, err)
	}
}

// TestFiltersThatCannotBeReadAgain are not written.
func TestFiltersThatCannotBeReadAgain(t *testing.T) {
	f := contract.Must(simdbloom.Open(simdbloom.Legacy, []byte{0, 0, 0xff, 0, 4, 0, 0}, keyhash.RocksDB32)) // a broken FastLocal filter
	s := sliced.New(keyhash.RocksDB32)
	contract.Must(s.Append(f))
	if n, err := s.WriteTo(io.Discard); n != 0 || !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Errorf("%d bytes were written: %v", n, err)
	}
}

// TestZeroHash: no key is hashed where no filter is.
func TestZeroHash(t *testing.T) {
	if hits := sliced.New(keyhash.Hash{}).AppendKeyHits(nil, []byte("key")); len(hits) > 0 {
		t.Error(hits)
	}
}

// TestBitsPerKey: what a filter records beside its bytes comes back, also from a file.
func TestBitsPerKey(t *testing.T) {
	hash := keyhash.New("own", keyhash.XX64.Sum64)
	s := sliced.New(hash)
	var want [][]byte
	for i := range 46 { // 40 and 6 that wait
		m := contract.Must(bloom.NewMutable(100, 10+float64(i%2)/1000, hash))
		m.AddHashes(vectors.Hashes(uint64(i), 100))
		want = append(want, contract.Must(m.MarshalBinary()))
		contract.Must(s.Append(&m.Filter))
	}
	for i, want := range want {
		for _, s := range []*sliced.Filters{s, contract.Must(sliced.OpenBytes(bytesOf(s), filterfile.WithHash(hash)))} {
			if got := contract.Must(s.Filter(i).MarshalBinary()); !slices.Equal(got, want) {
				t.Errorf("filter %d came back changed", i)
			}
		}
	}
	if len(s.Shapes()) != 1 {
		t.Error(s.Shapes())
	}
}
