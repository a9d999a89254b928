package store

import "github.com/cockroachdb/pebble/v2"

// Description describes a store's tables.
type Description struct {
	Levels        []Level `json:"levels"` // those with tables
	Filters       int     `json:"filters,omitempty"`
	FilterBytes   uint64  `json:"filter_bytes"` // of all
	LargestFilter uint64  `json:"largest_filter_bytes,omitempty"`
	TableBytes    uint64  `json:"table_bytes"`

	blocks map[string]blocks // of each table, by its file's name
}

// blocks are the bytes of a table's data blocks, with which it begins, and of its filter block.
type blocks struct{ data, filter uint64 }

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
	d := &Description{blocks: make(map[string]blocks)}
	for i, tables := range levels {
		level := Level{Level: i, Tables: len(tables)}
		for _, table := range tables {
			filter := table.Properties.FilterSize
			level.Keys += table.Properties.NumEntries
			level.Bytes += table.Size
			d.FilterBytes += filter
			d.LargestFilter = max(d.LargestFilter, filter)
			if filter > 0 {
				d.Filters++
			}
			d.blocks[TableName(table)] = blocks{table.Properties.DataSize, filter}
		}
		d.TableBytes += level.Bytes
		if level.Tables > 0 {
			d.Levels = append(d.Levels, level)
		}
	}
	return d, nil
}
