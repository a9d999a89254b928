package table

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
)

var changedTables = flag.Int("changed", 2000, "how many changed tables to verify")

// TestVerifySound: filters of all writers have all keys and prefixes of their tables.
func TestVerifySound(t *testing.T) {
	for _, pattern := range []string{"*.sst", "*.ldb", "compressed/*.sst", "pebble/*.sst"} {
		names, err := filepath.Glob(filepath.Join("testdata", pattern))
		if err != nil || len(names) == 0 {
			t.Fatal(names, err)
		}
		for _, name := range names {
			name, _ = filepath.Rel("testdata", name)
			read := opened(t, testTable(t, filepath.ToSlash(name)))
			var ends []uint64
			v, err := read.Verify(context.Background(), VerifyOptions{Progress: func(done, total uint64) {
				ends = append(ends, done, total)
			}})
			if read.Format.Database == databasePebble && strings.HasSuffix(name, "-unchecked.sst") { // whose data has checksums
				continue
			}
			if err != nil || len(v.Problems) > 0 || v.Entries < 10 || v.Entries < read.Properties.NumEntries-read.Properties.NumRangeDeletions {
				t.Errorf("%s: %+v, %v", name, v, err)
				continue
			}
			entries := read.entries()
			_, why := read.opener()
			if keys := v.Keys == v.Entries; keys != (entries.wholeKeys && why == "") || (v.Prefixes > 0) != (entries.prefixes != nil) {
				t.Errorf("%s: %+v", name, v)
			}
			if v.NotVerified != why || len(ends) != 2*int(v.Blocks) || ends[1] != read.blocks.size {
				t.Errorf("%s: %+v, %d", name, v, ends)
			}
		}
	}
}

// TestVerifyColumns: keys in Pebble's columns are looked up, and a schema that is not known is an error.
func TestVerifyColumns(t *testing.T) {
	for _, name := range []string{"pebble/5-fastlocal-xxph3.sst", "pebble/6-paired32-xxph3.sst", "pebble/7-builtin.sst"} {
		data := testTable(t, name)
		read := opened(t, data)
		h := read.filter
		clear(data[h.offset : h.offset+h.size-5])
		if v := verified(t, opened(t, rechecked(read, data, h))); v.Missing != v.Keys || v.Damaged != 0 || !strings.Contains(firstMissing(v).Name, " of ") {
			t.Errorf("%s: %+v", name, v)
		}
		read = opened(t, testTable(t, name))
		read.Properties.Comparator = "somebody's"
		v, err := read.Verify(context.Background(), VerifyOptions{Split: func(key []byte) int { return len(key) / 2 }})
		if none := verified(t, read); err != nil || v.Missing != 0 || v.Keys == 0 || v.NotVerified != "" || v.Keys != none.Keys || none.NotVerified != "" {
			t.Errorf("%s, by a comparer with versions: %+v, %+v, %v", name, v, none, err)
		}
		read.Properties.keySchema = "crdb1"
		if v, err := read.Verify(context.Background(), VerifyOptions{}); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "crdb1") {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}

// TestChangedColumns: no bytes of blocks in columns are a panic.
func TestChangedColumns(t *testing.T) {
	read := opened(t, testTable(t, "pebble/7-linear.sst"))
	index, err := read.blocks.readPlain(*read.indexBlock, blockName{kind: kindIndex})
	if err != nil {
		t.Fatal(err)
	}
	var h handle
	if err := columnarHandles(index, func(next handle) error { h = next; return nil }); err != nil {
		t.Fatal(err)
	}
	stored, compressed, err := read.blocks.read(h, blockName{kind: kindData})
	if err != nil {
		t.Fatal(err)
	}
	block, err := read.Format.decompressData(stored, compressed, nil)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 2))
	for range *changedTables {
		for _, c := range []struct {
			block []byte
			head  int // the bytes with its structure
			read  func(block []byte) error
		}{
			{index, len(index), func(block []byte) error { return columnarHandles(block, func(handle) error { return nil }) }},
			{block, 60, func(block []byte) error { return columnarKeys(block, func([]byte) error { return nil }) }},
		} {
			changed := bytes.Clone(c.block)
			for range 1 + random.IntN(3) {
				changed[random.IntN(min(c.head, len(changed)))] = byte(random.Uint32() >> random.IntN(8))
			}
			if err := c.read(changed[:len(changed)-random.IntN(3)]); err != nil && !errors.Is(err, simdbloom.ErrCorrupt) && !errors.Is(err, ErrUnsupported) {
				t.Errorf("%x: %v", changed, err)
			}
		}
	}
	for n := range block {
		if err := columnarKeys(block[:n], func([]byte) error { return nil }); err != nil && !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// TestVerifyOfOrders has tables in other orders, with timestamps, and without sequence numbers.
func TestVerifyOfOrders(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("testdata", "orders", "*.*"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		if ext := filepath.Ext(name); ext != ".sst" && ext != ".ldb" {
			continue
		}
		data := testTable(t, filepath.Join("orders", filepath.Base(name)))
		if v := verified(t, opened(t, data)); len(v.Problems) > 0 || v.Keys < 60 || v.NotVerified != "" {
			t.Errorf("%s: %+v, %+v", name, v, firstMissing(v))
		}
	}
}

// TestVerifyBashos: keys have a time behind them, or none.
func TestVerifyBashos(t *testing.T) {
	for _, c := range []struct {
		key  []byte
		want int
	}{
		{append([]byte("key\x00"), 0, 0, 0, 0, 0, 0, 1), 8},
		{append([]byte("key12345678\x01"), 0, 0, 0, 0, 0, 0, 1), 8},
		{append([]byte("key12345678\x02"), 0, 0, 0, 0, 0, 0, 1), 16},
		{append([]byte("key12345678\x03"), 0, 0, 0, 0, 0, 0, 1), 16},
		{[]byte("key"), 8},
	} {
		if got := bashoTail(c.key); got != c.want {
			t.Errorf("%q: %d bytes, want %d", c.key, got, c.want)
		}
	}
}

// TestVerifyBlockTables has indexes and data as the tests write them.
func TestVerifyBlockTables(t *testing.T) {
	for name, b := range blockTables() {
		data, _ := b.write()
		if v := verified(t, opened(t, data)); len(v.Problems) > 0 || v.Keys != blockTableKeys || v.Blocks != (blockTableKeys+keysInABlock-1)/keysInABlock {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// TestVerifyFindsMissingKeys clears filters, whose checksums are not compared. Their keys are missing, and no other.
func TestVerifyFindsMissingKeys(t *testing.T) {
	for name, want := range map[string]struct {
		filter            int // number
		least, most       uint64
		firstKey, inBlock string
	}{
		"fastlocal-unchecked.sst":  {0, 100, 100, "key00000", "data block 1 of 1"},
		"legacy-4.sst":             {0, 100, 100, "key00000", "data block 1 of 1"},
		"partitioned-restarts.sst": {2, 100, 300, "", ""},
		"partitioned-ribbon.sst":   {1, 100, 300, "", ""},
	} {
		data := testTable(t, name)
		read := opened(t, data)
		h := read.filters.rows[want.filter].handle
		filter := data[h.offset : h.offset+h.size-5] // not the trailer, which says what it is
		if strings.Contains(name, "ribbon") {
			rand.NewChaCha8([32]byte{1}).Read(filter) // with zeros it finds other keys
		} else {
			clear(filter)
		}
		v := verified(t, read)
		if v.Missing < want.least || v.Missing > want.most || v.Damaged != 0 || len(v.Problems) == 0 || firstMissing(v) == nil {
			t.Errorf("%s: %+v", name, v)
			continue
		}
		key := string(firstMissing(v).Missing.Key)
		if want.firstKey != "" && (key != want.firstKey || firstMissing(v).Name != want.inBlock) {
			t.Errorf("%s: %+v", name, firstMissing(v))
		}
		if first, end := read.FindFilters(firstMissing(v).Missing.Key); first > want.filter || end <= want.filter {
			t.Errorf("%s: %s is in filter %d", name, key, first)
		}
		if may, err := read.MayContain(firstMissing(v).Missing.Key); may || err != nil {
			t.Errorf("%s: %s may be there: %v", name, key, err)
		}
	}
}

// TestVerifyFindsMissingPrefixes looks for prefixes by another extractor than the filter's.
func TestVerifyFindsMissingPrefixes(t *testing.T) {
	for name, keys := range map[string]uint64{"keys-and-prefixes.sst": 100, "partitioned-prefixes.sst": 0} {
		read := opened(t, testTable(t, name))
		read.Properties.PrefixExtractor = "fixed:6"
		v := verified(t, read)
		if v.Keys != keys || v.Missing == 0 || !firstMissing(v).Missing.Prefix || string(firstMissing(v).Missing.Key) != "key000" {
			t.Errorf("%s: %+v, %+v", name, v, firstMissing(v))
		}
		read.Properties.PrefixExtractor = "fixed:9" // of which no key has a prefix
		if v := verified(t, read); len(v.Problems) > 0 || v.Prefixes != 0 {
			t.Errorf("%s: %+v", name, v)
		}
		read.Properties.PrefixExtractor = "unknown"
		if v := verified(t, read); len(v.Problems) > 0 || v.Keys != keys || !strings.Contains(v.NotVerified, `"unknown"`) {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// TestVerifyOfLevelDB looks only into the filter of a key's own block: any other may have it by accident.
func TestVerifyOfLevelDB(t *testing.T) {
	b := blockTables()["LevelDB"]
	data, _ := b.write()
	read := opened(t, data)
	at := read.filter.offset
	clear(data[at : at+20]) // a part of the first filter; the last byte of each is the number of probes
	data = rechecked(read, data, read.filter)
	v := verified(t, opened(t, data))
	if v.Missing == 0 || v.Missing > 4*keysInABlock || !slices.Contains([]string{"1", "2", "3", "4"}, strings.Fields(firstMissing(v).Name)[2]) || v.Damaged != 0 {
		t.Errorf("%+v, %+v", v, firstMissing(v))
	}
}

// rechecked writes a block's checksum again.
func rechecked(read *Table, data []byte, h handle) []byte {
	covered := data[h.offset : h.offset+h.size+1]
	binary.LittleEndian.PutUint32(data[h.end()-4:], checksum(read.Format.Checksum).sum(covered)+modifier(read.blocks.context, h.offset))
	return data
}

// TestVerifyDamaged: a block that is damaged is named, and the rest is still looked up.
func TestVerifyDamaged(t *testing.T) {
	for name, c := range map[string]struct {
		at   func(read *Table) handle
		want string
	}{
		"partitioned.sst":    {func(read *Table) handle { return read.filters.rows[1].handle }, "filter's partition 2 of 6"},
		"fastlocal-xxh3.sst": {func(read *Table) handle { return read.filter }, "filter"},
		"block-based.sst":    {func(read *Table) handle { return read.filter }, "filter block"},
	} {
		data := testTable(t, name)
		h := c.at(opened(t, data))
		data[h.offset+3] ^= 1
		v := verified(t, opened(t, data))
		if v.Damaged != 1 || v.Problems[0].Name != c.want || v.Problems[0].Block.Offset != h.offset || !errors.Is(v.Problems[0].Err, simdbloom.ErrCorrupt) ||
			v.Missing != 0 || v.Entries < 100 || (v.NotVerified != "") != (c.want == "filter block") {
			t.Errorf("%s: %+v", name, v)
		}
	}
	i := &image{format: levelDB} // a data block with the right checksum
	i.index = i.add(rowBlock(internal([]byte("key"), 7), encoded(i.add([]byte{9, 1}, compressedBySnappy))), uncompressed)
	if v := verified(t, opened(t, i.finish(rowBlock()))); v.Damaged != 1 || !strings.Contains(v.Problems[0].Err.Error(), "data block 1 of 1") {
		t.Errorf("%+v", v)
	}
	for _, name := range []string{"partitioned.sst", "block-based.sst", "goleveldb-snappy.ldb", "compressed/zstd-4.sst", "pebble/4-paired.sst"} {
		data := testTable(t, name)
		read := opened(t, data)
		blocks, err := (&verifier{table: read, found: new(Verification)}).dataBlocks()
		if err != nil {
			t.Fatal(err)
		}
		h := blocks[1]
		sound := verified(t, read)
		data[h.offset+h.size/2] ^= 0x40
		v := verified(t, opened(t, data))
		if v.Damaged != 1 || v.Missing != 0 || v.Blocks != sound.Blocks-1 || v.Entries >= sound.Entries || len(v.Problems) == 0 {
			t.Errorf("%s: %+v", name, v)
			continue
		}
		d := v.Problems[0]
		if d.Block != (blockName{kindData, 1, len(blocks)}.at(h)) || !strings.Contains(d.Err.Error(), "data block 2 of ") {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// TestVerifyDamagedIndex: without an index there is no data to look up, and without a part of it the rest is.
func TestVerifyDamagedIndex(t *testing.T) {
	for _, name := range []string{"partitioned.sst", "fastlocal-xxh3.sst"} {
		data := testTable(t, name)
		read := opened(t, data)
		data[read.indexBlock.offset] ^= 1
		if v, err := read.Verify(context.Background(), VerifyOptions{}); !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), "the index") {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
	data := testTable(t, "partitioned.sst")
	read := opened(t, data)
	parts, _, err := read.dataHandles(*read.indexBlock, blockName{kind: kindIndex}, spareBytes, 0)
	if err != nil || len(parts) < 3 {
		t.Fatal(parts, err)
	}
	data[parts[1].offset+1] ^= 1
	v := verified(t, read)
	if v.Damaged != 1 || v.Problems[0].Block != (blockName{kindIndexPartition, 1, len(parts)}.at(parts[1])) || v.Missing != 0 || v.Keys < 500 {
		t.Errorf("%+v", v)
	}
}

// TestVerifyEntries: an index that lacks blocks is damaged.
func TestVerifyEntries(t *testing.T) {
	read := opened(t, testTable(t, "fastlocal-xxh3.sst"))
	read.Properties.NumEntries = 101
	if v := verified(t, read); v.Damaged != 1 || !strings.Contains(v.Problems[0].Err.Error(), "100 entries, but 101 are recorded") {
		t.Errorf("%+v", v)
	}
	read.Properties.NumRangeDeletions = 1 // which is not in the data
	if v := verified(t, read); len(v.Problems) > 0 {
		t.Errorf("%+v", v)
	}
}

// TestVerifyCanceled: a context ends it.
func TestVerifyCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	blocks := 0
	v, err := opened(t, testTable(t, "partitioned.sst")).Verify(ctx, VerifyOptions{Progress: func(uint64, uint64) {
		blocks++
		cancel()
	}})
	if v != nil || !errors.Is(err, context.Canceled) || blocks != 1 {
		t.Errorf("%+v, %v, %d blocks", v, err, blocks)
	}
}

// TestVerifySplit: Pebble's filters have keys without their version.
func TestVerifySplit(t *testing.T) {
	read := opened(t, testTable(t, "pebble/4-paired.sst"))
	read.Properties.Comparator = "somebody's"
	if v := verified(t, read); v.Keys != 0 || len(v.Problems) > 0 || !strings.Contains(v.NotVerified, `"somebody's"`) {
		t.Errorf("%+v", v)
	}
	for _, c := range []struct {
		cut     int
		missing bool
		damaged uint64
	}{{0, false, 0}, {1, true, 0}, {-1, false, 2}, {1000, false, 2}} {
		v, err := read.Verify(context.Background(), VerifyOptions{Split: func(key []byte) int { return len(key) - c.cut }})
		if err != nil || (v.Missing > 0) != c.missing || v.Damaged != c.damaged || v.NotVerified != "" {
			t.Errorf("%d: %+v, %v", c.cut, v, err)
		}
	}
}

// TestVerifyTimestamps: RocksDB's filters have keys without their timestamps, which the data has unless a property
// says that it does not.
func TestVerifyTimestamps(t *testing.T) {
	read := opened(t, testTable(t, "fastlocal-xxh3.sst"))
	read.Properties.Comparator = bytewise + timestamped
	if v := verified(t, read); v.Missing == 0 { // these have none: the keys' 8 bytes are taken for it
		t.Errorf("%+v", v)
	}
	read.Properties.timestamps.notPersisted = true
	if v := verified(t, read); len(v.Problems) > 0 {
		t.Errorf("%+v", v)
	}
}

// TestVerifyChangedTables: no bytes make it panic, or take it long.
func TestVerifyChangedTables(t *testing.T) {
	names := []string{
		"fastlocal-unchecked.sst", "legacy-4.sst", "partitioned-restarts.sst", "partitioned-ribbon.sst", "block-based-unchecked.sst",
		"partitioned-prefixes.sst", "goleveldb-snappy.ldb", "compressed/lz4-4.sst", "compressed/zlib-1.sst", "pebble/4-unchecked.sst",
	}
	random := rand.New(rand.NewPCG(5, 2))
	for _, name := range names {
		data := testTable(t, name)
		for range *changedTables / len(names) {
			changed := bytes.Clone(data)
			for range 1 + random.IntN(3) {
				at := random.IntN(len(changed))
				changed[at] = byte(random.Uint32() >> random.IntN(8))
			}
			read, err := open(changed)
			if err != nil {
				continue
			}
			v, err := read.Verify(context.Background(), VerifyOptions{})
			if err != nil && !errors.Is(err, simdbloom.ErrCorrupt) && !errors.Is(err, ErrUnsupported) || err == nil && (len(v.Problems) == 0) != (v.Damaged+v.Missing == 0) {
				t.Errorf("%s: %+v, %v", name, v, err)
			}
		}
	}
}
