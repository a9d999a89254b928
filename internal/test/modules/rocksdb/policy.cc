//go:build librocksdb

#include "policy.h"

#include <cstring>
#include <exception>
#include <memory>
#include <rocksdb/convenience.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>

using namespace rocksdb;

// Renamed has another name for a policy's filters.
class Renamed : public FilterPolicy {
public:
	Renamed(std::shared_ptr<const FilterPolicy> policy, const char* name) : policy(policy), name(name) {}
	const char* Name() const override { return name.c_str(); }
	const char* CompatibilityName() const override { return name.c_str(); }
	FilterBitsBuilder* GetBuilderWithContext(const FilterBuildingContext& context) const override {
		return policy->GetBuilderWithContext(context);
	}
	FilterBitsReader* GetFilterBitsReader(const Slice& contents) const override { return policy->GetFilterBitsReader(contents); }

private:
	std::shared_ptr<const FilterPolicy> policy;
	std::string name;
};

static Status write_table(const std::string& text, const char* name, const char* table, const char* file, const char* keys,
                          const size_t* ends, size_t n) {
	ConfigOptions strict;
	strict.ignore_unsupported_options = false; // or unknown names are no error
	std::shared_ptr<const FilterPolicy> policy;
	Status status = FilterPolicy::CreateFromString(strict, text, &policy);
	if (!status.ok()) {
		return status;
	}
	if (name != nullptr) {
		policy = std::make_shared<Renamed>(policy, name);
	}
	BlockBasedTableOptions blocks;
	status = GetBlockBasedTableOptionsFromString(strict, BlockBasedTableOptions(), table, &blocks);
	if (!status.ok()) {
		return status;
	}
	blocks.filter_policy = policy;
	Options options;
	options.compression = kNoCompression;
	options.table_factory.reset(NewBlockBasedTableFactory(blocks));
	SstFileWriter writer{EnvOptions(), options};
	status = writer.Open(file);
	size_t begin = 0;
	for (size_t i = 0; i < n && status.ok(); i++) {
		status = writer.Put(Slice(keys + begin, ends[i] - begin), Slice());
		begin = ends[i];
	}
	return status.ok() ? writer.Finish() : status;
}

char* write_by_policy(const char* text, size_t text_size, const char* name, const char* table, const char* file, const char* keys,
                      const size_t* ends, size_t n) {
	try {
		Status status = write_table(std::string(text, text_size), name, table, file, keys, ends, n);
		return status.ok() ? nullptr : strdup(status.ToString().c_str());
	} catch (const std::exception& e) { // numbers that are out of range
		return strdup(e.what());
	}
}
