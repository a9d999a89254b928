// import_into imports a table file into a new column family. It returns an error's message, or NULL. RocksDB's own
// C library cannot do this before version 8.
#ifdef __cplusplus
extern "C"
#endif
char* import_into(const char* directory, const char* options, const char* family, const char* table_directory,
                  const char* table);
