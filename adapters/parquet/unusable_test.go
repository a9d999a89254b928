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

// TestHeaderOfAnotherSize: in a header that says other than the footer, no size leads to a "no" for values that are
// there.
func TestHeaderOfAnotherSize(t *testing.T) {
	values := make([]int64, 100)
	for i := range values {
		values[i] = int64(i)
	}
	filter := must(parquet.NewFilter(parquet.AppendHashes(nil, values), 0.03))
	file := with(t, image(columns, 1), parquet.Filters{"id": {filter}})
	at := must(parquet.OpenBytes(file)).Chunk(0, 0).FilterOffset
	if filter.SizeBytes() != 128 {
		t.Fatalf("%d bytes", filter.SizeBytes())
	}
	for size := 32; size <= 256; size += 32 {
		header := splitblock.AppendHeader(nil, size)
		if n := len(splitblock.AppendHeader(nil, 128)); len(header) != n {
			header = append(header, make([]byte, n-len(header))...) // behind a shorter header, the bits begin with zeros
		}
		changed := bytes.Clone(file)
		copy(changed[at:], header)
		for name, f := range map[string]*parquet.File{
			"in memory": must(parquet.OpenBytes(changed)),
			"by blocks": must(parquet.Open(bytes.NewReader(changed), int64(len(changed)), parquet.WithReadCost(0))),
			"read once": must(parquet.Open(bytes.NewReader(changed), int64(len(changed)), parquet.WithReadCost(16<<10))),
			"kept":      must(parquet.Open(bytes.NewReader(changed), int64(len(changed)), parquet.WithReadCost(1<<20))),
		} {
			for _, v := range values {
				if got, err := parquet.Prune(f, "id", []int64{v}); err != nil || len(got) != 1 {
					t.Fatalf("a header of %d bytes, %s: %d is missing: %v", size, name, v, err)
				}
			}
			unusable := f.Unusable()
			if size == 128 != (len(unusable) == 0) || size != 128 && !errors.Is(unusable[0], simdbloom.ErrCorrupt) {
				t.Errorf("a header of %d bytes, %s: %v", size, name, unusable)
			}
		}
	}
}

// TestOneUnusableFilter: a header as parquetjs writes it, with empty unions, costs nothing but its own filter.
func TestOneUnusableFilter(t *testing.T) {
	header := thrift.AppendInt(thrift.AppendField(nil, 0, 1, thrift.I32), 32)
	header = append(header, 0x1c, 0, 0x1c, 0, 0x1c, 0, 0)
	right := filterOf[int64](t, 1, 2, 3)
	file := append([]byte("PAR1"), header...)
	file = append(file, right.Bytes()...)
	second := int64(len(file))
	file = append(splitblock.AppendHeader(file, 32), right.Bytes()...)
	chunks := [][]footer.Chunk{{{FilterOffset: 4}}, {{FilterOffset: second}}}
	open := func(options ...parquet.Option) *parquet.File {
		return must(parquet.New(bytes.NewReader(file), int64(len(file)), columns[:1], chunks, options...))
	}
	f := open()
	filters := must(f.Filters("id"))
	if filters[0] != nil || !bytes.Equal(filters[1].Bytes(), right.Bytes()) {
		t.Errorf("filters %v", filters)
	}
	for value, want := range map[int64][]int{1: {0, 1}, 4: {0}} {
		if got := must(parquet.Prune(f, "id", []int64{value})); !slices.Equal(got, want) {
			t.Errorf("%d may be in %v", value, got)
		}
	}
	if all, one := f.Unusable(), f.UnusableOf(0); len(all) != 1 || len(one) != 1 || all[0].Error() != `row group 0, column "id": `+all[0].Err.Error() {
		t.Errorf("%v, %v", all, one)
	}
	f = open(parquet.WithUnusableAsErrors())
	_, err := f.Filters("id")
	_, pruneErr := parquet.Prune(f, "id", []int64{1})
	var filterError *parquet.FilterError
	if !errors.As(err, &filterError) || filterError.RowGroup != 0 || !errors.Is(pruneErr, simdbloom.ErrCorrupt) {
		t.Errorf("%v, %v", err, pruneErr)
	}
	if got, err := parquet.PruneAmong(f, "id", []int64{4}, []int{1}); err != nil || len(got) != 0 {
		t.Errorf("a row group whose filter is right: %v, %v", got, err)
	}
}

// TestOffsetOfAnotherType: the filter's offset as a number of 32 bits is a field that this package does not know, and
// no filter. Fields of 32 and of 64 bits have the same bytes.
func TestOffsetOfAnotherType(t *testing.T) {
	values := []int64{1, 2, 3}
	file := with(t, image(columns, 1), parquet.Filters{"id": {filterOf(t, values...)}})
	at := must(parquet.OpenBytes(file)).Chunk(0, 0).FilterOffset
	offset := bytes.LastIndex(file, integer(at))
	if kind := thrift.Type(file[offset-1] & 15); at == 0 || kind != thrift.I64 {
		t.Fatalf("offset %d, type %v", at, kind)
	}
	file[offset-1] = file[offset-1]&^15 | byte(thrift.I32)
	f := must(parquet.OpenBytes(file))
	if got := f.Chunk(0, 0).FilterOffset; got != 0 || len(f.Unusable()) > 0 {
		t.Errorf("offset %d, %v", got, f.Unusable())
	}
	for _, v := range []int64{1, 99} {
		if got, err := parquet.Prune(f, "id", []int64{v}); err != nil || len(got) != 1 {
			t.Errorf("%d: %v, %v", v, got, err)
		}
	}
}

// TestFootersWithoutRowGroups: a file without rows has none, and fastparquet's _common_metadata counts the rows of
// other files.
func TestFootersWithoutRowGroups(t *testing.T) {
	file := image(columns, 0)
	at := bytes.LastIndex(file, []byte{0, 1<<4 | byte(thrift.List), 0xf0 | byte(thrift.Struct), 0}) // the number of rows, and the list
	for _, rows := range []int64{0, 5} {
		copy(file[at:], integer(rows))
		if f, err := parquet.OpenBytes(file); err != nil || f.NumRowGroups() != 0 {
			t.Errorf("%d rows: %v", rows, err)
		}
	}
}

// TestFlippedFooters: a wrong bit in a footer hides no row group that has a value.
func TestFlippedFooters(t *testing.T) {
	for rowGroups := 1; rowGroups <= 3; rowGroups++ {
		filter := filterOf[int64](t, 1)
		file := with(t, image(columns, rowGroups), parquet.Filters{"id": slices.Repeat([]*simdbloom.Filter{filter}, rowGroups)})
		for i := len(file) - 8 - len(footerIn(file)); i < len(file)-8; i++ {
			for bit := range 8 {
				file[i] ^= 1 << bit
				if f, err := parquet.OpenBytes(file); err == nil {
					if got, err := parquet.Prune(f, "id", []int64{1}); err == nil && len(got) < rowGroups {
						t.Errorf("bit %d of byte %d: row groups %v of %d", bit, i, got, rowGroups)
					}
				} else if !errors.Is(err, simdbloom.ErrCorrupt) {
					t.Error(err)
				}
				file[i] ^= 1 << bit
			}
		}
	}
}
