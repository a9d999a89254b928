package parquetgo

import (
	"errors"
	"fmt"
	"io"
	"iter"

	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Build returns filters of the columns with the given names, built from the file's values, one row group after the
// other: 8 bytes of memory for each value of a row group. A dictionary's values are hashed once.
// See [parquet.NewFilter] for the false-positive rate.
func Build(f *parquetgo.File, fpr float64, columns ...string) (parquet.Filters, error) {
	filters := make(parquet.Filters, len(columns))
	for _, name := range columns {
		of := make([]*simdbloom.Filter, 0, len(f.RowGroups()))
		for hashes, err := range Hashes(f, name) {
			if err != nil {
				return nil, err
			}
			filter, err := parquet.NewFilter(hashes, fpr)
			if err != nil {
				return nil, err
			}
			of = append(of, filter)
		}
		filters[name] = of
	}
	return filters, nil
}

// Hashes returns the hashes of a column's values that are not NULL, one row group after the other, by
// [keyhash.XX64] as Parquet's filters have them: for filters of whole files, and sets of them. The values of a
// dictionary are hashed once. It takes 8 bytes of memory for each value of a row group. The slice is used again;
// an error is the last pair.
func Hashes(f *parquetgo.File, column string) iter.Seq2[[]uint64, error] {
	return func(yield func([]uint64, error) bool) {
		leaf, err := leafOf(f, column)
		if err != nil {
			yield(nil, err)
			return
		}
		var hashes []uint64
		for g, group := range f.RowGroups() {
			if hashes, err = appendChunk(hashes[:0], group.ColumnChunks()[leaf.Index()]); err != nil {
				yield(nil, fmt.Errorf("parquetgo: row group %d, column %q: %w", g, column, err))
				return
			}
			if !yield(hashes, nil) {
				return
			}
		}
	}
}

// leafOf returns the column with a name that may have dots, as package parquet finds it.
func leafOf(f *parquetgo.File, name string) (*parquetgo.Column, error) {
	opened, err := Open(f)
	if err != nil {
		return nil, err
	}
	index, err := opened.Column(name)
	if err != nil {
		return nil, err
	}
	return leaves(nil, f.Root())[index], nil
}

// appendChunk appends the hashes of a column chunk's values.
func appendChunk(dst []uint64, chunk parquetgo.ColumnChunk) (hashes []uint64, err error) {
	pages := chunk.Pages()
	defer func() { err = errors.Join(err, pages.Close()) }()
	var last parquetgo.Dictionary
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return nil, err
		}
		values := page.Data()
		dictionary := page.Dictionary()
		if dictionary != nil {
			values = dictionary.Page().Data()
		}
		if dictionary == nil || dictionary != last {
			dst, err = appendValues(dst, &values)
		}
		last = dictionary
		parquetgo.Release(page)
		if err != nil {
			return nil, err
		}
	}
}

// appendValues appends the hashes of a page's values, or of those of its dictionary.
func appendValues(dst []uint64, values *encoding.Values) ([]uint64, error) {
	switch values.Kind() {
	case encoding.Int32:
		return parquet.AppendHashes(dst, values.Int32()), nil
	case encoding.Int64:
		return parquet.AppendHashes(dst, values.Int64()), nil
	case encoding.Int96:
		data, _ := values.Data()
		return appendFixed(dst, data, 12), nil
	case encoding.Float:
		return parquet.AppendHashes(dst, values.Float()), nil
	case encoding.Double:
		return parquet.AppendHashes(dst, values.Double()), nil
	case encoding.ByteArray:
		return appendStrings(dst, values)
	case encoding.FixedLenByteArray:
		data, size := values.FixedLenByteArray()
		return appendFixed(dst, data, size), nil
	case encoding.Undefined: // a page of NULLs
		return dst, nil
	default:
		return nil, fmt.Errorf("a column of type %v has no filters", values.Kind())
	}
}

// appendStrings appends the hashes of byte arrays.
func appendStrings(dst []uint64, values *encoding.Values) ([]uint64, error) {
	data, offsets := values.ByteArray()
	wide := make([]int64, len(offsets))
	for i, offset := range offsets {
		wide[i] = int64(offset)
	}
	column, err := keyhash.Strings(wide, data)
	if err != nil {
		return nil, err
	}
	return keyhash.XX64.AppendColumn(dst, column), nil
}

// appendFixed appends the hashes of values of the given size.
func appendFixed(dst []uint64, data []byte, size int) []uint64 {
	items := make([][]byte, 0, len(data)/size)
	for ; len(data) >= size; data = data[size:] {
		items = append(items, data[:size])
	}
	return parquet.AppendHashes(dst, items)
}
