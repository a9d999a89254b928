package main

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// fixed are flags of RocksDB's db_bench in published command lines, of which a Pebble store has one value. That is
// accepted, and any other is an error.
var fixed = []struct{ name, value, why string }{
	{"allow_concurrent_memtable_write", "true", "several batches are written to a memtable at once"},
	{"block_restart_interval", "16", "a data block has a whole key at each 16th"},
	{"cache_index_and_filter_blocks", "true", "these blocks are in the block cache"},
	{"checksum_type", "1", "blocks have CRC32c"},
	{"compaction_style", "0", "compaction is leveled"},
	{"enable_pipelined_write", "true", "the log and the memtable are written in a pipeline"},
	{"max_background_flushes", "1", "one flush runs at a time"},
	{"max_bytes_for_level_multiplier", "10", "a level is 10 times the one above"},
	{"memtable_bloom_size_ratio", "0", "memtables have no filter"},
	{"memtablerep", "skip_list", "memtables are skip lists"},
	{"min_write_buffer_number_to_merge", "1", "one full memtable is enough for a flush"},
	{"mmap_read", "false", "files are not mapped"},
	{"mmap_write", "false", "files are not mapped"},
	{"multiread_batched", "true", "multireadrandom looks up -batch_size keys at once"},
	{"num_column_families", "1", "a store is one column family"},
	{"num_levels", "7", "a store has levels 0 to 6"},
	{"num_multi_db", "0", "there is one store"},
	{"open_files", "-1", "all files stay open"},
	{"optimize_filters_for_hits", "false", "the last level has filters, too"},
	{"partition_index_and_filters", "false", "filters are in one piece"},
	{"readonly", "false", "the store is opened for writing"},
	{"use_blob_db", "false", "values are in the tables"},
	{"use_direct_io_for_flush_and_compaction", "false", "files are read through the system's cache"},
	{"use_direct_reads", "false", "files are read through the system's cache"},
	{"use_plain_table", "false", "tables are block-based"},
	{"user_timestamp_size", "0", "keys have no timestamp"},
	{"verify_checksum", "true", "the checksum of each block that is read is verified"},
}

// defineFixed makes the flags, whose notes go into s.
func (s *settings) defineFixed(flags *flag.FlagSet) {
	for _, f := range fixed {
		define := flags.Func
		if f.value == "true" || f.value == "false" {
			define = flags.BoolFunc
		}
		define(f.name, "only `"+f.value+"`: "+f.why, func(text string) error {
			if !sameValue(text, f.value) {
				return fmt.Errorf("must be %s, the only value of Pebble: %s", f.value, f.why)
			}
			s.note("-%s=%s: %s", f.name, text, f.why)
			return nil
		})
	}
}

// note adds a line to the header.
func (s *settings) note(format string, args ...any) {
	if line := fmt.Sprintf(format, args...); !slices.Contains(s.notes, line) {
		s.notes = append(s.notes, line)
	}
}

// sameValue reports whether two texts are the same number, truth value or word.
func sameValue(a, b string) bool {
	if x, err := strconv.ParseFloat(a, 64); err == nil {
		if y, err := strconv.ParseFloat(b, 64); err == nil {
			return x == y
		}
	}
	if x, err := strconv.ParseBool(a); err == nil {
		y, err := strconv.ParseBool(b)
		return err == nil && x == y
	}
	return strings.EqualFold(a, b)
}
