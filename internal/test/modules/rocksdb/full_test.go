//go:build librocksdb

package rocksdb_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/modules/rocksdb"
	"github.com/simdbloom/simdbloom/table"
)

// The names are RocksDB's and the library's: either is given the same text.
var policies = []string{
	"rocksdb.BloomFilter:5", "bloomfilter:10:false", "rocksdb.BloomFilter:15.5", "rocksdb.internal.FastLocalBloomFilter:20",
}

// TestFullFilters compares RocksDB's filters with the library's in both directions.
func TestFullFilters(t *testing.T) {
	for kind := range keyKinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel() // some wait for the disk
			const mostKeys, mostAbsent = 200_000, 100_000
			absent := sortedKeys(kind, 0xab5e27, mostAbsent)
			for _, n := range []int{1, 2, 3, 10, 63, 64, 65, 100, 1000, 10_000, 50_000, mostKeys} {
				keys := sortedKeys(kind, 1, n)
				for _, name := range policies {
					if kind == "long" && n == mostKeys && name != policies[0] {
						continue // 50 MB of keys to write for each
					}
					t.Run(fmt.Sprintf("%d/%s", n, name), func(t *testing.T) { checkFullFilter(t, 5, name, name, keys, absent) })
				}
			}
		})
	}
}

// checkFullFilter has a policy by RocksDB's name and by the library's. There are no false
// positives to count if absent is empty.
func checkFullFilter(t *testing.T, version int, theirs, ours string, keys, absent [][]byte) {
	p, n := parsed(t, ours), len(keys)
	read := written(t, fmt.Sprintf("format_version=%d;filter_policy=%s", version, theirs), keys)
	filters := filtersOf(t, read)
	if len(filters) != 1 || read.Layout != "full" ||
		read.Format != (table.Format{Database: "RocksDB", Version: version, Checksum: "XXH3"}) {
		t.Fatalf("%v, layout %v, %d filters", read.Format, read.Layout, len(filters))
	}
	if got := read.Properties; got.NumEntries != uint64(n) || got.NumFilterEntries != uint64(n) {
		t.Errorf("%d entries and %d of the filter, want %d", got.NumEntries, got.NumFilterEntries, n)
	}
	if !bytes.Equal(built(t, p, keys), filters[0].Data) {
		t.Error("the builder's bytes are others")
	}
	f := mustContain(t, p, filters[0].Data, keys)
	if len(absent) > 0 {
		checkRate(t, f, p.PredictedFPR(n), n, absentOf(keys, absent))
	}
}

// absentOf returns those of the keys that are not present. Both are in order.
func absentOf(present, keys [][]byte) (absent [][]byte) {
	for _, key := range keys {
		for len(present) > 0 && bytes.Compare(present[0], key) < 0 {
			present = present[1:]
		}
		if len(present) == 0 || !bytes.Equal(present[0], key) {
			absent = append(absent, key)
		}
	}
	return absent
}

// checkRate compares the number of false positives with the filter's own estimate and, where
// that is not a matter of chance, with the prediction for n keys.
func checkRate(t *testing.T, f *simdbloom.Filter, predicted float64, n int, absent [][]byte) {
	t.Helper()
	hits := make([]bool, len(absent))
	f.ContainsKeys(absent, hits)
	got := 0.0
	for _, hit := range hits {
		if hit {
			got++
		}
	}
	check := func(what string, rate, tolerance float64) {
		want := rate * float64(len(absent))
		if most := tolerance*want + 5*math.Sqrt(want) + 5; math.Abs(got-want) > most {
			t.Errorf("%v of %d absent keys are found, want %.1f +- %.1f as %s", got, len(absent), want, most, what)
		}
	}
	check("estimated", f.EstimatedFPR(), 0.03)
	if n >= 10_000 {
		check("predicted", predicted, 0.1)
	}
}

// TestFullFiltersOfPrefixes adds prefixes, instead of whole keys or beside them.
func TestFullFiltersOfPrefixes(t *testing.T) {
	checkPrefixes(t, 5, "bloomfilter:10")
}

// checkPrefixes has a policy by its name, in tables of the given version.
func checkPrefixes(t *testing.T, version int, name string) {
	t.Helper()
	p := parsed(t, name)
	for _, kind := range []string{"short", "binary"} {
		for _, wholeKeys := range []bool{false, true} {
			for _, n := range []int{1, 2, 10, 1000, 20_000} {
				t.Run(fmt.Sprintf("%d/%s/%v/%d", version, kind, wholeKeys, n), func(t *testing.T) {
					keys := sortedKeys(kind, 2, n)
					read := written(t, fmt.Sprintf("format_version=%d;filter_policy=%s;whole_key_filtering=%v};"+
						"prefix_extractor={id=rocksdb.FixedPrefix.%d", version, name, wholeKeys, prefixBytes), keys)
					if !read.Properties.Prefixes || read.Properties.WholeKeys != wholeKeys {
						t.Errorf("properties %+v", read.Properties)
					}
					filters := filtersOf(t, read)
					added := addedWithPrefixes(keys, wholeKeys, false)
					if len(filters) != 1 {
						if len(added) > 0 {
							t.Fatalf("%d filters", len(filters))
						}
						return
					}
					mustContain(t, p, filters[0].Data, added)
					if !bytes.Equal(built(t, p, added), filters[0].Data) &&
						!bytes.Equal(built(t, p, addedWithPrefixes(keys, wholeKeys, true)), filters[0].Data) {
						t.Error("the builder's bytes are others")
					}
				})
			}
		}
	}
}

const prefixBytes = 4

// addedWithPrefixes returns what RocksDB adds to a filter of the keys' prefixes, or of the
// keys and their prefixes. In filters of prefixes only, some versions of RocksDB (7.8 does,
// 9.6 does not) also add an empty key at the key behind the first prefix: it is the "last
// prefix", which only filters of whole keys remember.
func addedWithPrefixes(keys [][]byte, wholeKeys, emptyKey bool) (added [][]byte) {
	var last []byte
	for _, key := range keys {
		if wholeKeys {
			added = append(added, key)
		} else if emptyKey && len(added) == 1 {
			added = append(added, nil)
		}
		if len(key) < prefixBytes {
			continue // it has no prefix
		}
		// The builder drops adjacent repetitions.
		if prefix := key[:prefixBytes]; !wholeKeys || !bytes.Equal(last, prefix) {
			added, last = append(added, prefix), prefix
		}
	}
	return added
}

// TestOrder: RocksDB's builder accepts only ascending keys.
func TestOrder(t *testing.T) {
	for what, keys := range map[string][][]byte{
		"descending": {[]byte("b"), []byte("a")},
		"twice":      {[]byte("a"), []byte("a")},
	} {
		file := t.TempDir() + "/table.sst"
		if err := rocksdb.WriteTable(file, columnFamily("filter_policy=bloomfilter:10"), keys); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if err := rocksdb.WriteTable(t.TempDir()+"/table.sst", "no_such_option=1", nil); err == nil {
		t.Error("no error for an option that does not exist")
	}
}
