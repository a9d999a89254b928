//go:build librocksdb

package rocksdb

/*
#include <stdlib.h>
#include "policy.h"
*/
import "C"

import "unsafe"

// WriteByPolicy lets RocksDB read a filter policy from a text, and write a table by it with the keys, in their order,
// to the file. The table records the policy's filters under the name recorded, or under RocksDB's own if that is empty.
// The options are those of block-based tables. The error is RocksDB's.
func WriteByPolicy(file, text, recorded, options string, keys [][]byte) error {
	flat, ends := flattened(keys)
	name, policy, table := C.CString(file), C.CString(text), C.CString(options)
	defer C.free(unsafe.Pointer(name))
	defer C.free(unsafe.Pointer(policy))
	defer C.free(unsafe.Pointer(table))
	var compatible *C.char
	if recorded != "" {
		compatible = C.CString(recorded)
		defer C.free(unsafe.Pointer(compatible))
	}
	return taken(C.write_by_policy(policy, C.size_t(len(text)), compatible, table, name, (*C.char)(unsafe.Pointer(&flat[0])), &ends[0], C.size_t(len(keys))))
}
