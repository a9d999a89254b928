package arrow

import (
	"fmt"

	arrowparquet "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
)

// Build returns filters of the columns with the given names, built from the file's values, one row group after the
// other: 8 bytes of memory for each value of a row group. A filter of FLOAT, DOUBLE or FLOAT16 that has one zero has
// both. See [parquet.NewFilter] for the false-positive rate.
func Build(r *file.Reader, fpr float64, columns ...string) (parquet.Filters, error) {
	foot, err := footerOf(r.MetaData())
	if err != nil {
		return nil, err
	}
	f, err := parquet.Open(&footer.File{Footer: foot}, 0) // for the names
	if err != nil {
		return nil, err
	}
	filters := make(parquet.Filters, len(columns))
	var hashes []uint64
	for _, name := range columns {
		column, err := f.Column(name)
		if err != nil {
			return nil, err
		}
		of := make([]*simdbloom.Filter, r.NumRowGroups())
		for g := range of {
			hashes, err = appendColumn(hashes[:0], r.RowGroup(g), column, foot.RowGroups[g][column].Values)
			if err != nil {
				return nil, fmt.Errorf("arrow: row group %d, column %q: %w", g, name, err)
			}
			hashes = foot.Columns[column].AppendZeros(hashes)
			if of[g], err = parquet.NewFilter(hashes, fpr); err != nil {
				return nil, err
			}
		}
		filters[name] = of
	}
	return filters, nil
}

// appendColumn appends the hashes of a column of a row group. On some pages arrow-go (v18.8.0) panics.
func appendColumn(dst []uint64, group *file.RowGroupReader, column int, want int64) (hashes []uint64, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			hashes, err = nil, footer.Corrupt("arrow-go panicked: %v", panicked)
		}
	}()
	reader, err := group.Column(column)
	if err != nil {
		return nil, err
	}
	return appendChunk(dst, reader, want)
}

// appendChunk appends the hashes of a column chunk's values, of which it has want, NULLs included.
func appendChunk(dst []uint64, reader file.ColumnChunkReader, want int64) ([]uint64, error) {
	defer reader.Close()
	switch r := reader.(type) {
	case *file.Int32ColumnChunkReader:
		return appendBatches(dst, r, want, parquet.AppendHashes[int32])
	case *file.Int64ColumnChunkReader:
		return appendBatches(dst, r, want, parquet.AppendHashes[int64])
	case *file.Int96ColumnChunkReader:
		return appendBatches(dst, r, want, converted(func(v arrowparquet.Int96) [12]byte { return v }))
	case *file.Float32ColumnChunkReader:
		return appendBatches(dst, r, want, parquet.AppendHashes[float32])
	case *file.Float64ColumnChunkReader:
		return appendBatches(dst, r, want, parquet.AppendHashes[float64])
	case *file.ByteArrayColumnChunkReader:
		return appendBatches(dst, r, want, converted(func(v arrowparquet.ByteArray) []byte { return v }))
	case *file.FixedLenByteArrayColumnChunkReader:
		return appendBatches(dst, r, want, converted(func(v arrowparquet.FixedLenByteArray) []byte { return v }))
	default:
		return nil, fmt.Errorf("a column of type %v has no filters", reader.Type())
	}
}

// batchValues are read at a time.
const batchValues = 1024

// batches is the common interface of arrow-go's readers of column chunks.
type batches[T any] interface {
	file.ColumnChunkReader
	ReadBatch(batchSize int64, values []T, definitions, repetitions []int16) (total int64, read int, err error)
}

func appendBatches[T any](dst []uint64, r batches[T], want int64, appendHashes func(dst []uint64, values []T) []uint64) ([]uint64, error) {
	values := make([]T, batchValues)
	definitions, repetitions := make([]int16, batchValues), make([]int16, batchValues)
	most := r.Descriptor().MaxDefinitionLevel()
	levels := int64(0) // values, NULLs included
	for r.HasNext() {
		total, n, err := r.ReadBatch(batchValues, values, definitions, repetitions)
		if err != nil {
			return nil, err
		}
		present := int(total)
		if most > 0 {
			present = 0
			for _, d := range definitions[:total] {
				if d == most {
					present++
				}
			}
		}
		if total == 0 || n != present {
			return nil, fmt.Errorf("%d values were read, want %d: %w", n, present, simdbloom.ErrCorrupt)
		}
		levels += total
		dst = appendHashes(dst, values[:n])
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	if levels != want {
		return nil, fmt.Errorf("the pages have %d values, want %d: %w", levels, want, simdbloom.ErrCorrupt)
	}
	return dst, nil
}

// converted returns AppendHashes of values of another type of Go.
func converted[T any, V parquet.Value](convert func(T) V) func(dst []uint64, values []T) []uint64 {
	var batch []V
	return func(dst []uint64, values []T) []uint64 {
		batch = batch[:0]
		for _, v := range values {
			batch = append(batch, convert(v))
		}
		return parquet.AppendHashes(dst, batch)
	}
}
