#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// comparator is an order of user keys, with timestamps of timestamp_bytes behind them, by a comparator of the caller's unless that is 0.
typedef struct {
	int descending;
	size_t timestamp_bytes;
} comparator;

// keys are in any order: ends[i] is where key i ends. Each has some versions, and a value of value_bytes.
typedef struct {
	const char* bytes;
	const size_t* ends;
	size_t n;
	size_t versions;
	size_t value_bytes;
} keys;

// Both return an error's message, or NULL. The options are RocksDB's, in its notation.

// write_store puts keys into a store, which is created if it does not exist. It flushes flushes times, and compacts at the end if compact is not 0.
char* write_store(const char* directory, const char* options, comparator by, keys in, size_t flushes, int compact);

char* repair_store(const char* directory, const char* options, comparator by);

#ifdef __cplusplus
}
#endif
