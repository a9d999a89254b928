//go:build librocksdb

package rocksdb_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/modules/rocksdb"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ribbon"
	"github.com/simdbloom/simdbloom/table"
)

// TestRibbonFilters has RocksDB's Ribbon filters, at any format_version, and the FastLocal ones that
// it builds of few keys. A table that no database writes has an unknown level.
func TestRibbonFilters(t *testing.T) {
	for i, name := range []string{
		"ribbonfilter:10", "rocksdb.RibbonFilter:5", "ribbonfilter:15.5:3", "rocksdb.RibbonFilter:23.4:-1", "ribbonfilter:1:2147483646",
		"ribbonfilter:100", "rocksdb.internal.Standard128RibbonFilter:7.125",
	} {
		for kind := range keyKinds {
			for _, n := range []int{1, 2, 102, 103, 153, 154, 256, 257, 1000, 10_000, 50_000} {
				t.Run(fmt.Sprintf("%s/%s/%d", name, kind, n), func(t *testing.T) {
					var absent [][]byte
					if n >= 10_000 && kind == "short" {
						absent = sortedKeys(kind, 0xab5e27, 100_000)
					}
					checkFullFilter(t, 5-i%4, name, name, sortedKeys(kind, 1, n), absent)
				})
			}
		}
	}
	t.Run("a million", func(t *testing.T) {
		checkFullFilter(t, 5, "ribbonfilter:10", "ribbonfilter:10", sortedKeys("short", 6, 1_000_000), sortedKeys("short", 0xab5e27, 100_000))
	})
}

func TestRibbonFiltersOfPrefixes(t *testing.T) {
	checkPrefixes(t, 5, "ribbonfilter:10")
}

// TestLevels: the level that a table is written to decides between FastLocal and Ribbon.
func TestLevels(t *testing.T) {
	keys := sortedKeys("short", 7, 2000)
	for style, compactedTo := range map[string]int{"Level": 1, "Universal": 6} {
		for _, before := range []int{-1 << 31, -1, 0, 1, 2, 6, 7, 1<<31 - 1} {
			name := fmt.Sprintf("ribbonfilter:10:%d", before)
			options := columnFamily("filter_policy="+name) + ";compaction_style=kCompactionStyle" + style
			flushed, compacted, err := rocksdb.FlushAndCompact(t.TempDir(), options, keys)
			if err != nil {
				t.Fatal(err)
			}
			if flushed.Level != 0 || compacted.Level != compactedTo {
				t.Fatalf("%s: levels %d and %d", style, flushed.Level, compacted.Level)
			}
			flushed.Level = -1 // as policy.WithLevel has it
			for _, written := range []rocksdb.Table{flushed, compacted} {
				checkLevel(t, name, written, keys, before)
			}
		}
	}
}

// checkLevel compares a table's filter with that of the policy.
func checkLevel(t *testing.T, name string, written rocksdb.Table, keys [][]byte, before int) {
	t.Helper()
	b := parsed(t, name).NewBuilder(policy.WithLevel(written.Level))
	b.AddKeys(keys)
	ours, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	theirs := filtersOf(t, opened(t, written.Data))
	if len(theirs) != 1 || !bytes.Equal(theirs[0].Data, ours) {
		t.Errorf("%s, level %d: RocksDB writes another filter", name, written.Level)
	}
	want := simdbloom.Ribbon
	if written.Level < before {
		want = simdbloom.FastLocal
	}
	if f, err := ribbon.Open(ours, keyhash.XXPH3); err != nil || f.Format() != want {
		t.Errorf("%s, level %d: %v, %v", name, written.Level, f.Format(), err)
	}
}

// TestRocksDBReadsRibbonFilters puts filters that RocksDB did not write into its table. Ours
// has another seed than RocksDB's, because the first key is another one.
func TestRocksDBReadsRibbonFilters(t *testing.T) {
	const n = 1000
	keys := sortedKeys("short", 5, n)
	options := columnFamily("checksum=kNoChecksum;filter_policy=ribbonfilter:10")
	file := filepath.Join(t.TempDir(), "table.sst")
	if err := rocksdb.WriteTable(file, options, keys); err != nil {
		t.Fatal(err)
	}
	written := readFile(t, file)
	theirs := filtersOf(t, opened(t, written))[0].Data
	reversed := slices.Clone(keys)
	slices.Reverse(reversed)
	ours := built(t, parsed(t, "ribbonfilter:10"), reversed)
	trailer := len(theirs) - 5
	if len(ours) != len(theirs) || bytes.Equal(ours[trailer:], theirs[trailer:]) {
		t.Fatalf("%d bytes in place of %d, trailers %x and %x", len(ours), len(theirs), ours[trailer:], theirs[trailer:])
	}
	without := append(make([]byte, trailer), theirs[trailer:]...)
	found := func(filter []byte) int {
		return countFound(t, file, options, bytes.Replace(written, theirs, filter, 1), keys)
	}
	if got := found(theirs); got != n {
		t.Errorf("RocksDB finds %d keys of %d with its own filter", got, n)
	}
	if got := found(ours); got != n {
		t.Errorf("RocksDB finds %d keys of %d with ours", got, n)
	}
	if got := found(without); got > n/30 { // 1 in 128: all columns are zero
		t.Errorf("RocksDB finds %d keys of %d without the filter's bits: it does not look them up", got, n)
	}
}

// TestNamesOfRibbonPolicies: RocksDB builds no filter for a name that it does not know.
func TestNamesOfRibbonPolicies(t *testing.T) {
	keys := sortedKeys("short", 8, 1000)
	for _, name := range []string{
		"ribbonfilter:10", "ribbonfilter:10.", "rocksdb.RibbonFilter:.75:2", "ribbonfilter:10:-0", "ribbonfilter:10:010",
		"ribbonfilter:10:0000000000000000000000000002", "ribbonfilter:10:2147483646", "ribbonfilter:10:-2147483648",
		"rocksdb.internal.Standard128RibbonFilter:10", "rocksdb.internal.Standard128RibbonFilter:10:1",
		"ribbonfilter", "ribbonfilter:", "ribbonfilter::2", "ribbonfilter:x:2", "ribbonfilter:10:", "ribbonfilter:10:false",
		"ribbonfilter:10:+1", "ribbonfilter:10:2.5", "ribbonfilter:10:-", "ribbonfilter:10:1k", "ribbonfilter:10:2:3",
		"ribbonfilter:10:2147483648", "ribbonfilter:10:-2147483649", "Ribbonfilter:10", "rocksdb.ribbonfilter:10",
	} {
		p, ours := policy.Parse(name)
		file := filepath.Join(t.TempDir(), "table.sst")
		theirs := rocksdb.WriteTable(file, columnFamily("filter_policy="+name), keys)
		var filters []table.Filter
		if theirs == nil {
			filters = filtersOf(t, opened(t, readFile(t, file)))
		}
		if (len(filters) == 0) != (ours != nil) {
			t.Errorf("%q: %d filters, %v; ours: %v", name, len(filters), theirs, ours)
		} else if ours == nil && !bytes.Equal(filters[0].Data, built(t, p, keys)) {
			t.Errorf("%q: other bytes", name)
		}
	}
}
