package parquet_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/thrift"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

// withLarge returns a file whose filters have between 20,000 and 260,000 bytes, and the ids of each row group, which
// end with its number in decimal digits.
func withLarge(t testing.TB) []byte {
	filters := make([]*simdbloom.Filter, 10)
	for g := range filters {
		b := must(splitblock.NewBuilder(16, keyhash.XX64, simdbloom.WithSizeBytes(32*(600+800*g))))
		for i := range 5000 {
			b.AddUint64(uint64(10*i + g))
		}
		filters[g] = must(b.Filter())
	}
	filters[4] = nil
	return with(t, image(columns, len(filters)), parquet.Filters{"id": filters})
}

// TestBlocks looks up values by blocks, and by whole filters.
func TestBlocks(t *testing.T) {
	file := withLarge(t)
	whole := must(parquet.OpenBytes(file))
	r := &counting{ReaderAt: bytes.NewReader(file)}
	rng := rand.New(rand.NewPCG(5, 6))
	for n := range 300 {
		f := must(parquet.Open(r, int64(len(file)), parquet.WithReadCost(0)))
		values := make([]int64, 1+n%7)
		for i := range values {
			values[i] = rng.Int64N(1e6)
		}
		rowGroups := [][]int{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {9, 3, 3, 4}, {5}}[n%3]
		want := must(parquet.PruneAmong(whole, "id", values, rowGroups))
		r.reads, r.bytes = 0, 0
		for range 2 { // the second time, headers are known
			if got, err := parquet.PruneAmong(f, "id", values, rowGroups); err != nil || !slices.Equal(got, want) {
				t.Fatalf("%v: %v, %v, and whole filters say %v", values, got, err, want)
			}
		}
		if most := len(rowGroups) * (1 + 2*len(values)); r.reads > most || r.bytes > 128*most {
			t.Fatalf("%d values in %d row groups: %d reads of %d bytes", len(values), len(rowGroups), r.reads, r.bytes)
		}
	}
	for g := range 10 {
		f := must(parquet.Open(r, int64(len(file)), parquet.WithReadCost(0)))
		for i := range int64(200) {
			if got, err := parquet.Prune(f, "id", []int64{250*i + int64(g)}); err != nil || !slices.Contains(got, g) && (250*i)%10 == 0 {
				t.Fatalf("%d is not in row group %d: %v, %v", 250*i+int64(g), g, got, err)
			}
		}
	}
}

// TestPassing looks up many values, in filters that are not kept, and then in filters that are.
func TestPassing(t *testing.T) {
	file := withLarge(t)
	whole := must(parquet.OpenBytes(file))
	rng := rand.New(rand.NewPCG(7, 8))
	for n := range 30 {
		f := must(parquet.Open(bytes.NewReader(file), int64(len(file)), parquet.WithReadCost(n<<10)))
		values := make([]int64, 300+rng.IntN(10_000))
		for i := range values {
			values[i] = 50_000 + rng.Int64N(1e6)
		}
		values[len(values)-1] = int64(10*n + 3)
		want := must(parquet.Prune(whole, "id", values))
		for range 3 {
			if got, err := parquet.Prune(f, "id", values); err != nil || !slices.Equal(got, want) || !slices.Contains(got, 3) {
				t.Fatalf("%d values: %v, %v, and whole filters say %v", len(values), got, err, want)
			}
		}
	}
}

// TestReadCost: blocks are read as long as they are worth it.
func TestReadCost(t *testing.T) {
	file := withLarge(t)
	path := filepath.Join(t.TempDir(), "a.parquet")
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
	local := must(os.Open(path))
	defer local.Close()
	bytesOf := func(f *parquet.File) (n int) {
		for g := range f.NumRowGroups() {
			n += f.Chunk(g, 0).FilterLength
		}
		return n
	}
	for _, test := range []struct {
		cost, values, reads int // of the first Prune
	}{{1 << 20, 1, 1}, {math.MaxInt, 1, 1}, {0, 1, 18}, {4 << 10, 1, 18}, {4 << 10, 300, 9}, {16 << 10, 1, 18}} {
		r := &counting{ReaderAt: bytes.NewReader(file)}
		f := must(parquet.Open(r, int64(len(file)), parquet.WithReadCost(test.cost)))
		values := make([]int64, test.values)
		for i := range values {
			values[i] = -1 - int64(i)
		}
		r.reads, r.bytes = 0, 0
		must(parquet.Prune(f, "id", values))
		if r.reads > test.reads || (r.bytes < bytesOf(f)) != (test.values == 1 && test.cost < 1<<20) {
			t.Errorf("a read costs %d, %d values: %d reads of %d bytes", test.cost, test.values, r.reads, r.bytes)
		}
		for before := -1; r.reads != before; { // until filters are kept
			before = r.reads
			must(parquet.Prune(f, "id", values))
			if most := 2*bytesOf(f) + 10<<10; r.bytes > most {
				t.Errorf("a read costs %d, %d values: more than %d bytes are read", test.cost, test.values, most)
				break
			}
		}
	}
	f := must(parquet.Open(local, int64(len(file))))
	if got, err := parquet.Prune(f, "id", []int64{17}); err != nil || !slices.Contains(got, 7) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestBlocksOfHostile: what whole filters are refused for, blocks of them are, too; headers may be longer than usual.
func TestBlocksOfHostile(t *testing.T) {
	file := withLarge(t)
	f := must(parquet.OpenBytes(file))
	at, length := f.Chunk(9, 0).FilterOffset, f.Chunk(9, 0).FilterLength
	usual := splitblock.AppendHeader(nil, 32*7800)
	if !bytes.HasPrefix(file[at:], usual) {
		t.Fatal("another header")
	}
	long := usual[: len(usual)-1 : len(usual)-1]
	long = append(thrift.AppendField(long, 4, 100, thrift.Binary), binary.AppendUvarint(nil, 70)...)
	long = append(append(long, make([]byte, 70)...), 0)
	for name, test := range map[string]struct {
		header  []byte
		corrupt bool
	}{
		"larger":   {splitblock.AppendHeader(nil, 32*7801), true},
		"smaller":  {splitblock.AppendHeader(nil, 32*7700), true},
		"huge":     {splitblock.AppendHeader(nil, (1<<31 - 32)), true},
		"no size":  {make([]byte, 64), true},
		"long":     {long, true}, // the bits would end behind the filter
		"the rest": {usual, false},
	} {
		changed := bytes.Clone(file)
		copy(changed[at:int(at)+length], test.header)
		for strict, options := range [][]parquet.Option{{nil}, {parquet.WithUnusableAsErrors()}} {
			read := must(parquet.Open(bytes.NewReader(changed), int64(len(changed)), append(options, parquet.WithReadCost(0))...))
			got, err := parquet.Prune(read, "id", []int64{39})
			whole := must(parquet.OpenBytes(changed, options...))
			want, wantErr := parquet.Prune(whole, "id", []int64{39})
			if !slices.Equal(got, want) || errors.Is(err, simdbloom.ErrCorrupt) != (test.corrupt && strict == 1) || (err == nil) != (wantErr == nil) {
				t.Errorf("%s: %v, %v, and whole filters say %v, %v", name, got, err, want, wantErr)
			}
			if err == nil && !slices.Equal(got, []int{4, 9}) {
				t.Errorf("%s: row groups %v", name, got)
			}
			for _, f := range []*parquet.File{read, whole} {
				if unusable := f.Unusable(); (len(unusable) == 1) != test.corrupt || test.corrupt && (unusable[0].RowGroup != 9 || unusable[0].Name != "id") {
					t.Errorf("%s: %v are unusable", name, unusable)
				}
			}
		}
	}
}

// TestReadFiltersBeginAtLines: a filter whose bits begin at a multiple of 64 in the file does so in memory.
func TestReadFiltersBeginAtLines(t *testing.T) {
	b := must(splitblock.NewBuilder(16, keyhash.XX64, simdbloom.WithSizeBytes(256<<10)))
	b.AddUint64(1)
	filter := must(b.Filter())
	file := with(t, image(columns, 2), parquet.Filters{"id": {filter, filter}})
	for _, cost := range []int{0, 1 << 20} {
		f := must(parquet.Open(bytes.NewReader(file), int64(len(file)), parquet.WithReadCost(cost)))
		for g, read := range must(f.Filters("id")) {
			if at := uintptr(unsafe.Pointer(unsafe.SliceData(read.Bytes()))); at%64 != 0 {
				t.Errorf("a read costs %d, row group %d: the bits begin at %x", cost, g, at)
			}
		}
	}
}

// broken fails in the given read, and in all behind it if it is not to be once.
type broken struct {
	io.ReaderAt
	left int
	once bool
}

var errBroken = errors.New("the disk is broken")

func (b *broken) ReadAt(p []byte, at int64) (int, error) {
	if b.left--; b.left < 0 && !b.once || b.left == -1 {
		return 0, errBroken
	}
	return b.ReaderAt.ReadAt(p, at)
}

// TestBroken: whichever read fails, alone or with all behind it, the error is returned, and no row group is excluded.
func TestBroken(t *testing.T) {
	file := withLarge(t)
	for _, values := range [][]int64{{17}, make([]int64, 1000)} {
		for _, cost := range []int{0, 4 << 10, 1 << 20} {
			for reads := range 40 {
				for _, once := range []bool{false, true} {
					r := &broken{bytes.NewReader(file), 1, once}
					f := must(parquet.Open(r, int64(len(file)), parquet.WithReadCost(cost)))
					r.left = reads
					got, err := parquet.Prune(f, "id", values)
					if r.left < 0 != errors.Is(err, errBroken) || err != nil && got != nil {
						t.Fatalf("%d values, a read costs %d, the read after %d fails, once: %v: %v, %v", len(values), cost, reads, once, got, err)
					}
				}
			}
		}
	}
}

func TestBlocksAtOnce(t *testing.T) {
	file := withLarge(t)
	f := must(parquet.Open(bytes.NewReader(file), int64(len(file)), nil, parquet.WithReadCost(4<<10)))
	var all sync.WaitGroup
	for g := range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range int64(50) {
				if got, err := parquet.Prune(f, "id", []int64{10*i + int64(g)}); err != nil || g != 4 && !slices.Contains(got, g) {
					t.Errorf("%d is not in row group %d: %v, %v", 10*i+int64(g), g, got, err)
				}
			}
		}()
	}
	all.Wait()
}

// TestMarksAreWritten: what is in front of a filter tells who added it.
func TestMarksAreWritten(t *testing.T) {
	filters := parquet.Filters{"id": {filterOf(t, int64(1)), filterOf(t, int64(2))}}
	if n := bytes.Count(with(t, image(columns, 2), filters), []byte("simdbloom")); n != 2 {
		t.Errorf("%d marks in a file of 2 filters", n)
	}
}
