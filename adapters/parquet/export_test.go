package parquet

import (
	"io"

	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
)

// New returns the File of a footer that another library has read.
func New(r io.ReaderAt, size int64, columns []footer.Column, rowGroups [][]footer.Chunk, options ...Option) (*File, error) {
	return Open(&footer.File{ReaderAt: r, Footer: &footer.Footer{Columns: columns, RowGroups: rowGroups}}, size, options...)
}

// Chunk returns a column in a row group.
func (f *File) Chunk(rowGroup, column int) footer.Chunk { return f.rowGroups[rowGroup][column] }

// UnusableOf is Unusable of a column.
func (f *File) UnusableOf(column int) (all []*FilterError) {
	for _, err := range f.Unusable() {
		if err.Column == column {
			all = append(all, err)
		}
	}
	return all
}
