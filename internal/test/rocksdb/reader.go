//go:build librocksdb

package rocksdb

/*
#include <stdlib.h>
#include <rocksdb/c.h>
*/
import "C"

import "unsafe"

// Found lets RocksDB ingest a table file into a new database in the directory, with the
// options of WriteTable, and look up keys, each of at least a byte. It leaves the database
// in the directory.
func Found(directory, file, options string, keys [][]byte) ([]bool, error) {
	chosen, err := parse(options)
	if err != nil {
		return nil, err
	}
	defer C.rocksdb_options_destroy(chosen)
	C.rocksdb_options_set_create_if_missing(chosen, 1)

	name := C.CString(directory)
	defer C.free(unsafe.Pointer(name))
	var failure *C.char
	db := C.rocksdb_open(chosen, name, &failure)
	if err := taken(failure); err != nil {
		return nil, err
	}
	defer C.rocksdb_close(db)

	ingest := C.rocksdb_ingestexternalfileoptions_create()
	defer C.rocksdb_ingestexternalfileoptions_destroy(ingest)
	table := C.CString(file)
	defer C.free(unsafe.Pointer(table))
	C.rocksdb_ingest_external_file(db, &table, 1, ingest, &failure)
	if err := taken(failure); err != nil {
		return nil, err
	}

	read := C.rocksdb_readoptions_create()
	defer C.rocksdb_readoptions_destroy(read)
	found := make([]bool, len(keys))
	for i, key := range keys {
		var size C.size_t
		value := C.rocksdb_get(db, read, (*C.char)(unsafe.Pointer(&key[0])), C.size_t(len(key)), &size, &failure)
		if err := taken(failure); err != nil {
			return nil, err
		}
		found[i] = value != nil
		C.rocksdb_free(unsafe.Pointer(value))
	}
	return found, nil
}
