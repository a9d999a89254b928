package vectors

import (
	"crypto/sha256"
	"fmt"
)

// TableFilter is the filter block of a table that RocksDB wrote.
type TableFilter struct {
	Kind       string  // "fastlocal", "legacy" or "ribbon"
	BitsPerKey float64 `json:"bits_per_key"`
	Encoding   string  `json:"keys"` // the keys', if there is no list
	N          int     // how many
	List       []Hex   `json:"key_list"`
	WholeKeys  bool    `json:"whole_key_filtering"`
	Prefix     string  // "none", "fixed", "capped" or "noop"
	PrefixLen  int     `json:"prefix_len"`

	Entries    []string // hashes in hexadecimal, of FullEntries, unless there are many
	NumEntries int      `json:"num_entries"`
	EntriesSum Hex      `json:"entries_sha256"`

	Type      string // of TableFilters78: "full" or "partitioned"
	HasFilter bool   `json:"has_filter"`
	TotalLen  int    `json:"total_len"` // of a full filter
	SHA256    Hex

	PartitionSize       int `json:"partition_size"` // of PartitionedFilters
	EntriesPerPartition int `json:"entries_per_partition"`
	MetadataBlockSize   int `json:"metadata_block_size"` // of TableFilters78
	FormatVersion       int `json:"format_version"`      // likewise
	Partitions          []FilterPartition
	Index               Hex `json:"top_index_hex"` // only of short ones
	IndexLen            int `json:"top_index_len"`
	IndexSum            Hex `json:"top_index_sha256"`
}

// FilterPartition is a partition of a filter.
type FilterPartition struct {
	IndexKey Hex    `json:"index_key"`
	Offset   uint64 // in the file; 0 of PartitionedFilters
	TotalLen int    `json:"total_len"`
	SHA256   Hex
}

// Keys returns the table's keys in order.
func (f TableFilter) Keys() [][]byte {
	if f.Encoding != "" {
		return Keys(f.Encoding, 0, f.N)
	}
	keys := make([][]byte, len(f.List))
	for i, key := range f.List {
		keys[i] = key
	}
	return keys
}

// Policy returns the name of the filter's policy.
func (f TableFilter) Policy() string {
	names := map[string]string{
		"fastlocal": "rocksdb.internal.FastLocalBloomFilter", "legacy": "rocksdb.internal.LegacyBloomFilter",
		"ribbon": "rocksdb.internal.Standard128RibbonFilter",
	}
	return fmt.Sprintf("%s:%v", names[f.Kind], f.BitsPerKey)
}

// Extractor returns the name of the prefix extractor: empty for none.
func (f TableFilter) Extractor() string {
	switch f.Prefix {
	case "none":
		return ""
	case "noop":
		return "noop"
	}
	return fmt.Sprintf("%s:%d", f.Prefix, f.PrefixLen)
}

// CheckSum returns an error for bytes of another length or SHA-256.
func CheckSum(data []byte, length int, sum Hex) error {
	if got := sha256.Sum256(data); len(data) != length || string(got[:]) != string(sum) {
		return fmt.Errorf("%d bytes with the SHA-256 %x, not %d with %x", len(data), got, length, sum)
	}
	return nil
}

// FullEntries returns filters of tables in one piece, by RocksDB from 9.6.1 on, and the hashes that
// they were made of.
func FullEntries() []TableFilter { return list[TableFilter]("full_entries.json") }

// PartitionedFilters returns filters in partitions that do not depend on the table's index, by
// RocksDB from 9.6.1 on. The first partition is at offset 0.
func PartitionedFilters() []TableFilter { return list[TableFilter]("partitioned.json") }

// TableFilters78 returns the filters of files that RocksDB 7.8.3 wrote.
func TableFilters78() []TableFilter { return list[TableFilter]("sst78.json") }
