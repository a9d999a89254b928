// Package parquetgo prunes row groups of Parquet files that parquet-go reads, and builds filters from their values:
//
//	file, err := parquetgo.OpenFile(r, size)                      // github.com/parquet-go/parquet-go's
//	f, err := adapter.Open(file)                                  // this package; the footer is read already
//	rowGroups, err := parquet.Prune(f, "id", []int64{17, 4711})   // of package adapters/parquet
//
// parquet-go's writer writes headers of its own filters only. To have this library's in a new file, write it without
// filters and add them:
//
//	filters, err := adapter.Build(file, 0.01, "id", "name")
//	err = parquet.AddFilters(path, old, filters)
package parquetgo

import (
	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
)

// Open returns the file that parquet-go has opened. Nothing is read but filters, once [parquet.Prune] needs them.
// Columns that are encrypted have no filters here. If f reads a local file, give [parquet.WithReadCost] 16 KiB: its
// type does not say so.
func Open(f *parquetgo.File, options ...parquet.Option) (*parquet.File, error) {
	return parquet.Open(&footer.File{ReaderAt: f, Footer: footerOf(f)}, f.Size(), options...)
}

func footerOf(f *parquetgo.File) *footer.Footer {
	m := f.Metadata()
	var columns []footer.Column
	for _, c := range leaves(nil, f.Root()) {
		column := footer.Column{Path: c.Path(), Type: footer.Type(c.Type().Kind())}
		if c.Type().Kind() == parquetgo.FixedLenByteArray {
			column.Length = c.Type().Length()
		}
		column.Logical = logicalOf(c.Type()).Of(column.Type, column.Length)
		columns = append(columns, column)
	}
	rowGroups := make([][]footer.Chunk, len(m.RowGroups))
	for g := range rowGroups {
		for i := range m.RowGroups[g].Columns {
			rowGroups[g] = append(rowGroups[g], chunkOf(&m.RowGroups[g].Columns[i]))
		}
	}
	return &footer.Footer{Columns: columns, RowGroups: rowGroups, CreatedBy: m.CreatedBy}
}

func chunkOf(c *format.ColumnChunk) footer.Chunk {
	m := &c.MetaData
	chunk := footer.Chunk{Values: m.NumValues, Codec: int(m.Codec)}
	for _, stats := range m.EncodingStats {
		if stats.PageType == format.DataPage || stats.PageType == format.DataPageV2 {
			chunk.Encodings |= footer.EncodingBit(int(stats.Encoding))
		}
	}
	if chunk.Encodings == 0 {
		for _, encoding := range m.Encoding {
			chunk.Encodings |= footer.EncodingBit(int(encoding))
		}
	}
	if c.CryptoMetadata.Value == nil && c.FilePath == "" {
		chunk.FilterOffset, chunk.FilterLength = c.MetaData.BloomFilterOffset, int(c.MetaData.BloomFilterLength)
	}
	return chunk
}

// leaves appends a column's leaves in the order of the schema.
func leaves(dst []*parquetgo.Column, c *parquetgo.Column) []*parquetgo.Column {
	if c.Leaf() {
		return append(dst, c)
	}
	for _, child := range c.Columns() {
		dst = leaves(dst, child)
	}
	return dst
}
