package parquet_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/thrift"
	"github.com/simdbloom/simdbloom/splitblock"
)

// anyFilter is a filter to add to all files.
var anyFilter = must(parquet.NewFilter([]uint64{1, 2, 3}, 0.01))

// use does everything with a file that may be anything.
func use(t *testing.T, file []byte) {
	inMemory, err := parquet.OpenBytes(file)
	read, readErr := parquet.Open(bytes.NewReader(file), int64(len(file)))
	if (err == nil) != (readErr == nil) {
		t.Fatalf("in memory %v, read %v", err, readErr)
	}
	if err != nil {
		return
	}
	for _, c := range inMemory.Columns()[:min(len(inMemory.Columns()), 10)] {
		filters, err := inMemory.Filters(c.Name())
		readFilters, readErr := read.Filters(c.Name())
		if (err == nil) != (readErr == nil) || len(filters) != len(readFilters) {
			t.Fatalf("in memory %v, read %v", err, readErr)
		}
		added := make([]*simdbloom.Filter, len(filters))
		for i, f := range filters {
			if (f == nil) != (readFilters[i] == nil) || f != nil && !bytes.Equal(f.Bytes(), readFilters[i].Bytes()) {
				t.Fatal("another filter in memory than was read")
			}
			added[i] = anyFilter
		}
		if err != nil {
			continue
		}
		parquet.Prune(inMemory, c.Name(), []int64{1, 2, 3})
		parquet.Prune(inMemory, c.Name(), []string{"a", "b"})
		blocks := must(parquet.Open(bytes.NewReader(file), int64(len(file)), parquet.WithReadCost(0)))
		got, err := parquet.Prune(blocks, c.Name(), []int64{1, 2, 3})
		if want, wantErr := parquet.Prune(inMemory, c.Name(), []int64{1, 2, 3}); !slices.Equal(got, want) || (err == nil) != (wantErr == nil) {
			t.Fatalf("by blocks %v, %v, and by filters %v, %v", got, err, want, wantErr)
		}
		var written bytes.Buffer
		if err := parquet.WriteWithFilters(&written, bytes.NewReader(file), int64(len(file)), parquet.Filters{c.Name(): added}, parquet.WithAnyType()); err != nil {
			continue
		}
		again, err := parquet.OpenBytes(written.Bytes())
		if err != nil {
			t.Fatalf("what was written is %v", err)
		}
		for i, f := range must(again.Filters(c.Name())) {
			if !bytes.Equal(f.Bytes(), added[i].Bytes()) {
				t.Fatal("another filter than was added")
			}
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// small returns a file with filters.
func small(t testing.TB) []byte {
	return with(t, image(columns[:2], 2), parquet.Filters{"id": {filterOf[int64](t, 1), nil}, "nested.name": {filterOf(t, "a"), filterOf(t, "b")}})
}

func TestHostile(t *testing.T) {
	file := small(t)
	for n := range file {
		if _, err := parquet.OpenBytes(file[:n]); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("the first %d of %d bytes: %v", n, len(file), err)
		}
		use(t, file[n:])
	}
	for i := len(file) - 8 - len(footerIn(file)); i < len(file); i++ {
		for bit := range 8 {
			flipped := bytes.Clone(file)
			flipped[i] ^= 1 << bit
			use(t, flipped)
		}
	}
	start, footer := file[:len(file)-8-len(footerIn(file))], footerIn(file)
	for n := range footer {
		use(t, ended(start, footer[:n]))
	}
	group := structOf{{5, thrift.I32, integer(1 << 16)}}.bytes()
	elements := append(bytes.Split(bytes.Repeat(group, 1000), []byte{0})[:1000:1000], bytes.Split(make([]byte, 1<<16), nil)...)
	for i := range elements[:1000] {
		elements[i] = append(elements[i], 0)
	}
	use(t, ended(start, structOf{{2, thrift.List, listOf(thrift.Struct, elements...)}}.bytes())) // 65,536 columns at a depth of 1,000
	deep := structOf{{2, thrift.List, listOf(thrift.Struct, bytes.Repeat([]byte{0x55, 2, 0}, 1<<16))}}.bytes()
	use(t, ended(start, deep))
}

// TestFooterInTheMagic: a footer may begin behind the first magic, and not in it.
func TestFooterInTheMagic(t *testing.T) {
	footer := footerIn(image(columns, 1))
	for n := range 6 {
		file := ended(bytes.Repeat([]byte{'P'}, n), footer)
		_, err := parquet.OpenBytes(file)
		_, readErr := parquet.Open(bytes.NewReader(file), int64(len(file)))
		if n >= 4 && (err != nil || readErr != nil) || n < 4 && (!errors.Is(err, simdbloom.ErrCorrupt) || !errors.Is(readErr, simdbloom.ErrCorrupt)) {
			t.Errorf("a footer at %d: %v, %v", n, err, readErr)
		}
	}
}

// TestNestedFilters: filters of which one says that it is inside another.
func TestNestedFilters(t *testing.T) {
	right := filterOf[int64](t, 1)
	inner := append(splitblock.AppendHeader(nil, right.SizeBytes()), right.Bytes()...)
	file := splitblock.AppendHeader([]byte("PAR1"), 4096)
	file = append(file, make([]byte, 4096)...)
	last := int64(len(file))
	file = append(file, inner...)
	outer := footer.Chunk{FilterOffset: 4, FilterLength: int(last) - 4}
	copy(file[100:], inner)
	chunks := [][]footer.Chunk{{outer}, {{FilterOffset: 100, FilterLength: len(inner)}}, {{FilterOffset: last, FilterLength: len(inner)}}}
	for _, cost := range []int{0, 1, 4096, 16 << 10, 1 << 20} {
		for _, values := range [][]int64{{1}, slices.Repeat([]int64{1}, 10_000)} {
			f := must(parquet.New(bytes.NewReader(file), int64(len(file)), columns[:1], chunks, parquet.WithReadCost(cost)))
			if got, err := parquet.Prune(f, "id", values); err != nil || !slices.Contains(got, 1) || !slices.Contains(got, 2) {
				t.Errorf("a read costs %d, %d values: %v, %v", cost, len(values), got, err)
			}
		}
	}
}

// TestDremios: in a file of parquet-testing, dict-page-offset-zero.parquet, a list has the id of the filter's length.
func TestDremios(t *testing.T) {
	file := small(t)
	length := thrift.AppendField(nil, 14, 15, thrift.I32)
	before, after, found := bytes.Cut(file, append(length, thrift.AppendInt(nil, 47)...))
	if !found {
		t.Fatal("the test's file has no filter of 47 bytes")
	}
	list := append(thrift.AppendField(nil, 14, 15, thrift.List), listOf(thrift.Struct, []byte{0})...)
	start := len(file) - 8 - len(footerIn(file))
	changed := bytes.Join([][]byte{before[start:], list, after[:len(after)-8]}, nil)
	f, err := parquet.OpenBytes(ended(file[:start:start], changed))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := parquet.Prune(f, "id", []int64{1, 2}); err != nil || len(got) != 2 || f.Chunk(0, 0).FilterLength != 0 {
		t.Errorf("%v, %v, %+v", got, err, f.Chunk(0, 0))
	}
}

// TestOneFilterOfManyRowGroups: a file that says that all row groups have the same large filter is not read many times.
func TestOneFilterOfManyRowGroups(t *testing.T) {
	const size, many = 40 << 20, 1000
	file := append(splitblock.AppendHeader([]byte("PAR1"), size), make([]byte, size)...)
	for _, length := range []int{len(file) - 4, 0} {
		chunks := slices.Repeat([][]footer.Chunk{{{Values: 1, FilterOffset: 4, FilterLength: length}}}, many)
		for _, readCost := range []int{0, 1 << 20} {
			open := func(n int) (*parquet.File, *counting) {
				c := &counting{ReaderAt: bytes.NewReader(file)}
				return must(parquet.New(c, int64(len(file)), columns[:1], chunks[:n], parquet.WithReadCost(readCost))), c
			}
			f, _ := open(1)
			if got, err := parquet.Prune(f, "id", []int64{1}); err != nil || len(got) != 0 {
				t.Errorf("length %d: one row group: %v, %v", length, got, err)
			}
			f, read := open(many)
			got, err := parquet.Prune(f, "id", make([]int64, 10_000))
			if err != nil || len(got) != many-1 || len(f.Unusable()) != many-1 || read.bytes > 5*size {
				t.Errorf("length %d: %d row groups, %v, %d are unusable, %d bytes read", length, len(got), err, len(f.Unusable()), read.bytes)
			}
		}
	}
}

func FuzzFile(f *testing.F) {
	file := small(f)
	f.Add(file)
	f.Add(image(columns, 1))
	f.Add(ended(file[:len(file)-8-len(footerIn(file))], nil))
	f.Fuzz(func(t *testing.T, file []byte) {
		use(t, file)
		use(t, ended(file, file[:min(len(file), 1<<16)])) // with a footer that is found
	})
}
