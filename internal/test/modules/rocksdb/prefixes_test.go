//go:build librocksdb

package rocksdb_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/internal/test/modules/rocksdb"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/table"
)

// blockOptions are options of RocksDB's tables that say what their filters have.
type blockOptions struct {
	version    int
	policy     string
	partitions int // their size; 0 for one filter in one piece
	restarts   int // index_block_restart_interval
	extractor  string
	wholeKeys  bool
	descending bool
}

// text is in RocksDB's notation.
func (o blockOptions) text() string {
	text := fmt.Sprintf("format_version=%d;filter_policy=%s;whole_key_filtering=%v;index_block_restart_interval=%d", o.version, o.policy, o.wholeKeys, o.restarts)
	if o.partitions > 0 {
		text += fmt.Sprintf(";partition_filters=true;index_type=kTwoLevelIndexSearch;block_size=512;metadata_block_size=%d", o.partitions)
	}
	if o.extractor != "" {
		text += "};prefix_extractor={id=" + o.extractor
	}
	if o.descending {
		text += "};comparator={id=rocksdb.ReverseBytewiseComparator"
	}
	return text
}

// ours is the policy that builds the same filters.
func (o blockOptions) ours(t *testing.T) *policy.Policy {
	if o.version < 5 && o.policy == "bloomfilter:10" {
		return parsed(t, "rocksdb.internal.LegacyBloomFilter:10")
	}
	return parsed(t, o.policy)
}

// everyBlock has all of them together.
func everyBlock() (all []blockOptions) {
	for version := 3; version <= 5; version++ {
		for _, name := range []string{"bloomfilter:10", "ribbonfilter:10"} {
			for _, extractor := range []string{"", "rocksdb.FixedPrefix.4", "rocksdb.CappedPrefix.6", "rocksdb.Noop"} {
				for _, partitions := range []int{0, 256, 1 << 10} {
					for flags := range 4 {
						restarts := 1 + 15*(version%2)
						all = append(all, blockOptions{version, name, partitions, restarts, extractor, flags&1 != 0, flags&2 != 0})
					}
				}
			}
		}
	}
	return all
}

// TestFilterBlocks lets RocksDB write tables with whole keys and prefixes, in one piece and in partitions. Package
// filterblock writes the same bytes of filters of keys, and module table finds every key and prefix.
func TestFilterBlocks(t *testing.T) {
	kinds := map[string][][]byte{"binary": sortedKeys("binary", 7, 2000), "grouped": nil}
	for i := range 2000 {
		kinds["grouped"] = append(kinds["grouped"], fmt.Appendf(nil, "u%03d", i/11), fmt.Appendf(nil, "u%03d:%04d", i/11, i))
	}
	slices.SortFunc(kinds["grouped"], bytes.Compare)
	kinds["grouped"] = slices.CompactFunc(kinds["grouped"], bytes.Equal)
	partitions := 0
	for kind, keys := range kinds {
		for _, o := range everyBlock() {
			t.Run(fmt.Sprintf("%s/%+v", kind, o), func(t *testing.T) {
				partitions = max(partitions, checkFilterBlock(t, o, keys))
			})
		}
	}
	if partitions < 10 {
		t.Errorf("at most %d partitions", partitions)
	}
}

// checkFilterBlock returns the number of filters.
func checkFilterBlock(t *testing.T, o blockOptions, keys [][]byte) int {
	if o.descending {
		keys = slices.Clone(keys)
		slices.Reverse(keys)
	}
	file := filepath.Join(t.TempDir(), "table.sst")
	if err := rocksdb.WriteTable(file, columnFamily(o.text()), keys); err != nil {
		t.Fatal(err)
	}
	recorded := &recorder{Reader: bytes.NewReader(readFile(t, file))}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	read, err := table.Open(recorded, recorded.Size())
	if err != nil {
		t.Fatal(err)
	}
	extractor, err := filterblock.ParseExtractor(o.extractor)
	if err != nil {
		t.Fatal(err)
	}
	if !o.wholeKeys && extractor == nil {
		if read.Layout != "none" {
			t.Errorf("a filter of nothing: layout %v", read.Layout)
		}
		return 0
	}
	if extractor == nil { // with prefixes, RocksDB up to 9.4 adds other entries
		checkBytes(t, o, read, recorded, keys)
	}
	checkQueries(t, o, read, extractor, keys)
	return read.NumFilters()
}

// recorder is a file that remembers where blocks are.
type recorder struct {
	*bytes.Reader
	blocks []table.Block
}

func (r *recorder) ReadBlock(data []byte, block table.Block) (int, error) {
	r.blocks = append(r.blocks, block)
	return r.ReadAt(data, int64(block.Offset))
}

// stored returns the bytes of the last block of a name that was read.
func (r *recorder) stored(t *testing.T, name string) []byte {
	t.Helper()
	for _, block := range slices.Backward(r.blocks) {
		if block.Name == name {
			data := make([]byte, block.Size)
			if _, err := r.ReadAt(data, int64(block.Offset)); err != nil {
				t.Fatal(err)
			}
			return data
		}
	}
	t.Fatalf("no %s", name)
	return nil
}

// checkBytes writes the filter again. RocksDB ends partitions where the index of its data does: the
// file's index of partitions says where that is.
func checkBytes(t *testing.T, o blockOptions, read *table.Table, file *recorder, keys [][]byte) {
	var ends [][]byte
	for stored, err := range read.Filters() {
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, stored.Last)
	}
	options := filterblock.Options{
		WholeKeys: true,
		Index:     filterblock.IndexFormat{FullHandles: o.version < 4, RestartInterval: o.restarts},
	}
	compare := bytes.Compare
	if o.descending {
		compare = func(a, b []byte) int { return bytes.Compare(b, a) }
		options.Compare = compare
	}
	partition := 0
	if o.partitions > 0 {
		options.PartitionBytes, options.CutByCaller = o.partitions, true
		options.Store = func(data []byte) (filterblock.Handle, error) {
			if partition == read.NumFilters() {
				return filterblock.Handle{}, fmt.Errorf("a partition more than %d", partition)
			}
			stored, err := read.ReadFilter(partition)
			if !bytes.Equal(stored.Data, data) {
				t.Errorf("partition %d of %d: %d bytes, which are not RocksDB's %d", partition, read.NumFilters(), len(data), len(stored.Data))
			}
			partition++
			block := file.blocks[len(file.blocks)-1]
			return filterblock.Handle{Offset: block.Offset, Size: block.Size}, err
		}
	}
	w, err := filterblock.NewWriter(o.ours(t), options)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		if o.partitions > 0 && compare(key, ends[0]) > 0 {
			w.Cut(ends[0])
			ends = ends[1:]
		}
		w.Add(key)
	}
	name := "filter"
	if o.partitions > 0 {
		w.Cut(ends[0])
		name = "filter's index"
	}
	block, err := w.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if want := file.stored(t, name); !bytes.Equal(block, want) {
		t.Errorf("%d bytes of the %s, which are not RocksDB's %d", len(block), name, len(want))
	}
	if o.partitions > 0 && partition != read.NumFilters() {
		t.Errorf("%d partitions, want %d", partition, read.NumFilters())
	}
}

// checkQueries looks up every key and prefix that is there, and others.
func checkQueries(t *testing.T, o blockOptions, read *table.Table, extractor *filterblock.Extractor, keys [][]byte) {
	reader, err := read.Reader(filterblock.ReadOptions{OnError: func(h filterblock.Handle, err error) { t.Error(h, err) }})
	if err != nil {
		t.Fatal(err)
	}
	var queries []table.Query
	for i, key := range keys {
		queries = append(queries, table.Query{Key: key}, table.Query{Key: key, Prefix: true})
		if prefix, ok := extractor.Prefix(key); ok {
			queries = append(queries, table.Query{Key: prefix, Prefix: true})
			if !reader.MayContainPrefix(prefix) || !reader.MayContainSeek(key) {
				t.Fatalf("key %d, %.40q: the prefix %q is lost", i, key, prefix)
			}
		}
		if !reader.MayContain(key) {
			t.Fatalf("key %d, %.40q, is lost", i, key)
		}
	}
	present := len(queries)
	for i := range 500 {
		key := fmt.Appendf(nil, "w%03d absent %d", i, i)
		queries = append(queries, table.Query{Key: key}, table.Query{Key: key, Prefix: true})
	}
	answers, err := read.Answers(queries)
	if err != nil {
		t.Fatal(err)
	}
	found := [2]int{}
	for i, a := range answers {
		if i < present && !a.MayContain {
			t.Fatalf("%.40q is lost (a prefix: %v)", queries[i].Key, queries[i].Prefix)
		}
		if i >= present && a.MayContain {
			found[i%2]++
		}
		if i >= present && !queries[i].Prefix && a.MayContain != mayContain(t, o, read, extractor, queries[i].Key) {
			t.Errorf("%q: %v, which is not what the filter alone says", queries[i].Key, a.MayContain)
		}
	}
	key, prefix := present%2, 1-present%2
	if found[key] > 25 {
		t.Errorf("%d of 500 absent keys are found", found[key])
	}
	if answered := extractor != nil && extractor.Name() != "rocksdb.Noop"; answered != (found[prefix] < 25) {
		t.Errorf("%d of 500 absent prefixes are found", found[prefix])
	}
}

// mayContain looks up a key in the one filter that may have it.
func mayContain(t *testing.T, o blockOptions, read *table.Table, extractor *filterblock.Extractor, key []byte) bool {
	t.Helper()
	first, end := read.FindFilters(key)
	if end-first != 1 {
		t.Fatalf("%q is in the filters from %d to %d", key, first, end)
	}
	stored, err := read.ReadFilter(first)
	if err != nil {
		t.Fatal(err)
	}
	entry, ok := key, true
	if !o.wholeKeys {
		entry, ok = extractor.Prefix(key)
	}
	return !ok || o.ours(t).MayContain(stored.Data, entry)
}
