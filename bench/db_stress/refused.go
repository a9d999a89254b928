package main

import "strings"

// meaningless are flags of RocksDB's db_stress, by how they begin, that ask for what Pebble does not have.
var meaningless = []struct{ flag, reason string }{
	{"column", "Pebble has no column families"},
	{"clear_column", "Pebble has no column families"},
	{"cf_", "Pebble has no column families"},
	{"test_batches_snapshots", "not done here"},
	{"nooverwritepercent", "every key may be overwritten here"},
	{"format_version", "Pebble's table format goes by its FormatMajorVersion"},
	{"partition_filters", "Pebble has no partitioned filters"},
	{"index_type", "Pebble has one kind of index"},
	{"memtable", "Pebble has one kind of memtable, without a filter"},
	{"use_merge", "values are not merged here"},
	{"use_txn", "Pebble has no transactions"},
	{"use_block_based_filter", "Pebble has full filters only"},
	{"use_ribbon_filter", "write -filter_uri=ribbonfilter:10"},
	{"ribbon_starting_level", "write -filter_uri=ribbonfilter:10:2"},
	{"optimize_filters_for_memory", "filters are of the exact size"},
	{"optimize_filters_for_hits", "a policy is set for each level"},
	{"clear_wal", "not done here"},
	{"disable_wal", "without its log, a killed store loses what it acknowledged"},
	{"kill_random_test", "write -kill_interval"},
	{"interval", "write -kill_interval"},
	{"destroy_db_initially", "remove the directory, or choose another"},
	{"reopen", "the store is opened again after every kill"},
}

// whyNot says what to do about flags that are refused.
func whyNot(err error) string {
	if _, name, ok := strings.Cut(err.Error(), "flag provided but not defined: -"); ok {
		for _, f := range meaningless {
			if strings.HasPrefix(name, f.flag) {
				return "RocksDB's flag has no meaning here: " + f.reason
			}
		}
	}
	return "-help lists the flags"
}
