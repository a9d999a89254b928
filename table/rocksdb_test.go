package table

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/simdbloom/simdbloom"
)

// TestRocksDBsTables has what internal/test/modules/rocksdb gave RocksDB to write.
func TestRocksDBsTables(t *testing.T) {
	for name, want := range map[string]struct {
		version  int
		checksum string
		layout   string
		filters  int
		bytes    int
	}{
		"fastlocal-xxh3.sst":       {5, xxh3Sum, layoutFull, 1, 133},
		"fastlocal-xxh64.sst":      {5, xxh64Sum, layoutFull, 1, 133},
		"fastlocal-xxh32.sst":      {5, xxh32Sum, layoutFull, 1, 133},
		"fastlocal-crc32c.sst":     {5, crc32c, layoutFull, 1, 133},
		"fastlocal-unchecked.sst":  {5, noChecksum, layoutFull, 1, 261},
		"legacy-0.sst":             {0, crc32c, layoutFull, 1, 197},
		"legacy-1.sst":             {1, xxh32Sum, layoutFull, 1, 197},
		"legacy-2.sst":             {2, crc32c, layoutFull, 1, 197},
		"legacy-3.sst":             {3, xxh64Sum, layoutFull, 1, 197},
		"legacy-4.sst":             {4, noChecksum, layoutFull, 1, 325},
		"ribbon.sst":               {5, xxh3Sum, layoutFull, 1, 1749},
		"none.sst":                 {5, xxh3Sum, layoutNone, 0, 0},
		"partitioned.sst":          {5, xxh3Sum, layoutPartitioned, 6, 1374},
		"partitioned-restarts.sst": {5, noChecksum, layoutPartitioned, 6, 1374},
		"partitioned-3.sst":        {3, xxh3Sum, layoutPartitioned, 6, 1694},
		"partitioned-ribbon.sst":   {5, noChecksum, layoutPartitioned, 4, 1252},
	} {
		data := testTable(t, name)
		got, filters, err := read(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		sum := 0
		var last []byte
		for _, filter := range filters {
			sum += len(filter.Data)
			if (filter.Last != nil) != (want.layout == layoutPartitioned) || want.layout == layoutPartitioned && bytes.Compare(last, filter.Last) >= 0 {
				t.Errorf("%s: a partition from %q to %q", name, last, filter.Last)
			}
			last = filter.Last
		}
		if got.Format != (Format{databaseRocksDB, want.version, want.checksum}) || got.Layout != want.layout || got.NumFilters() != want.filters ||
			len(filters) != want.filters || sum != want.bytes {
			t.Errorf("%s: %v, layout %s, %d filters, %d bytes", name, got.Format, got.Layout, len(filters), sum)
		}
		if p := got.Properties; p.Comparator != "leveldb.BytewiseComparator" || p.NumEntries == 0 || (p.FilterPolicy != "") != (want.filters > 0) {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// TestContextualFormats writes a table of RocksDB's again in format_version 6 and 7,
// by the words of RocksDB's table/format.cc: no RocksDB that writes them was at hand.
func TestContextualFormats(t *testing.T) {
	want, filters, err := read(testTable(t, "fastlocal-xxh3.sst"))
	if err != nil {
		t.Fatal(err)
	}
	for version := 6; version <= 7; version++ {
		for _, checksum := range []string{crc32c, xxh32Sum, xxh64Sum, xxh3Sum} {
			i := &image{format: Format{databaseRocksDB, version, checksum}, context: 0x12345678, data: make([]byte, 100)}
			filter := i.add(filters[0].Data, uncompressed)
			properties := i.add(rowBlock([]byte("rocksdb.num.filter_entries"), []byte{100}), uncompressed)
			data := i.finish(rowBlock([]byte("fullfilter."+want.FilterName), encoded(filter), []byte(propertiesName), encoded(properties)))
			got, again, err := read(data)
			if err != nil {
				t.Fatalf("%v: %v", i.format, err)
			}
			if got.Format != i.format || got.FilterName != want.FilterName || !reflect.DeepEqual(again, filters) || got.Properties.NumFilterEntries != 100 {
				t.Errorf("%v: %+v", i.format, got)
			}
			for at := 100; at < len(data); at++ {
				changed := bytes.Clone(data)
				changed[at] ^= 1
				if _, _, err := read(changed); err == nil {
					t.Fatalf("%v: byte %d of %d was changed, and no error", i.format, at, len(data))
				}
			}
			// All blocks are whole, but elsewhere.
			if _, _, err := read(append(make([]byte, 1), data...)); !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Errorf("%v: moved by a byte: %v", i.format, err)
			}
		}
	}
}

// TestModifiers: both halves of a block's offset count.
func TestModifiers(t *testing.T) {
	if got := modifier(0x12345678, 3<<32+5); got != 0x12345678^8 {
		t.Errorf("%#x", got)
	}
}

func TestChecksums(t *testing.T) {
	// Those that are not trivial are the algorithms' own examples; TestRocksDBsTables has the rest.
	for _, c := range []struct {
		checksum string
		data     string
		want     uint32
	}{
		{xxh32Sum, "", 0x02cc5d05},
		{xxh32Sum, "a", 0x550d7456},
		{xxh32Sum, "abc", 0x32d153ff},
		{xxh32Sum, "0123456789abcdef", 0xc2c45b69},
		{xxh32Sum, "0123456789abcdef0123456789abcdef", 0xeb888d30},
		{xxh32Sum, "Nobody inspects the spammish repetition", 0xe2293b2f},
		{xxh64Sum, "abc", 0xad770999},
		{xxh3Sum, "", 0},
		{noChecksum, "abc", 0},
	} {
		if got := checksum(c.checksum).sum([]byte(c.data)); got != c.want {
			t.Errorf("%v of %q is %#x, want %#x", c.checksum, c.data, got, c.want)
		}
	}
}
