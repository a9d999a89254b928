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
// A filter of FLOAT, DOUBLE or FLOAT16 that has one zero has both. See [parquet.NewFilter] for the false-positive rate.
func Build(f *parquetgo.File, fpr float64, columns ...string) (parquet.Filters, error) {
	opened, err := Open(f)
	if err != nil {
		return nil, err
	}
	foot := footerOf(f)
	filters := make(parquet.Filters, len(columns))
	for _, name := range columns {
		column, _ := opened.Column(name) // Hashes has the error
		of := make([]*simdbloom.Filter, 0, len(f.RowGroups()))
		for hashes, err := range Hashes(f, name) {
			if err != nil {
				return nil, err
			}
			filter, err := parquet.NewFilter(foot.Columns[column].AppendZeros(hashes), fpr)
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
// dictionary are hashed once. It needs 8 bytes of memory for each value of a row group. The slice is used again;
// an error is the last pair.
func Hashes(f *parquetgo.File, column string) iter.Seq2[[]uint64, error] {
	return func(yield func([]uint64, error) bool) {
		leaf, err := leafOf(f, column)
		if err != nil {
			yield(nil, err)
			return
		}
		var hashes []uint64
		for g := range f.RowGroups() {
			if hashes, err = appendChunk(hashes[:0], f, g, leaf, wholeDictionary); err != nil {
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

// ofDictionary tells which values of a dictionary are hashed.
type ofDictionary bool

const (
	wholeDictionary ofDictionary = false // once
	eachIndex       ofDictionary = true  // those that a page has, once a page: a dictionary may have others
)

// appendChunk appends the hashes of a column chunk's values.
func appendChunk(dst []uint64, f *parquetgo.File, rowGroup int, leaf *parquetgo.Column, of ofDictionary) (hashes []uint64, err error) {
	chunk, err := chunkIn(f, rowGroup, leaf)
	if err != nil {
		return nil, err
	}
	pages := chunk.Pages()
	defer func() { err = errors.Join(err, pages.Close()) }()
	var last parquetgo.Dictionary
	levels := int64(0) // values, NULLs included
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		levels += page.NumValues()
		dst, err = appendPage(dst, page, last, of)
		last = page.Dictionary()
		parquetgo.Release(page)
		if err != nil {
			return nil, err
		}
	}
	if want := chunk.NumValues(); levels != want {
		return nil, fmt.Errorf("the pages have %d values, want %d: %w", levels, want, simdbloom.ErrCorrupt)
	}
	return dst, nil
}

// appendPage appends the hashes of a page's values, or of its dictionary's unless that is the last one.
func appendPage(dst []uint64, page parquetgo.Page, last parquetgo.Dictionary, of ofDictionary) ([]uint64, error) {
	values, want := page.Data(), int(page.NumValues()-page.NumNulls())
	dictionary := page.Dictionary()
	if dictionary == nil {
		return appendValues(dst, &values, want)
	}
	indexes := []int32(nil)
	if values.Kind() != encoding.Undefined {
		indexes = values.Int32()
	}
	if err := complete(len(indexes), want); err != nil {
		return nil, err
	}
	for _, i := range indexes {
		if i < 0 || int(i) >= dictionary.Len() {
			return nil, fmt.Errorf("a page has value %d of a dictionary of %d: %w", i, dictionary.Len(), simdbloom.ErrCorrupt)
		}
	}
	if dictionary == last && of == wholeDictionary {
		return dst, nil
	}
	values = dictionary.Page().Data()
	if of == eachIndex {
		hashes, err := appendValues(nil, &values, dictionary.Len())
		if err != nil {
			return nil, err
		}
		used := make([]bool, len(hashes))
		for _, i := range indexes {
			if !used[i] {
				used[i], dst = true, append(dst, hashes[i])
			}
		}
		return dst, nil
	}
	return appendValues(dst, &values, dictionary.Len())
}

// complete returns an error if a page was decoded to another number of values than it has.
func complete(got, want int) error {
	if got != want {
		return fmt.Errorf("a page was decoded to %d values, want %d: %w", got, want, simdbloom.ErrCorrupt)
	}
	return nil
}

// appendValues appends the hashes of values, whose number is want.
func appendValues(dst []uint64, values *encoding.Values, want int) ([]uint64, error) {
	before := len(dst)
	switch values.Kind() {
	case encoding.Int32:
		dst = parquet.AppendHashes(dst, values.Int32())
	case encoding.Int64:
		dst = parquet.AppendHashes(dst, values.Int64())
	case encoding.Int96:
		data, _ := values.Data()
		dst = appendFixed(dst, data, 12)
	case encoding.Float:
		dst = parquet.AppendHashes(dst, values.Float())
	case encoding.Double:
		dst = parquet.AppendHashes(dst, values.Double())
	case encoding.ByteArray:
		var err error
		if dst, err = appendStrings(dst, values); err != nil {
			return nil, err
		}
	case encoding.FixedLenByteArray:
		data, size := values.FixedLenByteArray()
		dst = appendFixed(dst, data, size)
	case encoding.Undefined: // a page of NULLs
	default:
		return nil, fmt.Errorf("a column of type %v has no filters", values.Kind())
	}
	return dst, complete(len(dst)-before, want)
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
	if size <= 0 {
		return dst
	}
	items := make([][]byte, 0, len(data)/size)
	for ; len(data) >= size; data = data[size:] {
		items = append(items, data[:size])
	}
	return parquet.AppendHashes(dst, items)
}
