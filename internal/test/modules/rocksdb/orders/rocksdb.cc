//go:build librocksdb && libleveldb

// A table of RocksDB's.
#include "order.h"
#include "write.h"

#include <algorithm>
#include <rocksdb/comparator.h>
#include <rocksdb/convenience.h>
#include <rocksdb/options.h>
#include <rocksdb/sst_file_writer.h>
#include <vector>

namespace rocksdb {
const Comparator* BytewiseComparatorWithU64Ts(); // which RocksDB 7.8 exports, and its headers lack
}

using namespace rocksdb;

namespace {
Status write(const char* file, Order order, const char* text, keys in) {
	Own<Comparator, Slice> own(order);
	Options options;
	Status status = GetOptionsFromString(options, text, &options);
	if (!status.ok()) {
		return status;
	}
	switch (order) {
	case BYTES:
		options.comparator = BytewiseComparator();
		break;
	case TIMESTAMPS:
		options.comparator = BytewiseComparatorWithU64Ts();
		break;
	default:
		options.comparator = &own;
	}
	std::vector<std::string_view> sorted;
	for (size_t i = 0, begin = 0; i < in.n; begin = in.ends[i++]) {
		sorted.emplace_back(in.bytes + begin, in.ends[i] - begin);
	}
	std::sort(sorted.begin(), sorted.end(), [&](auto a, auto b) { return compare(order, a, b) < 0; });
	SstFileWriter writer(EnvOptions(), options);
	status = writer.Open(file);
	std::string value(in.value_bytes, 'v');
	for (size_t i = 0; i < in.n && status.ok(); i++) {
		Slice key(sorted[i].data(), sorted[i].size());
		if (order != TIMESTAMPS) {
			status = writer.Put(key, value);
			continue;
		}
		// One version, or many, the newest first.
		for (uint64_t version = i % 7 == 0 ? 40 : 1; version > 0 && status.ok(); version--) {
			char timestamp[sizeof version];
			memcpy(timestamp, &version, sizeof version); // little-endian, as amd64 and arm64 are
			status = writer.Put(key, Slice(timestamp, sizeof timestamp), value);
		}
	}
	return status.ok() ? writer.Finish() : status;
}
} // namespace

char* write_rocksdb(const char* file, int order, const char* options, keys in) {
	Status status = write(file, static_cast<Order>(order), options, in);
	return status.ok() ? nullptr : strdup(status.ToString().c_str());
}
