//go:build librocksdb

package rocksdb

/*
#include <stdlib.h>
#include <rocksdb/c.h>

typedef struct {
	unsigned char found;
	unsigned char hits;
	unsigned char misses;
} answer;

// look_up_all gets keys, or seeks them: one call of cgo for all of them. ends[i] is where key i ends.
static void look_up_all(rocksdb_t* db, rocksdb_column_family_handle_t* family, unsigned char seek, const char* keys,
                        const size_t* ends, size_t n, answer* answers, char** error) {
	rocksdb_readoptions_t* options = rocksdb_readoptions_create();
	rocksdb_iterator_t* iterator = rocksdb_create_iterator_cf(db, options, family);
	rocksdb_set_perf_level(rocksdb_enable_count);
	rocksdb_perfcontext_t* context = rocksdb_perfcontext_create();
	size_t begin = 0;
	for (size_t i = 0; i < n && *error == NULL; i++) {
		const char* key = keys + begin;
		size_t size = ends[i] - begin;
		rocksdb_perfcontext_reset(context);
		if (seek) {
			rocksdb_iter_seek(iterator, key, size);
			answers[i].found = rocksdb_iter_valid(iterator);
			rocksdb_iter_get_error(iterator, error);
		} else {
			char* value = rocksdb_get_cf(db, options, family, key, size, &size, error);
			answers[i].found = value != NULL;
			rocksdb_free(value);
		}
		answers[i].hits = rocksdb_perfcontext_metric(context, rocksdb_bloom_sst_hit_count);
		answers[i].misses = rocksdb_perfcontext_metric(context, rocksdb_bloom_sst_miss_count);
		begin = ends[i];
	}
	rocksdb_perfcontext_destroy(context);
	rocksdb_iter_destroy(iterator);
	rocksdb_readoptions_destroy(options);
}
*/
import "C"

import "unsafe"

// Answer is the answer of a Get or a Seek about a key.
type Answer struct {
	Found        bool
	Hits, Misses int // lookups in filters that may contain the key, and in those that do not
}

// DefaultFamily is the column family of every database.
const DefaultFamily = "default"

// Ingest lets RocksDB ingest a table file into a database in the directory, with the options of
// WriteTable. The database is created if it does not exist.
func Ingest(directory, options, file string) error {
	return with(directory, options, DefaultFamily, func(db *C.rocksdb_t, _ *C.rocksdb_column_family_handle_t) error {
		ingest := C.rocksdb_ingestexternalfileoptions_create()
		defer C.rocksdb_ingestexternalfileoptions_destroy(ingest)
		table := C.CString(file)
		defer C.free(unsafe.Pointer(table))
		var failure *C.char
		C.rocksdb_ingest_external_file(db, &table, 1, ingest, &failure)
		return taken(failure)
	})
}

// Get lets RocksDB look up keys in a column family of the database in the directory.
func Get(directory, options, family string, keys [][]byte) ([]Answer, error) {
	return lookUp(directory, options, family, keys, 0)
}

// Seek lets an iterator seek each key, in the default column family. RocksDB looks up the key's prefix in
// filters.
func Seek(directory, options string, keys [][]byte) ([]Answer, error) {
	return lookUp(directory, options, DefaultFamily, keys, 1)
}

func lookUp(directory, options, family string, keys [][]byte, seek C.uchar) ([]Answer, error) {
	answers := make([]Answer, len(keys))
	err := with(directory, options, family, func(db *C.rocksdb_t, handle *C.rocksdb_column_family_handle_t) error {
		flat, ends := flattened(keys)
		got := make([]C.answer, len(keys)+1)
		var failure *C.char
		C.look_up_all(db, handle, seek, (*C.char)(unsafe.Pointer(&flat[0])), &ends[0], C.size_t(len(keys)), &got[0], &failure)
		for i := range answers {
			answers[i] = Answer{got[i].found != 0, int(got[i].hits), int(got[i].misses)}
		}
		return taken(failure)
	})
	return answers, err
}

// with opens a database, which is created if it does not exist, and a column family that exists.
func with(directory, options, family string, do func(*C.rocksdb_t, *C.rocksdb_column_family_handle_t) error) error {
	chosen, err := parse(options)
	if err != nil {
		return err
	}
	defer C.rocksdb_options_destroy(chosen)
	C.rocksdb_options_set_create_if_missing(chosen, 1)
	name := C.CString(directory)
	defer C.free(unsafe.Pointer(name))
	families := [2]*C.char{C.CString(DefaultFamily), C.CString(family)}
	defer C.free(unsafe.Pointer(families[0]))
	defer C.free(unsafe.Pointer(families[1]))
	n := 2
	if family == DefaultFamily {
		n = 1
	}
	var failure *C.char
	var handles [2]*C.rocksdb_column_family_handle_t
	db := C.rocksdb_open_column_families(chosen, name, C.int(n), &families[0], &[]*C.rocksdb_options_t{chosen, chosen}[0], &handles[0], &failure)
	if err := taken(failure); err != nil {
		return err
	}
	defer C.rocksdb_close(db)
	for _, handle := range handles[:n] {
		defer C.rocksdb_column_family_handle_destroy(handle)
	}
	return do(db, handles[n-1])
}

// flattened puts keys behind each other, for C. ends[i] is where key i ends. Both have a first
// element.
func flattened(keys [][]byte) (flat []byte, ends []C.size_t) {
	ends = make([]C.size_t, len(keys)+1)
	for i, key := range keys {
		flat = append(flat, key...)
		ends[i] = C.size_t(len(flat))
	}
	return append(flat, 0), ends
}
