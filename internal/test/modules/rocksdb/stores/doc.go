// Package stores lets RocksDB write, reopen, damage and repair stores with random options and timestamps, and verifies
// all of their tables. It has only tests beside what writes: they call librocksdb through cgo.
//
//	apt-get install librocksdb-dev g++    # Debian 12: RocksDB 7.8.3
//	go test -tags librocksdb .                    # some hundred tables
//	make test-rocksdb STORES=1000                 # some thousand, in the clone's root
package stores
