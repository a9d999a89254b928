//go:build librocksdb

package rocksdb

/*
#include <stdlib.h>
#include <rocksdb/c.h>
*/
import "C"

import (
	"fmt"
	"os"
	"path/filepath"
	"unsafe"
)

// Table is a table of a database.
type Table struct {
	Level int
	Data  []byte // the file's
}

// FlushAndCompact lets RocksDB put keys, each of at least a byte, into a new database in the
// directory, with the options of WriteTable, flush them to a table, and compact that one. It leaves
// the database in the directory.
func FlushAndCompact(directory, options string, keys [][]byte) (flushed, compacted Table, err error) {
	chosen, err := parse(options)
	if err != nil {
		return flushed, compacted, err
	}
	defer C.rocksdb_options_destroy(chosen)
	C.rocksdb_options_set_create_if_missing(chosen, 1)
	C.rocksdb_options_set_disable_auto_compactions(chosen, 1)
	name := C.CString(directory)
	defer C.free(unsafe.Pointer(name))
	var failure *C.char
	db := C.rocksdb_open(chosen, name, &failure)
	if err := taken(failure); err != nil {
		return flushed, compacted, err
	}
	defer C.rocksdb_close(db)

	write := C.rocksdb_writeoptions_create()
	defer C.rocksdb_writeoptions_destroy(write)
	for _, key := range keys {
		C.rocksdb_put(db, write, (*C.char)(unsafe.Pointer(&key[0])), C.size_t(len(key)), nil, 0, &failure)
		if err := taken(failure); err != nil {
			return flushed, compacted, err
		}
	}
	flush := C.rocksdb_flushoptions_create()
	defer C.rocksdb_flushoptions_destroy(flush)
	C.rocksdb_flush(db, flush, &failure)
	if err := taken(failure); err != nil {
		return flushed, compacted, err
	}
	if flushed, err = onlyTable(db, directory); err != nil {
		return flushed, compacted, err
	}
	const force = 2 // or a table is moved to another level as it is
	compact := C.rocksdb_compactoptions_create()
	defer C.rocksdb_compactoptions_destroy(compact)
	C.rocksdb_compactoptions_set_bottommost_level_compaction(compact, force)
	C.rocksdb_compact_range_opt(db, compact, nil, 0, nil, 0)
	compacted, err = onlyTable(db, directory)
	return flushed, compacted, err
}

// onlyTable returns the table of a database that has one.
func onlyTable(db *C.rocksdb_t, directory string) (Table, error) {
	files := C.rocksdb_livefiles(db)
	defer C.rocksdb_livefiles_destroy(files)
	if n := C.rocksdb_livefiles_count(files); n != 1 {
		return Table{}, fmt.Errorf("%d tables", n)
	}
	data, err := os.ReadFile(filepath.Join(directory, C.GoString(C.rocksdb_livefiles_name(files, 0))))
	return Table{int(C.rocksdb_livefiles_level(files, 0)), data}, err
}
