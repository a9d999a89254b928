package table

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/internal/test/levelblock"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// compressions that no block has here: XPRESS, those of RocksDB's users, and those of LevelDB's forks.
var unknownCompressions = []compression{6, 9, 0x42, 0x80, 0x81, 0xff}

// TestVerifyUnknownCompression: a sound table is not called damaged, whichever of its blocks are compressed by what is
// unknown, and one that is damaged is.
func TestVerifyUnknownCompression(t *testing.T) {
	tables := blockTables()
	for _, name := range []string{"LevelDB", "RocksDB 2", "RocksDB 4", "RocksDB 0", "two levels", "first keys"} {
		for _, c := range unknownCompressions {
			for _, index := range []bool{false, true} {
				b := *tables[name]
				b.data, b.dataBy = nil, c
				var unread uint64 = (blockTableKeys + keysInABlock - 1) / keysInABlock
				if index {
					if b.dataBy, b.compress = uncompressed, func(block []byte) ([]byte, compression) { return block, c }; b.format.Database == databaseLevelDB {
						continue // which would have the metaindex so, too: an error of Open
					}
				}
				data, _ := b.write()
				what := fmt.Sprintf("%s, %v, of the index %v", name, c, index)
				read := opened(t, data)
				v := verified(t, read)
				if index && !b.twoLevel {
					unread = 1
				}
				if len(v.Problems) > 0 || v.Unread != unread && !b.twoLevel || v.Unread == 0 || v.Keys != 0 || !strings.Contains(v.NotVerified, "compress") {
					t.Errorf("%s: %+v", what, v)
				}
				key, absent := keysOf(5)
				for _, k := range [][]byte{key, absent} {
					a, err := answersFor(read, [][]byte{k})
					if index && (err != nil || !a[0].MayContain || !strings.Contains(a[0].Why, "compress")) {
						t.Errorf("%s: %s: %+v, %v", what, k, a, err)
					} else if !index && (err != nil || bytes.Equal(k, key) && !a[0].MayContain) {
						t.Errorf("%s: %s: %+v, %v", what, k, a, err)
					}
				}
				data[30] ^= 1 // in a data block
				data[read.filter.offset] ^= 1
				most := uint64(2)
				if index {
					most = 1 // the filter: where the data is, is unknown
				}
				if v := verified(t, opened(t, data)); v.Damaged != most {
					t.Errorf("%s: %+v", what, v)
				}
			}
		}
	}
}

// TestVerifyUnknownDictionary: blocks are not damaged because their dictionary cannot be read.
func TestVerifyUnknownDictionary(t *testing.T) {
	i := &image{format: rocksDB5}
	compress := withZstd(compressedByZstd, true)
	block, c := compress(rowBlock(internal([]byte("key"), 7), []byte("value")))
	block[len(block)/2] ^= 0x55 // as with the wrong dictionary
	h := i.add(block, c)
	i.index = i.add(rowBlock(internal([]byte("key"), 7), encoded(h)), uncompressed)
	dictionary := i.add([]byte("dictionary"), 0x81)
	properties := i.add(rowBlock(comparator, []byte(bytewise), []byte("rocksdb.num.entries"), number(1)), uncompressed)
	data := i.finish(rowBlock([]byte(dictionaryName), encoded(dictionary), property, encoded(properties)))
	if v := verified(t, opened(t, data)); len(v.Problems) > 0 || v.Unread != 2 || !strings.Contains(v.NotVerified, "dictionary") {
		t.Errorf("%+v", v)
	}
	data[dictionary.offset] ^= 1
	if v := verified(t, opened(t, data)); v.Damaged != 1 || v.Unread != 1 {
		t.Errorf("%+v", v)
	}
}

// TestUnknownFilters: a filter under a name that nobody here knows is one, and other blocks are none.
func TestUnknownFilters(t *testing.T) {
	for name, filter := range map[string]bool{
		"fixedsizefilter.DocKeyV3Filter": true, "fixedsizefilter.rocksdb.FixedSizeBloomFilter": true, "rangefilter.SuRF": true,
		"filter": true, "Filter.x": true, "my.FILTER": true, "rocksdb.bloom": true, "prefix_bloom.x": true, "tablefilter.rocksdb.BuiltinBloomFilter": true,
		"rocksdb.range_del": false, "rocksdb.hashindex.prefixes": false, "rocksdb.user_defined_index.filter": false, "pebble.value_index": false,
	} {
		i := &image{format: rocksDB5, data: make([]byte, 50)}
		read := opened(t, i.finish(rowBlock([]byte(name), []byte{1, 1})))
		want, wantName, why := layoutNone, "", "the table has no filter"
		if filter {
			want, wantName, why = layoutUnknown, name, fmt.Sprintf("a filter of unknown kind, %q", name)
		}
		a, err := answersFor(read, [][]byte{[]byte("key")})
		if err != nil || !a[0].MayContain || a[0].Why != why || read.Layout != want || read.FilterName != wantName {
			t.Errorf("%s: %+v, %v %q, %v", name, a, read.Layout, read.FilterName, err)
		}
		if _, err := read.Reader(filterblock.ReadOptions{}); !cannotRead(err) {
			t.Errorf("%s: %v", name, err)
		}
		// One that is known wins, before and behind it.
		i = &image{format: rocksDB5, data: make([]byte, 50)}
		full := []byte(fullFilter + "rocksdb.BuiltinBloomFilter")
		for _, pairs := range [][][]byte{{[]byte(name), []byte{1, 1}, full, []byte{1, 2}}, {full, []byte{1, 2}, []byte(name), []byte{0}}} {
			i = &image{format: rocksDB5, data: make([]byte, 50)}
			if read := opened(t, i.finish(rowBlock(pairs...))); read.Layout != layoutFull {
				t.Errorf("%s: %v", name, read.Layout)
			}
		}
	}
}

// longKeyTable is a table with the given number of keys, each in a data block and a filter partition of its own. Keys
// of the indexes share prefixes in intervals of rows.
func longKeyTable(keys [][]byte, interval int, compress func([]byte) ([]byte, compression)) []byte {
	p, _ := policy.Parse("rocksdb.BloomFilter:10")
	i := &image{format: rocksDB5}
	shared := func(n int) int {
		if n%interval == 0 {
			return 0
		}
		same := 0
		for same < min(len(keys[n-1]), len(keys[n])) && keys[n-1][same] == keys[n][same] {
			same++
		}
		return same
	}
	rowsOf := func(block func(n int) []byte) []byte {
		var rows []byte
		for n, key := range keys {
			s := shared(n)
			rows = append(rows, row(s, key[s:], encoded(i.add(block(n), uncompressed)))...)
		}
		return restarts(rows, 1)
	}
	index := rowsOf(func(n int) []byte { return rowBlock(internal(keys[n], 7), nil) })
	filters := rowsOf(func(n int) []byte {
		b := p.NewBuilder()
		b.Add(keys[n])
		partition, _ := b.Finish()
		return partition
	})
	h := i.add(filters, uncompressed)
	i.index = i.add(compress(index))
	properties := i.add(rowBlock(comparator, []byte(bytewise), userKeyIndex, number(1), []byte("rocksdb.num.entries"), number(uint64(len(keys)))), uncompressed)
	return i.finish(rowBlock([]byte(partitionedFilter+"rocksdb.BuiltinBloomFilter"), encoded(h), property, encoded(properties)))
}

// TestLongKeys: keys of an index may be much longer than the index.
func TestLongKeys(t *testing.T) {
	plain := func(block []byte) ([]byte, compression) { return block, uncompressed }
	for _, c := range []struct {
		keys, length, interval int
		compress               func([]byte) ([]byte, compression)
	}{
		{1500, 2400, 256, plain},
		{1500, 2400, 1 << 20, plain}, // interval of all rows
		{300, 65_000, 64, plain},
		{400, 65_000, 1, withZstd(compressedByZstd, true)},
		{400, 65_000, 16, withZstd(compressedByZstd, true)},
	} {
		key := func(i int) []byte { return fmt.Appendf(bytes.Repeat([]byte("x"), c.length), "%08d", i) }
		var keys [][]byte
		for i := range c.keys {
			keys = append(keys, key(3*i))
		}
		data := longKeyTable(keys, c.interval, c.compress)
		read := opened(t, data)
		v, err := read.Verify(context.Background(), VerifyOptions{})
		if err != nil || len(v.Problems) > 0 || v.Keys != uint64(c.keys) || v.NotVerified != "" {
			t.Errorf("%+v: %+v, %v", c, v, err)
		}
		r, err := read.Reader(filterblock.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		excluded := 0
		for i := 0; i < c.keys; i += 23 {
			may, err := read.MayContain(keys[i])
			if !may || err != nil || !r.MayContain(keys[i]) {
				t.Fatalf("%+v: key %d is lost, %v", c, i, err)
			}
			if first, end := read.FindFilters(keys[i]); first != i || end != i+1 {
				t.Fatalf("%+v: key %d is in %d to %d", c, i, first, end)
			}
			if f, err := read.ReadFilter(i); err != nil || !bytes.Equal(f.Last, keys[i]) {
				t.Fatalf("%+v: filter %d: %.20q, %v", c, i, f.Last, err)
			}
			if may, _ := read.MayContain(key(3*i + 1)); !may {
				excluded++
			}
		}
		if excluded < c.keys/23*9/10 {
			t.Errorf("%+v: %d absent keys are excluded", c, excluded)
		}
	}
}

// timestampTable has keys in two versions, with timestamps of the given length, by a comparator that is unknown.
func timestampTable(keys, length int, more ...[]byte) []byte {
	p, _ := policy.Parse("rocksdb.BloomFilter:12")
	i := &image{format: rocksDB5}
	var index, filters [][]byte
	const perBlock = 10
	for begin := 0; begin < keys; begin += perBlock {
		b := p.NewBuilder()
		var block [][]byte
		var last []byte
		for n := begin; n < min(begin+perBlock, keys); n++ {
			key, _ := keysOf(n)
			b.Add(key)
			for version := byte(2); version > 0; version-- {
				last = append(bytes.Clone(key), bytes.Repeat([]byte{version}, length)...)
				block = append(block, internal(last, 7), nil)
			}
		}
		partition, _ := b.Finish()
		index = append(index, last, encoded(i.add(rowBlock(block...), uncompressed)))
		filters = append(filters, last, encoded(i.add(partition, uncompressed)))
	}
	h := i.add(rowBlock(filters...), uncompressed)
	i.index = i.add(rowBlock(index...), uncompressed)
	properties := append([][]byte{
		hasKeys, []byte("1"), comparator, []byte("somebody's"),
		userKeyIndex, number(1), []byte("rocksdb.num.entries"), number(uint64(2 * keys)),
	}, more...)
	return i.finish(rowBlock([]byte(partitionedFilter+"rocksdb.BuiltinBloomFilter"), encoded(h), property, encoded(i.add(rowBlock(properties...), uncompressed))))
}

// TestTimestampsOfOwnComparators: their length is recorded, or given, or the answers say that it is unknown.
func TestTimestampsOfOwnComparators(t *testing.T) {
	const keys = 300
	recorded := func(least, most int) [][]byte {
		return [][]byte{[]byte("rocksdb.timestamp_min"), make([]byte, least), []byte("rocksdb.timestamp_max"), bytes.Repeat([]byte{9}, most)}
	}
	own := NewOrder("somebody's", func(a, b []byte) int { return bytes.Compare(a, b) })
	for _, length := range []int{1, 8, 12, 16, 20, 64} {
		for what, c := range map[string]struct {
			properties [][]byte
			given      *int
			verified   bool // or NotVerified
			ordered    bool // or all partitions are looked up
		}{
			"recorded":           {recorded(length, length), nil, true, true},
			"recorded and given": {recorded(length, length), new(int), true, true},
			"given":              {nil, &length, true, true},
			"recorded as empty":  {recorded(0, 0), nil, false, false},
			"empty, and given":   {recorded(0, 0), &length, true, true},
			"contradictory":      {recorded(length, length+1), nil, false, false},
			"nothing":            {nil, nil, false, true},
		} {
			data := timestampTable(keys, length, c.properties...)
			for _, order := range []*Order{nil, &Bytewise, &own} {
				var options []Option
				if order != nil {
					options = append(options, WithOrder(*order))
				}
				if c.given != nil {
					options = append(options, WithTimestampBytes(*c.given))
				}
				read := opened(t, data, options...)
				v := verified(t, read)
				if len(v.Problems) > 0 || (v.Keys == keys && v.NotVerified == "") != c.verified || !c.verified && !strings.Contains(v.NotVerified, "timestamps") {
					t.Errorf("%s, %d bytes, %v: %+v, %+v", what, length, order, v, firstMissing(v))
				}
				if first, end := read.FindFilters([]byte("key00100")); order != nil && end-first > 1 == c.ordered {
					t.Errorf("%s, %d bytes, %v: filters %d to %d", what, length, order, first, end)
				}
				lost, excluded := 0, 0
				for i := range keys {
					key, absent := keysOf(i)
					a, err := answersFor(read, [][]byte{key, absent})
					if err != nil {
						t.Fatal(err)
					}
					if !a[0].MayContain && (order != &own || c.verified || what != "nothing") && a[0].Why == "" || !a[0].MayContain && c.verified {
						lost++
					}
					if !a[1].MayContain {
						excluded++
					}
				}
				if lost > 0 || excluded < keys/2 && c.verified && order != nil {
					t.Errorf("%s, %d bytes, %v: %d lost, %d excluded", what, length, order, lost, excluded)
				}
			}
		}
	}
	if p := panicOf(func() { WithTimestampBytes(-1) }); !strings.Contains(p, "at least 0, not -1") {
		t.Error(p)
	}
}

// TestTimestampsOfBlockFilters: likewise, in the filter of a data block, which is the only one.
func TestTimestampsOfBlockFilters(t *testing.T) {
	filters := levelblock.New(10, 11, keyhash.LevelDB32)
	filters.StartBlock(0)
	var keys [][]byte
	for n := range 30 {
		key, _ := keysOf(n)
		filters.Add(key)
		keys = append(keys, internal(append(key, "time"...), 7))
	}
	v := verified(t, opened(t, oneBlock(Format{databaseRocksDB, 2, crc32c}, keys[29], keys, blockBasedFilter+"rocksdb.BuiltinBloomFilter", filters.Finish(),
		hasKeys, []byte("1"), comparator, []byte("somebody's"))))
	if len(v.Problems) > 0 || !strings.Contains(v.NotVerified, "timestamps") {
		t.Errorf("%+v", v)
	}
}

// TestBlocksWithoutFilters: a filter block may end before the data does.
func TestBlocksWithoutFilters(t *testing.T) {
	key := internal([]byte("key"), 1)
	read := opened(t, oneBlock(levelDB, key, [][]byte{key}, blockBasedFilter+levelDBName, []byte{0, 0, 0, 0, 11}))
	a, err := answersFor(read, [][]byte{[]byte("key")})
	if err != nil || !a[0].MayContain || a[0].Why != "its data block has no filter" {
		t.Errorf("%+v, %v", a, err)
	}
	if v := verified(t, read); v.Keys != 1 || v.Missing != 0 || v.Damaged != 0 {
		t.Errorf("%+v", v)
	}
}

func panicOf(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return ""
}

// TestMissingKeysOfOwnComparators: keys that a filter lacks are missing, though the comparator may have timestamps.
func TestMissingKeysOfOwnComparators(t *testing.T) {
	data := timestampTable(300, 0) // without timestamps
	read := opened(t, data)
	if v := verified(t, read); len(v.Problems) > 0 || v.Keys != 300 || v.NotVerified != "" {
		t.Errorf("%+v", v)
	}
	h := read.filters.rows[0].handle
	clear(data[h.offset : h.offset+h.size-5])
	if v := verified(t, opened(t, rechecked(read, data, h))); v.Missing != 10 || v.NotVerified != "" {
		t.Errorf("%+v", v)
	}
}

// TestFiltersWithoutBody: RocksDB's filter of no keys may be a trailer only. Other short bytes are corrupt.
func TestFiltersWithoutBody(t *testing.T) {
	for data, sound := range map[string]bool{
		"\xff\x00\x01\x00\x00": true, "\xff\x00\x06\x00\x00": true, "\x06\x00\x00\x00\x00": true,
		"\xff\x00\x01\x00": false, "\xff\x01\x01\x00\x00": false, "\x06\x01\x00\x00\x00": false, "\x00\xff\x00\x01\x00\x00": false,
	} {
		f, err := openerOf(layoutPartitioned, "rocksdb.BuiltinBloomFilter")([]byte(data))
		if sound && (err != nil || f.contains([]byte("key"))) || !sound && err == nil && !f.contains([]byte("key")) {
			t.Errorf("%x: %v", data, err)
		}
	}
}
