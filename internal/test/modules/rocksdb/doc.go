// Package rocksdb lets RocksDB write tables and compares their filters with the filters of this
// library, byte for byte. It also compares RocksDB's answers with the library's, key by key, in
// its own tables and in those that Pebble writes. It is a separate module that has only tests:
// they call librocksdb through cgo, which needs its headers and a C++ compiler.
//
//	apt-get install librocksdb-dev g++    # Debian 12: RocksDB 7.8.3
//	go test -tags librocksdb ./...
//
// Without the build tag nothing is compiled or tested. This command writes the tables that
// table is tested with again:
//
//	go test -tags librocksdb -run TestTables -update
package rocksdb
