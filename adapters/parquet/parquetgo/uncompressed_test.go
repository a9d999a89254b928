package parquetgo

import (
	"errors"
	"slices"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
)

// TestWrongSizesOfPages: levels that do not fit in a page, and values of another size than the header says, are
// corrupt.
func TestWrongSizesOfPages(t *testing.T) {
	page := make([]byte, 10)
	for _, test := range []struct {
		definitions, repetitions, size int32
		right                          bool
		codec                          compress.Codec
	}{
		{3, 4, 10, true, &parquetgo.Uncompressed},
		{3, 7, 10, true, &parquetgo.Uncompressed},
		{3, 8, 11, false, &parquetgo.Uncompressed},
		{8, 8, 16, false, &parquetgo.Uncompressed},
		{11, 0, 11, false, &parquetgo.Uncompressed},
		{0, 11, 11, false, &parquetgo.Uncompressed},
		{-1, 4, 10, false, &parquetgo.Uncompressed},
		{4, -1, 10, false, &parquetgo.Uncompressed},
		{3, 4, 9, false, &parquetgo.Uncompressed},
		{3, 4, 11, false, &parquetgo.Uncompressed},
		{3, 7, 10, true, &parquetgo.Snappy}, // no values
		{3, 6, 9, true, &parquetgo.Snappy},  // a value of no bytes
		{3, 5, 8, false, &parquetgo.Snappy}, // and a byte behind it
		{3, 4, 7, false, &parquetgo.Lz4Raw},
	} {
		var header format.PageHeader
		header.Type, header.UncompressedPageSize = format.DataPageV2, test.size
		v2 := &header.DataPageHeaderV2.V
		v2.DefinitionLevelsByteLength, v2.RepetitionLevelsByteLength = test.definitions, test.repetitions
		got, err := decompressed(&header, page, test.codec)
		if test.right != (err == nil) || test.right && len(got) != int(test.size) || !test.right && !errors.Is(err, simdbloom.ErrCorrupt) && test.codec == compress.Codec(&parquetgo.Uncompressed) {
			t.Errorf("%+v: %d bytes, %v", test, len(got), err)
		}
	}
	if pages, err := appendPages(nil, []byte{0x15}, &parquetgo.Uncompressed); err == nil {
		t.Errorf("half a header: %x", pages)
	}
	for size, right := range []bool{true, false} { // a page of no bytes, or of one that is not there
		header := format.PageHeader{Type: format.DataPage, UncompressedPageSize: int32(size)}
		data, err := thrift.Marshal(&protocol, &header)
		if err != nil {
			t.Fatal(err)
		}
		if pages, err := appendPages(nil, data, &parquetgo.Uncompressed); right != (err == nil) || right && len(pages) == 0 {
			t.Errorf("a page of %d bytes: %x, %v", size, pages, err)
		}
	}
}

// TestWrongValues: offsets that descend, and a type that has no filters, are errors, whatever the number of values.
func TestWrongValues(t *testing.T) {
	for _, values := range []encoding.Values{encoding.ByteArrayValues([]byte("abc"), []uint32{0, 2, 1}), encoding.BooleanValues([]byte{1})} {
		for want := range 3 {
			if hashes, err := appendValues(nil, &values, want); err == nil {
				t.Errorf("%v, %d wanted: %x", values.Kind(), want, hashes)
			}
		}
	}
}

// oldType is a type of an old writer, which has only a converted one.
type oldType struct{ parquetgo.Type }

func (oldType) LogicalType() *format.LogicalType { return nil }

// TestOldTypes: a converted type is what the footer's reader takes it for, and a unit that is unknown is none.
func TestOldTypes(t *testing.T) {
	for _, node := range []parquetgo.Node{parquetgo.String(), parquetgo.Int(8), parquetgo.Date(), parquetgo.Decimal(2, 9, parquetgo.Int32Type)} {
		of := node.Type()
		if got, want := logicalOf(oldType{of}), footer.Converted(int(*of.ConvertedType()), 0, 0); got != want || got == (footer.Logical{}) {
			t.Errorf("%v: %+v, want %+v", of, got, want)
		}
	}
	if got, want := logicalOfUnion(&format.TimeType{IsAdjustedToUTC: true}), (footer.Logical{Kind: footer.Time, UTC: true}); got != want {
		t.Errorf("%+v", got)
	}
}

// indexPage is a page of indexes of a dictionary's values.
type indexPage struct {
	parquetgo.Page
	indexes    []int32
	dictionary parquetgo.Dictionary
	more       int64 // values than it has
}

func (p indexPage) Data() encoding.Values            { return encoding.Int32Values(p.indexes) }
func (p indexPage) NumValues() int64                 { return int64(len(p.indexes)) + p.more }
func (p indexPage) NumNulls() int64                  { return 0 }
func (p indexPage) Dictionary() parquetgo.Dictionary { return p.dictionary }

// TestIndexesOfDictionaries: an index of no value is corrupt. The values are hashed once, or those that pages have.
func TestIndexesOfDictionaries(t *testing.T) {
	dictionary := parquetgo.Int64Type.NewDictionary(0, 3, encoding.Int64Values([]int64{7, 8, 9}))
	hashes := parquet.AppendHashes(nil, []int64{7, 8, 9})
	for _, c := range []struct {
		indexes []int32
		last    parquetgo.Dictionary
		of      ofDictionary
		want    []uint64 // nil if it is corrupt
	}{
		{[]int32{2, 0, 2}, nil, wholeDictionary, hashes},
		{[]int32{2, 0, 2}, dictionary, wholeDictionary, hashes[:0]},
		{[]int32{2, 0, 2}, dictionary, eachIndex, []uint64{hashes[2], hashes[0]}},
		{[]int32{0, 3}, nil, wholeDictionary, nil},
		{[]int32{0, 3}, nil, eachIndex, nil},
		{[]int32{-1}, dictionary, wholeDictionary, nil},
	} {
		got, err := appendPage(nil, indexPage{indexes: c.indexes, dictionary: dictionary}, c.last, c.of)
		if errors.Is(err, simdbloom.ErrCorrupt) != (c.want == nil) || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %x, %v", c, got, err)
		}
		if got, err := appendPage(nil, indexPage{indexes: c.indexes, dictionary: dictionary, more: 1}, c.last, c.of); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%+v, and one more: %x, %v", c, got, err)
		}
	}
	flags := parquetgo.BooleanType.NewDictionary(0, 1, encoding.BooleanValues([]byte{1}))
	if got, err := appendPage(nil, indexPage{indexes: []int32{0}, dictionary: flags}, nil, eachIndex); err == nil {
		t.Errorf("of BOOLEAN: %x", got)
	}
}

// TestFixedValues: each value has the number of bytes that the schema records. If a hostile schema records none, or
// fewer, there are no values.
func TestFixedValues(t *testing.T) {
	for size, want := range map[int][]string{-1: nil, 0: nil, 1: {"a", "b", "c", "d"}, 2: {"ab", "cd"}, 3: {"abc"}, 5: nil} {
		if got := appendFixed(nil, []byte("abcd"), size); !slices.Equal(got, parquet.AppendHashes(nil, want)) {
			t.Errorf("%d bytes: %x, want those of %q", size, got, want)
		}
	}
}
