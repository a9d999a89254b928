// Package golden is shared by tests that read files of earlier versions: the promise in CONTRIBUTING.md,
// "Versions".
//
// A folder in testdata/golden has what one version wrote, and three lists of what it must answer for ever. names.txt
// has the names that package policy parses:
//
//	text         that policy.Parse is given
//	name         that Policy.Name returns, and stores record
//	format       that the policy builds
//	hash         the key hash
//	bits         per key
//
// filters.txt has filter files, raw bytes, filter blocks and sets, which this package's tests open. tables.txt has
// tables of Pebble and goleveldb, which module table and the database itself open, and a file of parquet-go with
// filters that adapters/parquet added. (Tables of RocksDB, Speedb and LevelDB are in table/testdata: no code of this
// library wrote them.) A file may be in several lines, each of which opens it in another way:
//
//	file         in the folder; a set's is a folder
//	opened as    file, text, raw, blocks, mutable, concurrent, block, partitions, set, sliced or bitsandblooms, and
//	             after commas what the reader must know: whole for whole keys, an extractor's name,
//	             prefixes if these are looked up, the module's k. Of a table, who wrote it
//	name         that was recorded
//	format       of the opened filter
//	hash         the key hash
//	keys         that were added: those of numbers 0 to keys-1
//	hits         how many of the absent keys 1000 to 1999 may be in the filter
//	answers      which these are: the first 16 digits of the SHA-256 digest of their numbers, each with a newline
//	bytes        the same of the file, or of its files one behind the other
//
// A new version writes a folder of its own, and changes none that is there:
//
//	make golden VERSION=v0.2.0
package golden
