package store

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// Description is what a store's tables are.
type Description struct {
	Levels      []Level `json:"levels"` // those with tables
	FilterBytes uint64  `json:"filter_bytes"`
	TableBytes  uint64  `json:"table_bytes"`

	dataBytes map[string]uint64 // of each table, by its file's name
}

// Level is a level's tables and their keys.
type Level struct {
	Level  int    `json:"level"`
	Tables int    `json:"tables"`
	Keys   uint64 `json:"keys"` // deletions and every version of a key included
	Bytes  uint64 `json:"bytes"`
}

// Describe reads the properties of all tables.
func Describe(db *pebble.DB) (*Description, error) {
	levels, err := db.SSTables(pebble.WithProperties())
	if err != nil {
		return nil, err
	}
	d := &Description{dataBytes: make(map[string]uint64)}
	for i, tables := range levels {
		level := Level{Level: i, Tables: len(tables)}
		for _, table := range tables {
			level.Keys += table.Properties.NumEntries
			level.Bytes += table.Size
			d.FilterBytes += table.Properties.FilterSize
			d.dataBytes[tableName(table)] = table.Properties.DataSize
		}
		d.TableBytes += level.Bytes
		if level.Tables > 0 {
			d.Levels = append(d.Levels, level)
		}
	}
	return d, nil
}

func tableName(table pebble.SSTableInfo) string {
	return fmt.Sprintf("%06d.sst", uint64(table.FileNum))
}
