// Package arrow prunes row groups of Parquet files that arrow-go reads, and builds filters from
// their values:
//
//	reader, err := file.OpenParquetFile(name, false)
//	f, err := arrow.Open(r, size, reader.MetaData())              // reads nothing: the footer is read already
//	rowGroups, err := parquet.Prune(f, "id", []int64{17, 4711})   // of package adapters/parquet
//
// arrow-go's writer cannot take filters from outside (metadata.BloomFilterBuilder has unexported methods).
// To have this library's in a new file, write it without filters and add them:
//
//	filters, err := arrow.Build(reader, 0.01, "id", "name")
//	err = parquet.AddFilters(path, old, filters)
package arrow

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
)

// Open returns the file whose metadata arrow-go has read. r reads the file of the given size in bytes, from any number
// of goroutines. Nothing is read but filters, once [parquet.Prune] needs them. Columns that are encrypted have no
// filters here.
func Open(r io.ReaderAt, size int64, m *metadata.FileMetaData, options ...parquet.Option) (*parquet.File, error) {
	foot, err := footerOf(m)
	if err != nil {
		return nil, err
	}
	return parquet.Open(&footer.File{ReaderAt: r, Footer: foot}, size, options...)
}

func footerOf(m *metadata.FileMetaData) (*footer.Footer, error) {
	columns := make([]footer.Column, m.Schema.NumColumns())
	for i := range columns {
		c := m.Schema.Column(i)
		column := footer.Column{Path: c.ColumnPath(), Type: footer.Type(c.PhysicalType()), Length: max(c.TypeLength(), 0)}
		column.Logical = logicalOf(c.LogicalType()).Of(column.Type, column.Length)
		columns[i] = column
	}
	rowGroups := make([][]footer.Chunk, m.NumRowGroups())
	for g := range rowGroups {
		of := m.RowGroup(g)
		if n := of.NumColumns(); n != len(columns) {
			return nil, footer.Corrupt("row group %d has %d chunks for %d columns", g, n, len(columns))
		}
		rowGroups[g] = make([]footer.Chunk, len(columns))
		for i := range rowGroups[g] {
			c, err := of.ColumnChunk(i)
			if err != nil {
				return nil, fmt.Errorf("arrow: row group %d, column %d: %w", g, i, err)
			}
			chunk := footer.Chunk{Values: c.NumValues(), Codec: int(c.Compression())}
			for _, stats := range c.EncodingStats() {
				const dataPage, dataPageV2 = 0, 3 // of parquet.thrift
				if stats.PageType == dataPage || stats.PageType == dataPageV2 {
					chunk.Encodings |= footer.EncodingBit(int(stats.Encoding))
				}
			}
			if chunk.Encodings == 0 {
				for _, encoding := range c.Encodings() {
					chunk.Encodings |= footer.EncodingBit(int(encoding))
				}
			}
			if c.CryptoMetadata() == nil && c.FilePath() == "" {
				chunk.FilterOffset, chunk.FilterLength = c.BloomFilterOffset(), int(c.BloomFilterLength())
			}
			rowGroups[g][i] = chunk
		}
	}
	return &footer.Footer{Columns: columns, RowGroups: rowGroups, CreatedBy: m.GetCreatedBy()}, nil
}

// kinds are the logical types without settings, by arrow-go's names.
var kinds = map[string]footer.Kind{
	schema.StringLogicalType{}.String():   footer.String,
	schema.EnumLogicalType{}.String():     footer.Enum,
	schema.JSONLogicalType{}.String():     footer.JSON,
	schema.BSONLogicalType{}.String():     footer.BSON,
	schema.UUIDLogicalType{}.String():     footer.UUID,
	schema.Float16LogicalType{}.String():  footer.Float16,
	schema.DateLogicalType{}.String():     footer.Date,
	schema.IntervalLogicalType{}.String(): footer.Interval,
}

// logicalOf returns arrow-go's logical type, which it also makes of a converted type.
func logicalOf(l schema.LogicalType) footer.Logical {
	switch l := l.(type) {
	case nil:
		return footer.Logical{}
	case schema.IntLogicalType:
		return footer.Logical{Kind: footer.Integer, Bits: int(l.BitWidth()), Unsigned: !l.IsSigned()}
	case schema.DecimalLogicalType:
		return footer.Logical{Kind: footer.Decimal, Precision: int(l.Precision()), Scale: int(l.Scale())}
	case schema.TimeLogicalType:
		return footer.Logical{Kind: footer.Time, PerSecond: perSecond(l.TimeUnit()), UTC: l.IsAdjustedToUTC()}
	case schema.TimestampLogicalType:
		return footer.Logical{Kind: footer.Timestamp, PerSecond: perSecond(l.TimeUnit()), UTC: l.IsAdjustedToUTC()}
	}
	return footer.Logical{Kind: kinds[l.String()]}
}

func perSecond(unit schema.TimeUnitType) int {
	return map[schema.TimeUnitType]int{schema.TimeUnitMillis: 1e3, schema.TimeUnitMicros: 1e6, schema.TimeUnitNanos: 1e9}[unit]
}
