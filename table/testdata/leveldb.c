// Has LevelDB write the table leveldb.ldb, which is the only one of its store: the keys from
// "key00000" to "key00999", and 1,000 of 4 bytes that are not ASCII. Debian 12 has LevelDB 1.23:
//
//	apt-get install libleveldb-dev gcc libc6-dev
//	gcc leveldb.c -lleveldb -o /tmp/write && /tmp/write /tmp/store && cp /tmp/store/*.ldb leveldb.ldb
#include <leveldb/c.h>
#include <stdio.h>
#include <stdlib.h>

static void check(char* error) {
	if (error != NULL) {
		fprintf(stderr, "%s\n", error);
		exit(1);
	}
}

int main(int argc, char** argv) {
	if (argc != 2) return 2;
	char* error = NULL;
	leveldb_options_t* options = leveldb_options_create();
	leveldb_options_set_create_if_missing(options, 1);
	leveldb_options_set_error_if_exists(options, 1);
	leveldb_options_set_filter_policy(options, leveldb_filterpolicy_create_bloom(10));
	leveldb_t* db = leveldb_open(options, argv[1], &error);
	check(error);
	leveldb_writeoptions_t* how = leveldb_writeoptions_create();
	for (unsigned i = 0; i < 1000; i++) {
		char text[16];
		leveldb_put(db, how, text, sprintf(text, "key%05u", i), "value", 5, &error);
		check(error);
		unsigned n = 0x80ff0000 + 101 * i;
		char bytes[4] = {n >> 24, n >> 16, n >> 8, n};
		leveldb_put(db, how, bytes, 4, "value", 5, &error);
		check(error);
	}
	leveldb_compact_range(db, NULL, 0, NULL, 0);
	leveldb_close(db);
	return 0;
}
