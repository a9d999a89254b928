package table

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/internal/test/levelblock"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// filterOf is a filter of RocksDB's of the keys.
func filterOf(t *testing.T, keys ...string) []byte {
	t.Helper()
	p, err := policy.Parse("rocksdb.BloomFilter:20")
	if err != nil {
		t.Fatal(err)
	}
	b := p.NewBuilder()
	for _, key := range keys {
		b.AddString(key)
	}
	return finished(t, b)
}

const builtin = "rocksdb.BuiltinBloomFilter"

// TestVerifyUnknownFilters: filters that nothing is looked up in are read. What is unread and what is unknown are both
// reported.
func TestVerifyUnknownFilters(t *testing.T) {
	partition := internal([]byte("key"), 1)
	for _, layout := range []string{fullFilter, partitionedFilter, blockBasedFilter} {
		i := &image{format: rocksDB5}
		i.index = i.add(rowBlock(partition, encoded(i.add([]byte("data"), 0x81))), uncompressed)
		filter := i.add(make([]byte, 70), uncompressed)
		h := filter
		if layout == partitionedFilter {
			h = i.add(rowBlock(partition, encoded(h)), uncompressed)
		}
		data := i.finish(rowBlock([]byte(layout+"another's"), encoded(h)))
		v := verified(t, opened(t, data))
		if want := `1 block with right checksums cannot be read: the data block 1 of 1: unsupported: compressed by compression 0x81; a filter of unknown kind, "another's"`; v.NotVerified != want || v.Damaged != 0 {
			t.Errorf("%s: %+v", layout, v)
		}
		data[filter.offset] ^= 1
		if v := verified(t, opened(t, data)); v.Damaged != 1 || v.Problems[0].Offset != filter.offset {
			t.Errorf("%s: %+v", layout, v)
		}
	}
	key := internal([]byte("key"), 1)
	v := verified(t, opened(t, oneBlock(levelDB, key, [][]byte{key}, blockBasedFilter+"simdbloom.Linear.XX64", append(bytes.Repeat([]byte{3}, 70), 0, 0, 0, 0, 70, 0, 0, 0, 11))))
	if v.Damaged != 1 || v.Problems[0].Name != kindFilterBlock || v.Missing != 0 {
		t.Errorf("no filter of its name: %+v", v)
	}
}

// TestVerifyUnreadData: the reason is the block's alone if its filter is known.
func TestVerifyUnreadData(t *testing.T) {
	i := &image{format: rocksDB5}
	i.index = i.add(rowBlock(internal([]byte("key"), 1), encoded(i.add([]byte("data"), 0x81))), uncompressed)
	filter := i.add(filterOf(t, "key"), uncompressed)
	data := i.finish(rowBlock([]byte(fullFilter+builtin), encoded(filter)))
	v := verified(t, opened(t, data))
	if want := "1 block with right checksums cannot be read: the data block 1 of 1: unsupported: compressed by compression 0x81"; v.NotVerified != want {
		t.Errorf("%+v", v)
	}
	data[filter.offset] ^= 1 // it is read, too
	if v := verified(t, opened(t, data)); v.Damaged != 1 || v.Unread != 1 {
		t.Errorf("%+v", v)
	}
}

// TestVerifyEmptyKey: a key may have no bytes. Where the filter has nothing at all, none is looked up.
func TestVerifyEmptyKey(t *testing.T) {
	key := internal(nil, 1)
	v := verified(t, opened(t, oneBlock(rocksDB5, key, [][]byte{key}, fullFilter+builtin, filterOf(t, ""))))
	if v.Keys != 1 || v.Missing != 0 || v.Damaged != 0 {
		t.Errorf("%+v", v)
	}
	v = verified(t, opened(t, oneBlock(rocksDB5, key, [][]byte{key}, fullFilter+builtin, filterOf(t), hasKeys, []byte("0"), hasPrefixes, []byte("0"))))
	if v.Keys != 0 || v.Missing != 0 || v.NotVerified != "the filter was made of neither keys nor prefixes" {
		t.Errorf("%+v", v)
	}
}

// TestVerifyWithoutPartitions: the keys of a table whose filter has no partitions are missing.
func TestVerifyWithoutPartitions(t *testing.T) {
	key := internal([]byte("key"), 1)
	if v := verified(t, opened(t, oneBlock(rocksDB5, key, [][]byte{key}, partitionedFilter+builtin, nil))); v.Missing != 1 || v.Damaged != 0 {
		t.Errorf("%+v", v)
	}
}

// TestVerifyDescendingPrefixes: in descending order all keys with a prefix are before it.
func TestVerifyDescendingPrefixes(t *testing.T) {
	table := borderTable{[][]string{{"b2", "b1"}, {"a2", "a1"}}, [][]string{{"b2", "b1", "b"}, {"a2", "a1", "a"}}, true}
	read := opened(t, table.write(t), WithOrder(AnyOrder))
	read.filters.Order, read.Properties.Prefixes, read.Properties.PrefixExtractor = ReverseBytewise, true, "fixed:1"
	if v := verified(t, read); v.Prefixes != 2 || v.Missing != 0 {
		t.Errorf("%+v", v)
	}
}

// TestVerifyTimestampsByKeys: keys by an unknown comparator seem to have timestamps if the filter lacks most of them as
// they are, and has three or more without as many bytes.
func TestVerifyTimestampsByKeys(t *testing.T) {
	const timestamps = `keys seem to have timestamps of 1 bytes by the comparator "somebody's", which the table does not record (give their length)`
	all := []string{"a", "b", "c", "d"}
	with := func(more ...string) []string { return slices.Concat(all, more) }
	for _, c := range []struct {
		keys, filter []string
		missing      uint64
		notVerified  string
	}{
		{[]string{"a1", "b1", "c1"}, all, 0, timestamps},
		{[]string{"a1", "a2", "b1", "b2"}, all, 4, ""}, // only two keys
		{[]string{"a1", "b1", "c1"}, with("a1", "b1", "c1"), 0, ""},
		{[]string{"a", "a1", "b", "b1", "c", "c1", "d", "e"}, with("e"), 3, ""},                   // most are found
		{[]string{"a", "a1", "b", "b1", "c", "c1"}, all, 0, timestamps},                           // half of them
		{[]string{"a1", "b1", "c1", "x"}, all, 4, ""},                                             // and one of no filter
		{[]string{"a1", "b1", "c1", ""}, all, 4, ""},                                              // too short
		{append(slices.Repeat([]string{"a1", "b1", "c1"}, 8), "x"), all, 0, timestamps},           // of the first 24 keys
		{append(slices.Repeat([]string{"a1", "b1", "c1"}, 7), "c2", "d1", "x", "y"), all, 25, ""}, // likewise
	} {
		var keys [][]byte
		for n, key := range c.keys {
			keys = append(keys, internal([]byte(key), uint64(n)))
		}
		read := opened(t, oneBlock(rocksDB5, keys[0], keys, fullFilter+builtin, filterOf(t, c.filter...), hasKeys, []byte("1"), comparator, []byte("somebody's")))
		if v := verified(t, read); v.Missing != c.missing || v.Damaged != 0 || v.NotVerified != c.notVerified {
			t.Errorf("%q in a filter of %q: %+v", c.keys, c.filter, v)
		}
	}
	i := &image{format: rocksDB5}
	bad := i.add([]byte{1}, uncompressed) // too short for rows
	i.index = i.add(rowBlock(internal([]byte("key"), 1), encoded(bad)), uncompressed)
	h, properties := i.add(filterOf(t, "key"), uncompressed), i.add(rowBlock(hasKeys, []byte("1"), comparator, []byte("somebody's")), uncompressed)
	if v := verified(t, opened(t, i.finish(rowBlock([]byte(fullFilter+builtin), encoded(h), property, encoded(properties))))); v.Damaged != 1 || v.Missing != 0 {
		t.Errorf("%+v", v)
	}
}

// TestVerifyTimestampsByBlocks: a key of the second data block is looked up in its own filter.
func TestVerifyTimestampsByBlocks(t *testing.T) {
	i := &image{format: Format{databaseRocksDB, 2, crc32c}}
	filters := levelblock.New(10, 11, keyhash.LevelDB32Signed)
	var index [][]byte
	for n, block := range []struct{ keys, more []string }{{[]string{"a"}, []string{"b", "c", "d"}}, {[]string{"b1", "c1", "d1"}, nil}} {
		filters.StartBlock(uint64(len(i.data)))
		var rows [][]byte
		for _, key := range block.keys {
			filters.Add([]byte(key))
			rows = append(rows, internal([]byte(key), 1), make([]byte, 4096))
		}
		for _, key := range block.more {
			filters.Add([]byte(key))
		}
		index = append(index, internal([]byte{byte('a' + 3*n)}, 1), encoded(i.add(rowBlock(rows...), uncompressed)))
	}
	i.index = i.add(rowBlock(index...), uncompressed)
	h, properties := i.add(filters.Finish(), uncompressed), i.add(rowBlock(hasKeys, []byte("1"), comparator, []byte("somebody's")), uncompressed)
	if v := verified(t, opened(t, i.finish(rowBlock([]byte(blockBasedFilter+builtin), encoded(h), property, encoded(properties))))); v.Keys != 4 || v.Missing != 0 || v.NotVerified != "" {
		t.Errorf("%+v", v)
	}
}

// TestFiltersEnd: they end where the caller does, and after an error.
func TestFiltersEnd(t *testing.T) {
	data := testTable(t, "partitioned.sst")
	read := opened(t, data)
	for _, err := range read.Filters() {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	data[read.filters.rows[1].handle.offset] ^= 1
	var got []string
	for filter, err := range read.Filters() {
		got = append(got, fmt.Sprint(len(filter.Data) > 0, err == nil))
	}
	if !slices.Equal(got, []string{"true true", "false false"}) {
		t.Error(got)
	}
}

// TestReaderWithoutPrefixes: every key may begin so, if the filter has no prefixes, or those of another extractor than
// the caller's.
func TestReaderWithoutPrefixes(t *testing.T) {
	for _, name := range []string{"fastlocal-xxh3.sst", "keys-and-prefixes.sst"} {
		read := opened(t, testTable(t, name))
		if !read.Properties.Prefixes {
			read.Properties.PrefixExtractor = "" // RocksDB records "nullptr"
		}
		for _, extractor := range []*filterblock.Extractor{nil, filterblock.NewExtractor("another", func(key []byte) ([]byte, bool) { return key[:4], true })} {
			r, err := read.Reader(filterblock.ReadOptions{Prefix: extractor})
			if want := extractor != nil || !read.Properties.Prefixes; err != nil || r.MayContainSeek([]byte("absent!!")) != want || !r.MayContainSeek([]byte("key00005")) {
				t.Errorf("%s, %v: not %v, %v", name, extractor, want, err)
			}
		}
	}
	read := opened(t, testTable(t, "keys-and-prefixes.sst"))
	read.Properties.PrefixExtractor = "unknown"
	if r, err := read.Reader(filterblock.ReadOptions{}); err != nil || !r.MayContain([]byte("key00005")) || r.MayContain([]byte("absent")) || !r.MayContainPrefix([]byte("absent")) {
		t.Error(err)
	}
}
