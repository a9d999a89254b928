package parquet

import (
	"fmt"
	"os"

	"github.com/simdbloom/simdbloom/adapters/parquet/internal/replace"
)

// AddFilters writes the file old again as path, with filters, as [WriteWithFilters] does. The two may be
// the same. A file at path keeps its permissions, and a new one gets the old file's.
//
// It writes another file in path's folder, has the system store it, renames it to path, and has the system store
// the folder: readers and crashes see the file from before or the new one, whole. After an error the file from before
// is there, unless the error mentions that path is written. A killed program leaves the other file, ".NAME.NUMBER.tmp",
// and the next AddFilters to path removes it.
func AddFilters(path, old string, filters Filters, options ...WriteOption) error {
	from, err := os.Open(old)
	if err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	var failed error
	err = replace.File(path, info.Mode().Perm(), func(file *os.File) error {
		if failed = WriteWithFilters(file, from, info.Size(), filters, options...); failed != nil {
			failed = fmt.Errorf("%w (%s)", failed, old)
			return failed
		}
		return from.Close() // some systems rename no file that is open, which path may be
	})
	if err != nil && failed == nil {
		err = fmt.Errorf("parquet: %w", err)
	}
	return err
}
