#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// keys are in any order: ends[i] is where key i ends. Each has a value of value_bytes.
typedef struct {
	const char* bytes;
	const size_t* ends;
	size_t n;
	size_t value_bytes;
} keys;

// Both return an error's message, or NULL. The orders are those of Order in write.go.

// write_leveldb writes a store whose tables have filters, and compacts it. build_leveldb writes a table without a store.
char* write_leveldb(const char* directory, int order, int bits_per_key, size_t block_size, int compress, keys in);

char* build_leveldb(const char* file, int order, int bits_per_key, size_t block_size, int compress, keys in);

// write_rocksdb writes a table. The options are those of a column family, in RocksDB's notation.
char* write_rocksdb(const char* file, int order, const char* options, keys in);

#ifdef __cplusplus
}
#endif
