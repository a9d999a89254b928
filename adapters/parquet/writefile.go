package parquet

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// AddFilters writes the file old again as path, with filters, as [WriteWithFilters] does. The two may be
// the same. It writes another file in path's folder, has the system store it, and renames it to path: readers and crashes see the
// file from before or the new one, whole. A file named ".NAME.NUMBER.tmp" may be left beside path by a crash.
func AddFilters(path, old string, filters Filters) (err error) {
	from, err := os.Open(old)
	if err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	folder, name := filepath.Split(path)
	file, err := os.OpenFile(fmt.Sprintf("%s.%s.%d.tmp", folder, name, rand.Uint64()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	if err := WriteWithFilters(file, from, info.Size(), filters); err != nil {
		return err
	}
	for _, step := range []func() error{
		file.Sync,
		file.Close,
		from.Close, // which some systems require, if path is old
		func() error { return os.Rename(file.Name(), path) },
	} {
		if err := step(); err != nil {
			return fmt.Errorf("parquet: %w", err)
		}
	}
	return nil
}
