package parquetgo

import (
	"errors"
	"fmt"
	"strings"

	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
)

// Verified tells whether a filter has all values of its column chunk.
type Verified struct {
	RowGroup int    // from 0
	Column   string // its name
	Values   int    // that were looked up: those of a dictionary once a page
	Missing  int    // of these, so readers that use the filter lose rows
	Err      error  // the reason, if they could not be looked up: then nothing is known
}

// Verify looks up every value of the columns, or of all columns if none are named, in the filters that the file has,
// also in those that [parquet.WithAnyWriter] is about. It returns what it found by column and row group, without those
// that have no filter. An encrypted chunk may have one, so it is among them, with an error. It reads all pages of the
// columns, with 8 bytes of memory for each value of a row group.
func Verify(f *parquetgo.File, columns ...string) ([]Verified, error) {
	opened, err := Open(f, parquet.WithAnyWriter())
	if err != nil {
		return nil, err
	}
	var indexes []int
	for _, name := range columns {
		c, err := opened.Column(name)
		if err != nil {
			return nil, err
		}
		indexes = append(indexes, c)
	}
	if len(columns) == 0 {
		for c := range opened.Columns() {
			indexes = append(indexes, c)
		}
	}
	var all []Verified
	for _, c := range indexes {
		if all, err = verifyColumn(all, f, opened, c); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// verifyColumn appends the mistakes in a column.
func verifyColumn(all []Verified, f *parquetgo.File, opened *parquet.File, column int) ([]Verified, error) {
	leaf := leaves(nil, f.Root())[column]
	found := make([]Verified, opened.NumRowGroups())
	var hashes []uint64
	err := opened.EachFilter(column, func(g int, filter *simdbloom.Filter) error {
		v := &found[g]
		if hashes, v.Err = appendChunk(hashes[:0], f, g, leaf, eachIndex); v.Err == nil {
			v.Values, v.Missing = len(hashes), missing(filter, hashes)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, u := range opened.Unusable() {
		if u.Column == column {
			found[u.RowGroup].Err = fmt.Errorf("the filter cannot be used: %w", u.Err)
		}
	}
	for g, v := range found {
		v.RowGroup, v.Column = g, strings.Join(leaf.Path(), ".")
		switch chunk := &f.Metadata().RowGroups[g].Columns[column]; {
		case chunk.CryptoMetadata.Value != nil:
			v.Err = errors.New("the column is encrypted")
		case chunk.MetaData.BloomFilterOffset == 0:
			continue
		case chunk.FilePath != "":
			v.Err = errors.New("the column's data is in another file")
		}
		all = append(all, v)
	}
	return all, nil
}

// missing returns how many of the hashes the filter lacks.
func missing(filter *simdbloom.Filter, hashes []uint64) (n int) {
	hits := make([]bool, len(hashes))
	filter.ContainsHashes(hashes, hits)
	for _, hit := range hits {
		if !hit {
			n++
		}
	}
	return n
}
