//go:build librocksdb && libleveldb

// A store of LevelDB's.
#include "order.h"
#include "write.h"

#include <leveldb/comparator.h>
#include <leveldb/db.h>
#include <leveldb/filter_policy.h>
#include <leveldb/options.h>
#include <memory>

using namespace leveldb;

namespace {
Status write(const char* directory, Order order, int bits_per_key, size_t block_size, int compress, keys in) {
	Own<Comparator, Slice> own(order);
	std::unique_ptr<const FilterPolicy> policy(NewBloomFilterPolicy(bits_per_key));
	Options options;
	options.create_if_missing = options.error_if_exists = true;
	options.filter_policy = policy.get();
	options.block_size = block_size;
	options.compression = compress ? kSnappyCompression : kNoCompression;
	if (order != BYTES) {
		options.comparator = &own;
	}
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
} // namespace

char* write_leveldb(const char* directory, int order, int bits_per_key, size_t block_size, int compress, keys in) {
	Status status = write(directory, static_cast<Order>(order), bits_per_key, block_size, compress, in);
	return status.ok() ? nullptr : strdup(status.ToString().c_str());
}
