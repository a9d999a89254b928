// Package orders lets LevelDB and RocksDB write tables whose keys are in orders of various
// comparators, and looks up every key in their filters. It has only tests beside what writes: they call
// libleveldb and librocksdb through cgo.
//
//	apt-get install libleveldb-dev librocksdb-dev g++    # Debian: LevelDB 1.23, RocksDB 7.8.3
//	go test -tags 'librocksdb libleveldb' .
//
// This writes the tables of table/testdata/orders again:
//
//	go test -tags 'librocksdb libleveldb' -run TestTables -update .
package orders
