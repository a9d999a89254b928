//go:build librocksdb

package rocksdb_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/modules/rocksdb"
	"github.com/simdbloom/simdbloom/table"
)

// TestVerify: Verify finds nothing wrong in what RocksDB writes, with any options of its data and indexes, and reads
// all of it.
func TestVerify(t *testing.T) {
	const prefixes = "};prefix_extractor={id=rocksdb.FixedPrefix.6"
	for _, options := range []string{
		"", "data_block_index_type=kDataBlockBinaryAndHash", "index_type=kBinarySearchWithFirstKey", "index_block_restart_interval=4",
		"index_type=kBinarySearchWithFirstKey;index_block_restart_interval=4", "index_type=kTwoLevelIndexSearch;metadata_block_size=128",
		"index_type=kHashSearch" + prefixes, partitions, partitions + prefixes, "whole_key_filtering=false;" + partitions + prefixes,
		"data_block_index_type=kDataBlockBinaryAndHash" + prefixes, "block_align=true;block_size=512",
		"}" + ";" + descending, partitions + "};" + descending,
		"};comparator={id=leveldb.BytewiseComparator.u64ts", partitions + "};comparator={id=leveldb.BytewiseComparator.u64ts",
	} {
		for _, version := range []int{2, 3, 4, 5} {
			if version == 2 && strings.Contains(options, "FirstKey;index_block") {
				continue
			}
			for _, filter := range []string{"bloomfilter:10", "ribbonfilter:10", "rocksdb.internal.LegacyBloomFilter:10"} {
				checkVerify(t, "kNoCompression", fmt.Sprintf("format_version=%d;filter_policy=%s;block_size=400;%s", version, filter, options), "value")
			}
		}
	}
}

// TestVerifyCompressed has all of RocksDB's compressions, with and without a dictionary.
func TestVerifyCompressed(t *testing.T) {
	for _, compression := range compressions {
		for _, version := range []int{1, 5} {
			for _, dictionary := range []string{"", "};compression_opts={max_dict_bytes=4096", "};compression_opts={max_dict_bytes=4096;zstd_max_train_bytes=100000"} {
				options := fmt.Sprintf("format_version=%d;filter_policy=bloomfilter:10;block_size=700%s", version, dictionary)
				checkVerify(t, compression, options, strings.Repeat("a value that compresses ", 4))
			}
		}
	}
}

func checkVerify(t *testing.T, compression, options, value string) {
	t.Helper()
	timestamps := strings.Contains(options, ".u64ts")
	var keys [][]byte
	for i := range 1000 {
		keys = append(keys, fmt.Appendf(nil, "key%05d", i))
	}
	if strings.Contains(options, descending) {
		slices.Reverse(keys)
	}
	file := filepath.Join(t.TempDir(), "table.sst")
	all := strings.Replace(columnFamily(options), "kNoCompression", compression, 1) + ";merge_operator={id=StringAppendOperator}"
	if err := rocksdb.WriteEntries(file, all, keys, value, timestamps); err != nil {
		t.Fatalf("%s: %v", options, err)
	}
	data := readFile(t, file)
	if hasOne := bytes.Contains(data, []byte("rocksdb.compression_dict")); hasOne != strings.Contains(options, "dict") {
		t.Errorf("%s, %s: a dictionary: %v", compression, options, hasOne)
	}
	if trained := bytes.Contains(data, []byte("\x37\xa4\x30\xec")); trained != strings.Contains(options, "train") {
		t.Errorf("%s, %s: a trained dictionary: %v", compression, options, trained)
	}
	read := opened(t, data)
	v, err := read.Verify(context.Background(), table.VerifyOptions{})
	if err != nil {
		t.Errorf("%s, %s: %v", compression, options, err)
		return
	}
	want := uint64(len(keys))
	if strings.Contains(options, "whole_key_filtering=false") {
		want = 0
	}
	p := read.Properties
	if len(v.Problems) > 0 || v.NotVerified != "" || v.Entries != uint64(len(keys)) || v.Keys != want || (v.Prefixes > 0) != strings.Contains(options, "prefix") ||
		v.Blocks < 5 || p.NumEntries-p.NumRangeDeletions != v.Entries || (p.NumRangeDeletions == 1) == timestamps {
		t.Errorf("%s, %s: %+v, %+v", compression, options, v, p)
	}
}
