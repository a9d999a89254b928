//go:build librocksdb

package rocksdb

/*
#cgo CXXFLAGS: -std=c++17
#include <stdlib.h>
#include "import.h"
*/
import "C"

import (
	"path/filepath"
	"unsafe"
)

// Import lets RocksDB import a table file as a new column family of a database in the directory, with
// the options of WriteTable. The database is created if it does not exist. Unlike Ingest it takes
// tables without a version of external tables in their properties.
func Import(directory, options, family, file string) error {
	var arguments [5]*C.char
	for i, text := range []string{directory, options, family, filepath.Dir(file), "/" + filepath.Base(file)} {
		arguments[i] = C.CString(text)
		defer C.free(unsafe.Pointer(arguments[i]))
	}
	return taken(C.import_into(arguments[0], arguments[1], arguments[2], arguments[3], arguments[4]))
}
