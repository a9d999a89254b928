// Package filterblock builds and reads a table's filter block as RocksDB has it: a filter of whole
// keys, of prefixes, or of both, in one piece or in partitions with an index over them.
package filterblock
