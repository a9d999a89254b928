// Package rocksdb has RocksDB itself write tables and compares their filters with
// those of this library, byte for byte. It is a module of its own, for its tests
// only: they call librocksdb through cgo, which needs its headers, a C++ library and
// a C compiler.
//
//	apt-get install librocksdb-dev gcc libc6-dev    # Debian 12: RocksDB 7.8.3
//	go test -tags librocksdb ./...
//
// Without the build tag there is nothing here to compile, and nothing is tested. The
// tables that cmd/sstfilter is tested with are written again by
//
//	go test -tags librocksdb -run TestTables -update
package rocksdb
