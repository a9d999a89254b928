//go:build librocksdb && libleveldb

// A table of RocksDB's.
#include "order.h"

#include <rocksdb/comparator.h>
#include <rocksdb/convenience.h>
#include <rocksdb/options.h>
#include <rocksdb/sst_file_writer.h>

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
	SstFileWriter writer(EnvOptions(), options);
	status = writer.Open(file);
	std::string value(in.value_bytes, 'v');
	auto all = sorted(order, in);
	for (size_t i = 0; i < in.n && status.ok(); i++) {
		Slice key(all[i].data(), all[i].size());
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
