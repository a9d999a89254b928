//go:build librocksdb

package rocksdb

/*
#include <stdlib.h>
#include <rocksdb/c.h>
*/
import "C"

import (
	"errors"
	"unsafe"
)

// parse reads options in RocksDB's notation. They must be destroyed.
func parse(options string) (*C.rocksdb_options_t, error) {
	text := C.CString(options)
	defer C.free(unsafe.Pointer(text))
	defaults := C.rocksdb_options_create()
	defer C.rocksdb_options_destroy(defaults)
	chosen := C.rocksdb_options_create()
	var failure *C.char
	C.rocksdb_get_options_from_string(defaults, text, chosen, &failure)
	err := taken(failure)
	if err != nil {
		C.rocksdb_options_destroy(chosen)
	}
	return chosen, err
}

// taken turns RocksDB's message, if there is one, into an error.
func taken(failure *C.char) error {
	if failure == nil {
		return nil
	}
	defer C.free(unsafe.Pointer(failure))
	return errors.New(C.GoString(failure))
}
