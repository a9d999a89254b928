//go:build librocksdb

package rocksdb

/*
#include <stdlib.h>
#include <rocksdb/c.h>

// write_all writes an entry of each kind in turn: a value, a deletion and a merge; with timestamps only the first two.
static void write_all(rocksdb_sstfilewriter_t* writer, const char* keys, const size_t* ends, size_t n,
                      const char* timestamp, const char* value, size_t value_size, char** error) {
	size_t begin = 0;
	for (size_t i = 0; i < n && *error == NULL; i++) {
		const char* key = keys + begin;
		size_t size = ends[i] - begin;
		if (timestamp != NULL) {
			if (i % 2 == 0) {
				rocksdb_sstfilewriter_put_with_ts(writer, key, size, timestamp, 8, value, value_size, error);
			} else {
				rocksdb_sstfilewriter_delete_with_ts(writer, key, size, timestamp, 8, error);
			}
		} else if (i % 3 == 0) {
			rocksdb_sstfilewriter_put(writer, key, size, value, value_size, error);
		} else if (i % 3 == 1) {
			rocksdb_sstfilewriter_delete(writer, key, size, error);
		} else {
			rocksdb_sstfilewriter_merge(writer, key, size, value, value_size, error);
		}
		begin = ends[i];
	}
	if (*error == NULL && timestamp == NULL) {
		rocksdb_sstfilewriter_delete_range(writer, "range", 5, "ranger", 6, error);
	}
}
*/
import "C"

import "unsafe"

// WriteEntries is WriteTable with values, deletions, merges and a deletion of a range. With timestamps, which the
// comparator of the options must have, it writes only values and deletions.
func WriteEntries(file, options string, keys [][]byte, value string, timestamps bool) error {
	chosen, err := parse(options)
	if err != nil {
		return err
	}
	defer C.rocksdb_options_destroy(chosen)
	name, text := C.CString(file), C.CString(value)
	defer C.free(unsafe.Pointer(name))
	defer C.free(unsafe.Pointer(text))
	var timestamp *C.char
	if timestamps {
		timestamp = C.CString("\x01234567\x00")
		defer C.free(unsafe.Pointer(timestamp))
	}
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
	C.write_all(writer, (*C.char)(unsafe.Pointer(&flat[0])), &ends[0], C.size_t(len(keys)), timestamp, text, C.size_t(len(value)), &failure)
	if err := taken(failure); err != nil {
		return err
	}
	C.rocksdb_sstfilewriter_finish(writer, &failure)
	return taken(failure)
}
