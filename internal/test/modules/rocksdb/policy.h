// write_by_policy writes a table of full filters by a policy that RocksDB reads from a text. The tables record its filters under the
// name, or under the policy's own if that is NULL. It returns an error's message, or NULL. RocksDB's own C library has no such function.
#include <stddef.h>

#ifdef __cplusplus
extern "C"
#endif
char* write_by_policy(const char* text, size_t text_size, const char* name, const char* table, const char* file, const char* keys,
                      const size_t* ends, size_t n);
