//go:build librocksdb

package stores

/*
#cgo CXXFLAGS: -std=c++17
#cgo LDFLAGS: -lrocksdb
#include <stdlib.h>
#include "store.h"
*/
import "C"

import (
	"errors"
	"unsafe"
)

// Comparator is the order of user keys, and the length of the timestamps behind them: by a comparator of our own,
// unless that is 0.
type Comparator struct {
	Descending     bool
	TimestampBytes int
}

func (c Comparator) c() C.comparator {
	by := C.comparator{timestamp_bytes: C.size_t(c.TimestampBytes)}
	if c.Descending {
		by.descending = 1
	}
	return by
}

// Content describes the keys of a store.
type Content struct {
	Keys                 [][]byte
	Versions, ValueBytes int
	Flushes              int // at least 1
	Compact              bool
}

// Write lets RocksDB put keys into the store in a directory, with options in RocksDB's notation.
func Write(directory, options string, by Comparator, content Content) error {
	name, text := C.CString(directory), C.CString(options)
	defer C.free(unsafe.Pointer(name))
	defer C.free(unsafe.Pointer(text))
	n := len(content.Keys)
	ends := (*C.size_t)(C.malloc(C.size_t(n+1) * C.size_t(unsafe.Sizeof(C.size_t(0)))))
	defer C.free(unsafe.Pointer(ends))
	var flat []byte
	for i, key := range content.Keys {
		flat = append(flat, key...)
		unsafe.Slice(ends, n)[i] = C.size_t(len(flat))
	}
	bytes := C.CBytes(append(flat, 0))
	defer C.free(bytes)
	compact := C.int(0)
	if content.Compact {
		compact = 1
	}
	in := C.keys{(*C.char)(bytes), ends, C.size_t(n), C.size_t(content.Versions), C.size_t(content.ValueBytes)}
	return taken(C.write_store(name, text, by.c(), in, C.size_t(content.Flushes), compact))
}

// Repair lets RocksDB repair the store in a directory.
func Repair(directory, options string, by Comparator) error {
	name, text := C.CString(directory), C.CString(options)
	defer C.free(unsafe.Pointer(name))
	defer C.free(unsafe.Pointer(text))
	return taken(C.repair_store(name, text, by.c()))
}

// taken turns a message, if there is one, into an error.
func taken(failure *C.char) error {
	if failure == nil {
		return nil
	}
	defer C.free(unsafe.Pointer(failure))
	return errors.New(C.GoString(failure))
}
