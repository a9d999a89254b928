// Package rocksdb lets RocksDB write tables and compares their filters with those of this
// library, byte for byte. It is a separate module that has only tests: they call librocksdb
// through cgo, which needs its headers, a C++ library and a C compiler.
//
//	apt-get install librocksdb-dev gcc libc6-dev    # Debian 12: RocksDB 7.8.3
//	go test -tags librocksdb ./...
//
// Without the build tag nothing is compiled or tested. This command writes the tables that
// table is tested with again:
//
//	go test -tags librocksdb -run TestTables -update
package rocksdb
