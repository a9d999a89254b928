package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// OpenTable opens the file of a table, whose store has the given options.
func OpenTable(path string, o *pebble.Options) (*sstable.Reader, error) {
	file, err := vfs.Default.Open(path)
	if err != nil {
		return nil, err
	}
	readable, err := sstable.NewSimpleReadable(file)
	if err != nil {
		return nil, err
	}
	reader, err := sstable.NewReader(context.Background(), readable, o.MakeReaderOptions())
	if err != nil {
		return nil, errors.Join(err, readable.Close())
	}
	return reader, nil
}

// TableName returns the name of a table's file.
func TableName(table pebble.SSTableInfo) string {
	return fmt.Sprintf("%06d.sst", uint64(table.BackingSSTNum))
}
