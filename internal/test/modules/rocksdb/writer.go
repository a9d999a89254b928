//go:build librocksdb

package rocksdb

/*
#cgo LDFLAGS: -lrocksdb
#include <stdlib.h>
#include <rocksdb/c.h>

// put_all puts keys without values: one call of cgo for all of them. ends[i] is where
// key i ends.
static void put_all(rocksdb_sstfilewriter_t* writer, const char* keys, const size_t* ends,
                    size_t n, char** error) {
	size_t begin = 0;
	for (size_t i = 0; i < n && *error == NULL; i++) {
		rocksdb_sstfilewriter_put(writer, keys + begin, ends[i] - begin, "", 0, error);
		begin = ends[i];
	}
}
*/
import "C"

import "unsafe"

// WriteTable lets RocksDB's SstFileWriter write a table with the keys, in their order and
// without values, to the file. The options are those of a column family, in RocksDB's own
// notation, such as
//
//	compression=kNoCompression;block_based_table_factory={filter_policy=bloomfilter:10;format_version=5}
//
// The error is RocksDB's. It refuses keys that do not ascend.
func WriteTable(file, options string, keys [][]byte) error {
	chosen, err := parse(options)
	if err != nil {
		return err
	}
	defer C.rocksdb_options_destroy(chosen)
	name := C.CString(file)
	defer C.free(unsafe.Pointer(name))

	environment := C.rocksdb_envoptions_create()
	defer C.rocksdb_envoptions_destroy(environment)
	writer := C.rocksdb_sstfilewriter_create(environment, chosen)
	defer C.rocksdb_sstfilewriter_destroy(writer)
	var failure *C.char
	C.rocksdb_sstfilewriter_open(writer, name, &failure)
	if err := taken(failure); err != nil {
		return err
	}
	flat, ends := flattened(keys)
	C.put_all(writer, (*C.char)(unsafe.Pointer(&flat[0])), &ends[0], C.size_t(len(keys)), &failure)
	if err := taken(failure); err != nil {
		return err
	}
	C.rocksdb_sstfilewriter_finish(writer, &failure)
	return taken(failure)
}
