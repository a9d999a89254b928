//go:build librocksdb && libleveldb

package orders

/*
#cgo CXXFLAGS: -std=c++17
#cgo LDFLAGS: -lleveldb -lrocksdb
#include <stdlib.h>
#include "write.h"
*/
import "C"

import (
	"errors"
	"os"
	"path/filepath"
	"unsafe"
)

// Order is the order of a store's keys.
type Order int

const (
	Bytes      Order = iota // each database's default
	Reverse                 // descending bytes, by an own comparator
	Numbers                 // keys are floating-point numbers of 8 bytes, by an own comparator
	Timestamps              // bytes, and timestamps behind them: RocksDB's leveldb.BytewiseComparator.u64ts
)

// LevelDB are the options of a store.
type LevelDB struct {
	BitsPerKey, BlockSize int
	Snappy                bool
}

// BuildLevelDB lets LevelDB's TableBuilder write a table to the file without a store, so that its keys have no sequence
// numbers. It returns the table's bytes.
func BuildLevelDB(file string, order Order, o LevelDB, keys [][]byte, valueBytes int) ([]byte, error) {
	in, free := stored(keys, valueBytes)
	defer free()
	name := C.CString(file)
	defer C.free(unsafe.Pointer(name))
	if err := taken(C.build_leveldb(name, C.int(order), C.int(o.BitsPerKey), C.size_t(o.BlockSize), o.compress(), in)); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

func (o LevelDB) compress() C.int {
	if o.Snappy {
		return 1
	}
	return 0
}

// WriteLevelDB lets LevelDB write a store in the directory, which must not exist, and compact it. It returns
// the tables' bytes.
func WriteLevelDB(directory string, order Order, o LevelDB, keys [][]byte, valueBytes int) (tables [][]byte, err error) {
	in, free := stored(keys, valueBytes)
	defer free()
	name := C.CString(directory)
	defer C.free(unsafe.Pointer(name))
	if err := taken(C.write_leveldb(name, C.int(order), C.int(o.BitsPerKey), C.size_t(o.BlockSize), o.compress(), in)); err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(directory, "*.ldb"))
	if err == nil && len(names) == 0 {
		err = errors.New("no tables")
	}
	for _, name := range names {
		data, readErr := os.ReadFile(name)
		tables, err = append(tables, data), errors.Join(err, readErr)
	}
	return tables, err
}

// WriteRocksDB lets RocksDB write a table to the file, and returns its bytes. The options are those of a column
// family, in RocksDB's notation. With Timestamps, some keys have many versions.
func WriteRocksDB(file string, order Order, options string, keys [][]byte, valueBytes int) ([]byte, error) {
	in, free := stored(keys, valueBytes)
	defer free()
	name, text := C.CString(file), C.CString(options)
	defer C.free(unsafe.Pointer(name))
	defer C.free(unsafe.Pointer(text))
	if err := taken(C.write_rocksdb(name, C.int(order), text, in)); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

// stored copies keys to C's memory.
func stored(keys [][]byte, valueBytes int) (in C.keys, free func()) {
	var flat []byte
	ends := (*C.size_t)(C.malloc(C.size_t(len(keys)+1) * C.size_t(unsafe.Sizeof(C.size_t(0)))))
	for i, key := range keys {
		flat = append(flat, key...)
		unsafe.Slice(ends, len(keys))[i] = C.size_t(len(flat))
	}
	bytes := C.CBytes(append(flat, 0))
	return C.keys{(*C.char)(bytes), ends, C.size_t(len(keys)), C.size_t(valueBytes)}, func() {
		C.free(bytes)
		C.free(unsafe.Pointer(ends))
	}
}

// taken turns a message, if there is one, into an error.
func taken(failure *C.char) error {
	if failure == nil {
		return nil
	}
	defer C.free(unsafe.Pointer(failure))
	return errors.New(C.GoString(failure))
}
