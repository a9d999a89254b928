//go:build librocksdb

#include "import.h"

#include <cstring>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/metadata.h>

using namespace rocksdb;

static Status import_table(const char* directory, const char* text, const char* family, const char* table_directory,
                           const char* table) {
	Options options;
	Status status = GetOptionsFromString(options, text, &options);
	if (!status.ok()) {
		return status;
	}
	options.create_if_missing = true;
	DB* db;
	status = DB::Open(options, directory, &db);
	if (!status.ok()) {
		return status;
	}
	LiveFileMetaData file;
	file.name = table;
	file.db_path = table_directory;
	ExportImportFilesMetaData metadata;
	metadata.db_comparator_name = options.comparator->Name();
	metadata.files.push_back(file);
	ColumnFamilyHandle* handle = nullptr;
	status = db->CreateColumnFamilyWithImport(options, family, ImportColumnFamilyOptions(), metadata, &handle);
	if (handle != nullptr) {
		db->DestroyColumnFamilyHandle(handle);
	}
	delete db;
	return status;
}

char* import_into(const char* directory, const char* options, const char* family, const char* table_directory,
                  const char* table) {
	Status status = import_table(directory, options, family, table_directory, table);
	return status.ok() ? nullptr : strdup(status.ToString().c_str());
}
