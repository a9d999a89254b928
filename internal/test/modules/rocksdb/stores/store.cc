//go:build librocksdb

#include "store.h"

#include <cstring>
#include <memory>
#include <rocksdb/comparator.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <string>

using namespace rocksdb;

namespace {
// Own is a comparator of bytes with timestamps, the newest first. It shortens no keys.
class Own : public Comparator {
  public:
	explicit Own(comparator by)
	    : Comparator(by.timestamp_bytes), descending_(by.descending),
	      name_(std::string(by.descending ? "test.Descending." : "test.Ascending.") + std::to_string(by.timestamp_bytes)) {}
	const char* Name() const override { return name_.c_str(); }
	int Compare(const Slice& a, const Slice& b) const override {
		int order = CompareWithoutTimestamp(a, true, b, true);
		return order != 0 ? order : -CompareTimestamp(last(a), last(b));
	}
	using Comparator::CompareWithoutTimestamp;
	int CompareWithoutTimestamp(const Slice& a, bool a_has, const Slice& b, bool b_has) const override {
		int order = first(a, a_has).compare(first(b, b_has));
		return descending_ ? -order : order;
	}
	int CompareTimestamp(const Slice& a, const Slice& b) const override { return a.compare(b); }
	void FindShortestSeparator(std::string*, const Slice&) const override {}
	void FindShortSuccessor(std::string*) const override {}

  private:
	Slice first(const Slice& key, bool has) const { return {key.data(), key.size() - (has ? timestamp_size() : 0)}; }
	Slice last(const Slice& key) const { return {key.data() + key.size() - timestamp_size(), timestamp_size()}; }
	bool descending_;
	std::string name_;
};

// Chosen are options, with what they point to.
struct Chosen {
	Chosen(const char* text, comparator by) : own(by) {
		status = GetOptionsFromString(Options(), text, &options);
		options.create_if_missing = true;
		options.disable_auto_compactions = true;
		if (by.timestamp_bytes > 0) {
			options.comparator = &own;
		} else if (by.descending) {
			options.comparator = ReverseBytewiseComparator();
		}
	}
	Own own;
	Options options;
	Status status;
};

Status write(const char* directory, Chosen& chosen, comparator by, keys in, size_t flushes, bool compact) {
	if (!chosen.status.ok()) {
		return chosen.status;
	}
	DB* opened;
	Status status = DB::Open(chosen.options, directory, &opened);
	if (!status.ok()) {
		return status;
	}
	std::unique_ptr<DB> db(opened);
	std::string value(in.value_bytes, 'v');
	WriteOptions unlogged;
	unlogged.disableWAL = true;
	for (size_t i = 0, begin = 0; i < in.n && status.ok(); begin = in.ends[i++]) {
		Slice key(in.bytes + begin, in.ends[i] - begin);
		if (by.timestamp_bytes == 0) {
			status = db->Put(unlogged, key, value);
		}
		for (size_t version = 1; by.timestamp_bytes > 0 && version <= in.versions && status.ok(); version++) {
			std::string timestamp(by.timestamp_bytes, '\0');
			timestamp.back() = static_cast<char>(version);
			status = i % 17 == 3 && version == 1 ? db->Delete(unlogged, key, timestamp) : db->Put(unlogged, key, timestamp, value);
		}
		if (status.ok() && (i + 1) % (in.n / flushes + 1) == 0) {
			status = db->Flush(FlushOptions());
		}
	}
	if (status.ok()) {
		status = db->Flush(FlushOptions());
	}
	if (status.ok() && compact) {
		CompactRangeOptions all;
		all.bottommost_level_compaction = BottommostLevelCompaction::kForce;
		status = db->CompactRange(all, nullptr, nullptr);
	}
	return status.ok() ? db->Close() : status;
}

char* message(const Status& status) { return status.ok() ? nullptr : strdup(status.ToString().c_str()); }
} // namespace

char* write_store(const char* directory, const char* options, comparator by, keys in, size_t flushes, int compact) {
	Chosen chosen(options, by);
	return message(write(directory, chosen, by, in, flushes, compact != 0));
}

char* repair_store(const char* directory, const char* options, comparator by) {
	Chosen chosen(options, by);
	return message(chosen.status.ok() ? RepairDB(directory, chosen.options) : chosen.status);
}
