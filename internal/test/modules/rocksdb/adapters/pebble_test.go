//go:build librocksdb

// Package adapters_test lets RocksDB read tables that Pebble wrote with the adapters' policies. It is
// a package of its own because Pebble brings a copy of Zstandard, which RocksDB would use, too.
package adapters_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	pebblev1 "github.com/cockroachdb/pebble"
	providerv1 "github.com/cockroachdb/pebble/objstorage/objstorageprovider"
	sstablev1 "github.com/cockroachdb/pebble/sstable"
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
	vfsv1 "github.com/cockroachdb/pebble/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	simdbloomv1 "github.com/simdbloom/simdbloom/adapters/pebblev1"
	"github.com/simdbloom/simdbloom/internal/test/modules/rocksdb"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/table"
)

// options let RocksDB use filters of each of its formats.
const options = "block_based_table_factory={filter_policy=bloomfilter:10}"

// TestPebblesTables: RocksDB uses the filter for each Get if it has RocksDB's name, and loses no key.
func TestPebblesTables(t *testing.T) {
	const n = 100_000
	var keys, all [][]byte // every other key of all is absent
	for i := range n {
		keys = append(keys, fmt.Appendf(nil, "key%06d", i))
		all = append(all, keys[i], fmt.Appendf(nil, "key%06d-", i))
	}
	all = all[:2*n-1] // RocksDB looks up none that is greater than all of the table
	bloom, ribbon, legacy := parsed(t, "bloomfilter:10"), parsed(t, "ribbonfilter:10"), parsed(t, "rocksdb.internal.LegacyBloomFilter:10")
	for _, c := range []struct {
		what string
		v1   pebblev1.FilterPolicy
		v2   pebble.FilterPolicy
		used bool
	}{
		{"FastLocal", simdbloomv1.ForRocksDB(bloom, nil), simdbloom.ForRocksDB(bloom, nil), true},
		{"Ribbon", simdbloomv1.ForRocksDB(ribbon, nil), simdbloom.ForRocksDB(ribbon, nil), true},
		{"legacy", simdbloomv1.ForRocksDB(legacy, nil), simdbloom.ForRocksDB(legacy, nil), true},
		{"Legacy", simdbloomv1.Legacy(10), simdbloom.Legacy(10), true},
		{"another name", simdbloomv1.FilterPolicy(bloom), simdbloom.FilterPolicy(bloom), false},
	} {
		t.Run("v1/"+c.what, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "table.sst")
			must(t, writeV1(file, nil, c.v1, keys))
			checkAnswers(t, ingested(t, file), rocksdb.DefaultFamily, file, all, c.used)
		})
		t.Run("v2/"+c.what, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "table.sst")
			must(t, writeV2(file, nil, c.v2, keys))
			checkAnswers(t, imported(t, file), family, file, all, c.used)
		})
	}
}

// TestPrefixes is why ForRocksDB refuses a Comparer with a Split: v2 does not record that the filter
// has prefixes, and RocksDB loses keys, whichever policy of its name wrote them. v1 records it, and
// RocksDB does not use the filter.
func TestPrefixes(t *testing.T) {
	var keys [][]byte
	for i := range 1000 {
		keys = append(keys, fmt.Appendf(nil, "key%06d", i))
	}
	found := func(directory, family string) (found, asked int) {
		answers, err := rocksdb.Get(directory, options, family, keys)
		must(t, err)
		for _, a := range answers {
			asked += a.Hits + a.Misses
			if a.Found {
				found++
			}
		}
		return found, asked
	}
	split := func(key []byte) int { return min(7, len(key)) }
	file := filepath.Join(t.TempDir(), "v1.sst")
	v1 := *pebblev1.DefaultComparer
	v1.Split = split
	must(t, writeV1(file, &v1, simdbloomv1.Legacy(10), keys))
	if found, asked := found(ingested(t, file), rocksdb.DefaultFamily); found != len(keys) || asked != 0 {
		t.Errorf("v1: RocksDB finds %d of %d keys, and looks up %d", found, len(keys), asked)
	}
	file = filepath.Join(t.TempDir(), "v2.sst")
	v2 := *pebble.DefaultComparer
	v2.Split = split
	must(t, writeV2(file, &v2, simdbloom.Legacy(10), keys))
	if found, asked := found(imported(t, file), family); found > len(keys)/2 || asked != len(keys) {
		t.Errorf("v2: RocksDB finds %d of %d keys, and looks up %d", found, len(keys), asked)
	}
}

// TestStoreOfV1 lets RocksDB open a store of Pebble v1.
func TestStoreOfV1(t *testing.T) {
	directory, p := t.TempDir(), simdbloomv1.ForRocksDB(parsed(t, "bloomfilter:10"), nil)
	db, err := pebblev1.Open(directory, &pebblev1.Options{
		FormatMajorVersion: pebblev1.FormatMostCompatible, Levels: []pebblev1.LevelOptions{{FilterPolicy: p}},
	})
	must(t, err)
	var keys [][]byte
	for i := range 10_000 {
		keys = append(keys, fmt.Appendf(nil, "key%06d", i))
		must(t, db.Set(keys[i], nil, pebblev1.NoSync))
	}
	must(t, db.Flush())
	must(t, db.Close())
	answers, err := rocksdb.Get(directory, options, rocksdb.DefaultFamily, keys)
	must(t, err)
	for i, a := range answers {
		if a != (rocksdb.Answer{Found: true, Hits: 1}) {
			t.Fatalf("%s: RocksDB answers %+v", keys[i], a)
		}
	}
}

// ingested returns the directory of a database with the table.
func ingested(t *testing.T, file string) string {
	directory := t.TempDir()
	must(t, rocksdb.Ingest(directory, options, file))
	return directory
}

// imported returns the directory of a database with the table in the family. RocksDB does not ingest
// tables of Pebble v2, since they do not record a version of external tables.
func imported(t *testing.T, file string) string {
	directory := t.TempDir()
	must(t, rocksdb.Import(directory, options, family, file))
	return directory
}

const family = "imported"

// checkAnswers compares RocksDB's answers of every key with the table's: every other key is present.
func checkAnswers(t *testing.T, directory, family, file string, keys [][]byte, used bool) {
	t.Helper()
	answers, err := rocksdb.Get(directory, options, family, keys)
	must(t, err)
	may := mayContain(t, file, keys)
	for i, a := range answers {
		present := i%2 == 0
		want := rocksdb.Answer{Found: present}
		if used && may[i] {
			want.Hits = 1
		} else if used {
			want.Misses = 1
		}
		if a != want || present && !may[i] {
			t.Fatalf("%s: RocksDB answers %+v, want %+v (present: %v)", keys[i], a, want, present)
		}
	}
}

// mayContain returns the answers of the table's filter.
func mayContain(t *testing.T, name string, keys [][]byte) []bool {
	t.Helper()
	file, err := os.Open(name)
	must(t, err)
	defer file.Close()
	info, err := file.Stat()
	must(t, err)
	read, err := table.Open(file, info.Size())
	must(t, err)
	may := make([]bool, len(keys))
	must(t, read.MayContainKeys(keys, may))
	return may
}

func writeV1(name string, comparer *pebblev1.Comparer, p pebblev1.FilterPolicy, keys [][]byte) error {
	file, err := vfsv1.Default.Create(name)
	if err != nil {
		return err
	}
	return write(sstablev1.NewWriter(providerv1.NewFileWritable(file), sstablev1.WriterOptions{
		TableFormat: sstablev1.TableFormatRocksDBv2, Comparer: comparer, FilterPolicy: p,
	}), keys)
}

func writeV2(name string, comparer *pebble.Comparer, p pebble.FilterPolicy, keys [][]byte) error {
	file, err := vfs.Default.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	return write(sstable.NewWriter(objstorageprovider.NewFileWritable(file), sstable.WriterOptions{
		TableFormat: sstable.TableFormatRocksDBv2, Comparer: comparer, FilterPolicy: p,
	}), keys)
}

// write writes keys without values, with either version's writer.
func write(w interface {
	Set(key, value []byte) error
	Close() error
}, keys [][]byte,
) error {
	for _, key := range keys {
		if err := w.Set(key, nil); err != nil {
			return err
		}
	}
	return w.Close()
}

func parsed(t *testing.T, text string) *policy.Policy {
	t.Helper()
	p, err := policy.Parse(text)
	must(t, err)
	return p
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
