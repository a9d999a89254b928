//go:build librocksdb && libleveldb

// A store of LevelDB's.
#include "order.h"

#include <leveldb/comparator.h>
#include <leveldb/db.h>
#include <leveldb/env.h>
#include <leveldb/filter_policy.h>
#include <leveldb/options.h>
#include <leveldb/table_builder.h>
#include <memory>

using namespace leveldb;

namespace {
// Chosen are the options of a store, with what they point to.
struct Chosen {
	Chosen(Order order, int bits_per_key, size_t block_size, int compress)
	    : own(order), policy(NewBloomFilterPolicy(bits_per_key)) {
		options.create_if_missing = options.error_if_exists = true;
		options.filter_policy = policy.get();
		options.block_size = block_size;
		options.compression = compress ? kSnappyCompression : kNoCompression;
		if (order != BYTES) {
			options.comparator = &own;
		}
	}
	Own<Comparator, Slice> own;
	std::unique_ptr<const FilterPolicy> policy;
	Options options;
};

Status write(const char* directory, const Options& options, keys in) {
	DB* opened;
	Status status = DB::Open(options, directory, &opened);
	std::unique_ptr<DB> db(status.ok() ? opened : nullptr);
	std::string value(in.value_bytes, 'v');
	for (size_t i = 0, begin = 0; i < in.n && status.ok(); begin = in.ends[i++]) {
		status = db->Put(WriteOptions(), Slice(in.bytes + begin, in.ends[i] - begin), value);
	}
	if (status.ok()) {
		db->CompactRange(nullptr, nullptr);
	}
	return status;
}

Status build(const char* name, Order order, const Options& options, keys in) {
	WritableFile* opened;
	Status status = Env::Default()->NewWritableFile(name, &opened);
	if (!status.ok()) {
		return status;
	}
	std::unique_ptr<WritableFile> file(opened);
	TableBuilder builder(options, file.get());
	std::string value(in.value_bytes, 'v');
	for (auto key : sorted(order, in)) {
		builder.Add(Slice(key.data(), key.size()), value);
	}
	status = builder.Finish();
	return status.ok() ? file->Close() : status;
}

char* message(const Status& status) { return status.ok() ? nullptr : strdup(status.ToString().c_str()); }
} // namespace

char* write_leveldb(const char* directory, int order, int bits_per_key, size_t block_size, int compress, keys in) {
	Chosen chosen(static_cast<Order>(order), bits_per_key, block_size, compress);
	return message(write(directory, chosen.options, in));
}

char* build_leveldb(const char* file, int order, int bits_per_key, size_t block_size, int compress, keys in) {
	Chosen chosen(static_cast<Order>(order), bits_per_key, block_size, compress);
	return message(build(file, static_cast<Order>(order), chosen.options, in));
}
