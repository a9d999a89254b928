package parquet_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

// counting counts reads and their bytes.
type counting struct {
	io.ReaderAt
	mu    sync.Mutex
	reads int
	bytes int
}

func (c *counting) ReadAt(p []byte, at int64) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reads++
	c.bytes += len(p)
	return c.ReaderAt.ReadAt(p, at)
}

const rowGroups, perGroup = 20, 500

// withMany returns a file whose row groups have the ids from 500 g on, times 7, and these as texts.
func withMany(t testing.TB) []byte {
	ids, names := make([]*simdbloom.Filter, rowGroups), make([]*simdbloom.Filter, rowGroups)
	for g := range ids {
		var id []int64
		var name []string
		for i := range perGroup {
			id, name = append(id, int64(7*(perGroup*g+i))), append(name, fmt.Sprint(7*(perGroup*g+i)))
		}
		ids[g], names[g] = filterOf(t, id...), filterOf(t, name...)
	}
	ids[3] = nil // which therefore may have any value
	return with(t, image(columns, rowGroups), parquet.Filters{"id": ids, "nested.name": names})
}

func TestPrune(t *testing.T) {
	file := withMany(t)
	inMemory, err := parquet.OpenBytes(file)
	if err != nil {
		t.Fatal(err)
	}
	r := &counting{ReaderAt: bytes.NewReader(file)}
	read, err := parquet.Open(r, int64(len(file)))
	if err != nil || r.reads != 1 {
		t.Fatalf("%v after %d reads", err, r.reads)
	}
	chunks := make([][]footer.Chunk, rowGroups) // of an old file, which has no lengths
	for g := range chunks {
		for c := range columns {
			chunk := read.Chunk(g, c)
			chunk.FilterLength = 0
			chunks[g] = append(chunks[g], chunk)
		}
	}
	old, err := parquet.New(bytes.NewReader(file), int64(len(file)), columns, chunks)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	extra := 0
	for n := range 400 {
		var ids []int64
		var names []string
		want := []int{3}
		for range n % 50 {
			id := int64(rng.IntN(7 * perGroup * rowGroups))
			ids, names = append(ids, id), append(names, fmt.Sprint(id))
			if id%7 == 0 {
				want = append(want, int(id/7/perGroup))
			}
		}
		for i, f := range []*parquet.File{inMemory, read, old} {
			got, err := parquet.Prune(f, "id", ids)
			gotNames, namesErr := parquet.Prune(f, "nested.name", names)
			if err != nil || namesErr != nil {
				t.Fatal(err, namesErr)
			}
			if len(ids) == 0 {
				if len(got)+len(gotNames) != 0 {
					t.Errorf("no values are in %v", got)
				}
				continue
			}
			for _, g := range want {
				if !slices.Contains(got, g) || g != 3 && !slices.Contains(gotNames, g) {
					t.Fatalf("file %d: %v are not in row group %d, but in %v and %v", i, ids, g, got, gotNames)
				}
			}
			if !slices.IsSorted(got) || !slices.IsSorted(gotNames) {
				t.Fatalf("%v, %v", got, gotNames)
			}
			slices.Sort(want)
			extra += len(got) - len(slices.Compact(slices.Clone(want)))
			among, err := parquet.PruneAmong(f, "id", ids, []int{19, 3, 0})
			for _, g := range []int{19, 3, 0} {
				if slices.Contains(among, g) != slices.Contains(got, g) || err != nil {
					t.Fatalf("of 19, 3 and 0, %v are left, and of all %v, %v", among, got, err)
				}
			}
		}
	}
	if r.reads != 3 { // the footer, and each column's filters
		t.Errorf("%d reads", r.reads)
	}
	if extra > 3*400*25*rowGroups/300 { // the rate is 1 in 1,000 at most
		t.Errorf("%d row groups too many", extra)
	}
}

func TestManyValues(t *testing.T) {
	f, err := parquet.OpenBytes(withMany(t))
	if err != nil {
		t.Fatal(err)
	}
	absent := make([]string, 30000)
	for i := range absent {
		absent[i] = fmt.Sprint("x", i)
	}
	for _, at := range []int{0, 63, 64, 319, 320, 20000, 29999} {
		values := slices.Clone(absent)
		values[at] = fmt.Sprint(7 * (perGroup*11 + 5))
		got, err := parquet.Prune(f, "nested.name", values)
		if err != nil || !slices.Contains(got, 11) {
			t.Errorf("a value at %d: %v, %v", at, got, err)
		}
	}
}

func TestFloats(t *testing.T) {
	negative := math.Copysign(0, -1)
	file := with(t, image(columns, 3), parquet.Filters{"nested.ratio": {filterOf(t, negative), filterOf(t, 0.0), filterOf(t, 1.5)}})
	f, err := parquet.OpenBytes(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		values []float64
		want   []int
	}{{[]float64{0}, []int{0, 1}}, {[]float64{negative}, []int{0, 1}}, {[]float64{1.5}, []int{2}}, {[]float64{2.5}, []int{}}, {[]float64{1.5, math.NaN()}, []int{0, 1, 2}}} {
		if got, err := parquet.Prune(f, "nested.ratio", test.values); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, %v", test.values, got, err)
		}
	}
}

func TestTypes(t *testing.T) {
	f, err := parquet.OpenBytes(with(t, image(columns, 1), parquet.Filters{"nested.key": {filterOf(t, "abcd")}}))
	if err != nil {
		t.Fatal(err)
	}
	_, wrong := parquet.Prune(f, "id", []int32{1})
	_, short := parquet.Prune(f, "nested.key", []string{"abcd", "abc"})
	_, shortBytes := parquet.Prune(f, "nested.key", [][]byte{[]byte("abcde")})
	_, group := parquet.Prune(f, "nested", []string{"a"})
	_, absent := parquet.Prune(f, "x", []int64{1})
	for i, err := range []error{wrong, short, shortBytes, group, absent} {
		if err == nil {
			t.Errorf("%d: no error", i)
		}
	}
	if got, err := parquet.Prune(f, "nested.key", [][]byte{[]byte("abcd")}); err != nil || len(got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := parquet.Prune(f, "nested.key", []string{"abcd"}); err != nil || len(got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := parquet.Prune(f, "id", []uint64{1}); err != nil || len(got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
}

// TestHashes has what arrow-go and parquet-go hash.
func TestHashes(t *testing.T) {
	var got []uint64
	got = parquet.AppendHashes(got, []int32{1, -1})
	got = parquet.AppendHashes(got, []int64{1, -1})
	got = parquet.AppendHashes(got, []float64{1})
	got = parquet.AppendHashes(got, []string{"", "hello"})
	want := []uint64{
		0xf42f94001fcb5351, 0x7f78e4bda3addf93, 0x9f29cb17a2a49995, 0x85d136adb773c6c9, 0x949522f153a1a395,
		0xef46db3751d8e999, 0x26c7827d889f6da3,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%x\n%x", got, want)
	}
	for i := range 1000 { // more than are hashed at a time
		v := make([]uint64, i)
		f := make([]float64, i)
		s := make([]string, i)
		for i := range v {
			v[i] = uint64(i) * 0x9e3779b97f4a7c15
			f[i] = math.Float64frombits(v[i])
			s[i] = string([]byte{byte(v[i]), byte(v[i] >> 8), byte(v[i] >> 16), byte(v[i] >> 24), byte(v[i] >> 32), byte(v[i] >> 40), byte(v[i] >> 48), byte(v[i] >> 56)})
		}
		want := parquet.AppendHashes(nil, s)
		if !slices.Equal(parquet.AppendHashes(nil, f), want) || !slices.Equal(parquet.AppendHashes(nil, v), want) {
			t.Fatalf("%d values", i)
		}
	}
}

// TestParquetTesting has the filter of parquet-testing's data/bloom_filter.xxhash.bin.
func TestParquetTesting(t *testing.T) {
	bits := make([]byte, 1024)
	for block, digits := range map[int]string{
		4:  "0000100000020000000400008000000000020000000000800000001000000008",
		5:  "0000800000000010010000000000001020000000000020000000004000000800",
		7:  "0400000000004000000040000000080000000004002000001000000002000000",
		10: "0000200000080000000100000000002000008000000000080001000000100000",
	} {
		if _, err := hex.Decode(bits[32*block:], []byte(digits)); err != nil {
			t.Fatal(err)
		}
	}
	header, _ := hex.DecodeString("1580101c1c00001c1c00001c1c000000")
	file := append(append([]byte("PAR1"), header...), bits...)
	f, err := parquet.New(bytes.NewReader(file), int64(len(file)), columns[1:2], [][]footer.Chunk{{{FilterOffset: 4}}})
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]int{"hello": 1, "parquet": 1, "bloom": 1, "filter": 1, "Hello": 0, "world": 0} {
		if got, err := parquet.Prune(f, "nested.name", []string{value}); err != nil || len(got) != want {
			t.Errorf("%s: %v, %v", value, got, err)
		}
	}
}

// TestParquetTestingsFiles has the filters of parquet-testing's data_index_bloom_encoding_stats.parquet and
// data_index_bloom_encoding_with_length.parquet: their values, where they are, and the hashes of their bits.
func TestParquetTestingsFiles(t *testing.T) {
	values := []string{"Hello", "This is", "a", "test", "How", "are you", "doing ", "today", "the quick", "brown fox", "jumps", "over", "the lazy", "dog"}
	for _, test := range []struct {
		at, length, size int
		header           string
		hash             uint64
	}{
		{192, 0, 1024, "1580101c1c00001c1c00001c1c000000", 0x7aeaab78a7c6d81b},
		{253, 2064, 2048, "1580201c1c00001c1c00001c1c000000", 0xba8e1676b339f2be},
	} {
		b := must(splitblock.NewBuilder(10, keyhash.XX64, simdbloom.WithSizeBytes(test.size)))
		for _, v := range values {
			b.AddString(v)
		}
		bits := must(b.Finish())
		if got := keyhash.XX64.Sum64(bits); got != test.hash {
			t.Errorf("%d bytes of other bits: %x", test.size, got)
		}
		file := append(append(make([]byte, test.at), must(hex.DecodeString(test.header))...), bits...)
		f := must(parquet.New(bytes.NewReader(file), int64(len(file)), columns[1:2], [][]footer.Chunk{{{FilterOffset: int64(test.at), FilterLength: test.length}}}))
		for value, want := range map[string]int{"Hello": 1, "hello": 0, "This": 0, "xyz": 0} {
			if got, err := parquet.Prune(f, "nested.name", []string{value}); err != nil || len(got) != want {
				t.Errorf("%s: %v, %v", value, got, err)
			}
		}
	}
}

func TestCorruptFilters(t *testing.T) {
	file := withMany(t)
	f, err := parquet.OpenBytes(file)
	if err != nil {
		t.Fatal(err)
	}
	right := f.Chunk(0, 0)
	for _, chunk := range []footer.Chunk{
		{FilterOffset: -1, FilterLength: right.FilterLength},
		{FilterOffset: 3},
		{FilterOffset: int64(len(file))},
		{FilterOffset: math.MaxInt64, FilterLength: math.MaxInt32},
		{FilterOffset: right.FilterOffset, FilterLength: -1},
		{FilterOffset: right.FilterOffset, FilterLength: right.FilterLength - 1},
		{FilterOffset: right.FilterOffset, FilterLength: len(file)},
		{FilterOffset: right.FilterOffset + 1, FilterLength: right.FilterLength},
		{FilterOffset: right.FilterOffset + 1},
		{FilterOffset: int64(len(file)) - 5},
	} {
		chunks := [][]footer.Chunk{{chunk}, {right}}
		for _, cost := range []int{0, 16 << 10, 1 << 20} {
			strict := must(parquet.New(bytes.NewReader(file), int64(len(file)), columns[:1], chunks, parquet.WithUnusableAsErrors(), parquet.WithReadCost(cost)))
			for range 2 {
				if got, err := parquet.Prune(strict, "id", []int64{1}); !errors.Is(err, simdbloom.ErrCorrupt) || got != nil {
					t.Errorf("%+v, a read costs %d: %v, %v", chunk, cost, got, err)
				}
			}
		}
		strict := must(parquet.New(bytes.NewReader(file), int64(len(file)), columns[:1], chunks, parquet.WithUnusableAsErrors()))
		if filters, err := strict.Filters("id"); !errors.Is(err, simdbloom.ErrCorrupt) || filters != nil {
			t.Errorf("%+v: %v, %v", chunk, filters, err)
		}
		f := must(parquet.New(bytes.NewReader(file), int64(len(file)), columns[:1], chunks))
		for value, want := range map[int64][]int{1: {0}, 7: {0, 1}} { // the second is in the filter that is right
			if got, err := parquet.Prune(f, "id", []int64{value}); err != nil || !slices.Equal(got, want) {
				t.Errorf("%+v: %d may be in %v, %v", chunk, value, got, err)
			}
		}
		if unusable := f.Unusable(); len(unusable) != 1 || unusable[0].RowGroup != 0 || unusable[0].Column != 0 || !errors.Is(unusable[0], simdbloom.ErrCorrupt) {
			t.Errorf("%+v: %v are unusable", chunk, unusable)
		}
	}
}

func TestGoroutines(t *testing.T) {
	file := withMany(t)
	f, err := parquet.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	var done sync.WaitGroup
	for i := range 8 {
		done.Add(1)
		go func() {
			defer done.Done()
			for g := range rowGroups {
				id := int64(7 * (perGroup*g + i))
				got, err := parquet.PruneAmong(f, "id", []int64{id}, []int{g})
				all, allErr := parquet.Prune(f, "id", []int64{id})
				if err != nil || allErr != nil || len(got) != 1 || !slices.Contains(all, g) {
					t.Errorf("row group %d: %v, %v, %v, %v", g, got, err, all, allErr)
				}
			}
		}()
	}
	done.Wait()
}
