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
)

// Open returns the file whose metadata arrow-go has read. r reads the file of the given size in bytes, from any number
// of goroutines. Nothing is read but filters, once [parquet.Prune] needs them. Columns that are encrypted have no
// filters here.
func Open(r io.ReaderAt, size int64, m *metadata.FileMetaData, options ...parquet.Option) (*parquet.File, error) {
	columns := make([]parquet.Column, m.Schema.NumColumns())
	for i := range columns {
		c := m.Schema.Column(i)
		column := parquet.Column{Path: c.ColumnPath(), Type: parquet.Type(c.PhysicalType()), Length: max(c.TypeLength(), 0)}
		column.Logical = logicalOf(c.LogicalType()).Of(column.Type, column.Length)
		columns[i] = column
	}
	rowGroups := make([][]parquet.Chunk, m.NumRowGroups())
	for g := range rowGroups {
		of := m.RowGroup(g)
		rowGroups[g] = make([]parquet.Chunk, of.NumColumns())
		for i := range rowGroups[g] {
			c, err := of.ColumnChunk(i)
			if err != nil {
				return nil, fmt.Errorf("arrow: row group %d, column %d: %w", g, i, err)
			}
			chunk := parquet.Chunk{Values: c.NumValues(), Codec: int(c.Compression())}
			for _, stats := range c.EncodingStats() {
				const dataPage, dataPageV2 = 0, 3 // of parquet.thrift
				if stats.PageType == dataPage || stats.PageType == dataPageV2 {
					chunk.Encodings |= 1 << stats.Encoding
				}
			}
			if chunk.Encodings == 0 {
				for _, encoding := range c.Encodings() {
					chunk.Encodings |= 1 << encoding
				}
			}
			if c.CryptoMetadata() == nil && c.FilePath() == "" {
				chunk.FilterOffset, chunk.FilterLength = c.BloomFilterOffset(), int(c.BloomFilterLength())
			}
			rowGroups[g][i] = chunk
		}
	}
	return parquet.New(r, size, columns, rowGroups, append([]parquet.Option{parquet.WithCreatedBy(m.GetCreatedBy())}, options...)...)
}

// kinds are the logical types without settings, by arrow-go's names.
var kinds = map[string]parquet.Kind{
	schema.StringLogicalType{}.String():   parquet.String,
	schema.EnumLogicalType{}.String():     parquet.Enum,
	schema.JSONLogicalType{}.String():     parquet.JSON,
	schema.BSONLogicalType{}.String():     parquet.BSON,
	schema.UUIDLogicalType{}.String():     parquet.UUID,
	schema.Float16LogicalType{}.String():  parquet.Float16,
	schema.DateLogicalType{}.String():     parquet.Date,
	schema.IntervalLogicalType{}.String(): parquet.Interval,
}

// logicalOf returns arrow-go's logical type, which it also makes of a converted type.
func logicalOf(l schema.LogicalType) parquet.Logical {
	switch l := l.(type) {
	case nil:
		return parquet.Logical{}
	case schema.IntLogicalType:
		return parquet.Logical{Kind: parquet.Integer, Bits: int(l.BitWidth()), Unsigned: !l.IsSigned()}
	case schema.DecimalLogicalType:
		return parquet.Logical{Kind: parquet.Decimal, Precision: int(l.Precision()), Scale: int(l.Scale())}
	case schema.TimeLogicalType:
		return parquet.Logical{Kind: parquet.Time, PerSecond: perSecond(l.TimeUnit()), UTC: l.IsAdjustedToUTC()}
	case schema.TimestampLogicalType:
		return parquet.Logical{Kind: parquet.Timestamp, PerSecond: perSecond(l.TimeUnit()), UTC: l.IsAdjustedToUTC()}
	}
	return parquet.Logical{Kind: kinds[l.String()]}
}

func perSecond(unit schema.TimeUnitType) int {
	return map[schema.TimeUnitType]int{schema.TimeUnitMillis: 1e3, schema.TimeUnitMicros: 1e6, schema.TimeUnitNanos: 1e9}[unit]
}
