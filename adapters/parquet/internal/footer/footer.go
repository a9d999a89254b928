// Package footer has what filters need of a Parquet file's footer, and reads it. Modules arrow and parquetgo, which may
// have another version than adapters/parquet, import it: only add to it.
package footer

import (
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom"
)

// File is a file whose footer another library has read: parquet.Open of one reads nothing.
type File struct {
	io.ReaderAt
	Footer *Footer
}

// Corrupt returns an error about a file's bytes.
func Corrupt(format string, args ...any) error {
	return corruptError(fmt.Sprintf(format, args...))
}

// corruptError is simdbloom.ErrCorrupt, whose text is about a filter.
type corruptError string

func (e corruptError) Error() string { return "parquet: corrupt file: " + string(e) }

func (corruptError) Is(target error) bool { return target == simdbloom.ErrCorrupt }
