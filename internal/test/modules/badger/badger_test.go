//go:build badger

package badger

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/fb"
	"github.com/dgraph-io/badger/v4/y"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/splitmix"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
)

// kinds of keys: in which nothing is alike, numbers of 8 bytes, and texts that differ in their last digits.
var kinds = map[string]func(n int) []byte{
	"random":  func(n int) []byte { return fmt.Appendf(nil, "%016x", splitmix.Value(0, uint64(n))) },
	"numbers": func(n int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) },
	"texts":   func(n int) []byte { return fmt.Appendf(nil, "user%012d", n) },
}

// stored writes a store of the given number of keys, those with even numbers, and returns its tables' filters.
func stored(t *testing.T, key func(int) []byte, keys int, rate float64) (filters [][]byte) {
	t.Helper()
	directory := t.TempDir()
	options := badger.DefaultOptions(directory).WithLoggingLevel(badger.ERROR).
		WithMemTableSize(4 << 20).WithValueThreshold(1 << 10).WithMetricsEnabled(false)
	if rate != 0 {
		options = options.WithBloomFalsePositive(rate)
	}
	db, err := badger.Open(options)
	check(t, err)
	batch := db.NewWriteBatch()
	for i := range keys {
		check(t, batch.Set(key(2*i), []byte("value")))
	}
	check(t, batch.Flush())
	check(t, db.Close())

	names, err := filepath.Glob(filepath.Join(directory, "*.sst"))
	check(t, err)
	for _, name := range names {
		table, err := os.ReadFile(name)
		check(t, err)
		filters = append(filters, bytes.Clone(filterOf(table)))
	}
	if len(filters) == 0 {
		t.Fatal("Badger wrote no table")
	}
	return filters
}

// filterOf returns the filter of a table, which ends with its index, the index's length, a checksum and the
// checksum's length. (Badger's table/builder.go; an encrypted index has to be decrypted first.)
func filterOf(table []byte) []byte {
	table, _ = cutLast(table) // the checksum
	_, index := cutLast(table)
	return fb.GetRootAsTableIndex(index, 0).BloomFilterBytes()
}

// cutLast cuts off the last part, whose length follows it.
func cutLast(table []byte) (before, part []byte) {
	end := len(table) - 4
	begin := end - int(binary.BigEndian.Uint32(table[end:]))
	return table[:begin], table[begin:end]
}

// settings are of WithBloomFalsePositive, 0 for Badger's default, which is 0.01, and what they are for each
// kind of keys.
var settings = []struct {
	setting float64
	keys    int
	probes  int
	highest map[string]float64
}{
	{0, 300_000, 4, map[string]float64{"random": 0.055, "numbers": 0.042, "texts": 0.07}},
	{0.01, 30_000, 4, map[string]float64{"random": 0.055, "numbers": 0.042, "texts": 0.07}},
	{0.001, 300_000, 6, map[string]float64{"random": 0.013, "numbers": 0.011, "texts": 0.04}},
	{0.0005, 300_000, 7, map[string]float64{"random": 0.01, "numbers": 0.01, "texts": 0.04}},
}

// TestTables: every answer is Badger's, for all keys of a store and for as many others. The measured rates
// are logged: "go test -v" shows them.
func TestTables(t *testing.T) {
	for kind, key := range kinds {
		for _, s := range settings {
			filters := stored(t, key, s.keys, s.setting)
			positives := compare(t, key, s.keys, s.probes, filters)
			rate := float64(positives) / float64(s.keys*len(filters))
			t.Logf("%-7s keys, %6d in %d tables, set to %-6v: %.1f bits per key, %d probes, measured %.2f %%",
				kind, s.keys, len(filters), s.setting, bitsPerKey(filters, s.keys), s.probes, 100*rate)
			if highest := s.highest[kind]; rate < highest/2 || rate > highest {
				t.Errorf("%s, set to %v: the rate is %v, want %v to %v", kind, s.setting, rate, highest/2, highest)
			}
		}
	}
}

// compare compares answers with Badger's, and returns the number of false positives.
func compare(t *testing.T, key func(int) []byte, keys, probes int, filters [][]byte) (falsely int) {
	t.Helper()
	var opened []*simdbloom.Filter
	for _, data := range filters {
		f, err := leveldb.Open(data, keyhash.LevelDB32)
		check(t, err)
		if f.NumProbes() != probes {
			t.Errorf("%d probes, want %d", f.NumProbes(), probes)
		}
		opened = append(opened, f)
	}
	for i := range 2 * keys {
		k, found := key(i), false
		hash := keyhash.LevelDB32.Sum64(k)
		if hash != uint64(y.Hash(k)) {
			t.Fatalf("the hash of % x is not Badger's", k)
		}
		for at, data := range filters {
			badgers := y.Filter(data).MayContainKey(k)
			if leveldb.MayContain(data, k) != badgers || leveldb.MayContainHash(data, hash) != badgers || opened[at].Contains(k) != badgers {
				t.Fatalf("table %d: another answer than Badger's for % x", at, k)
			}
			found = found || badgers
			if badgers && i%2 == 1 {
				falsely++
			}
		}
		if i%2 == 0 && !found {
			t.Fatalf("no table has the key % x", k)
		}
	}
	return falsely
}

func bitsPerKey(filters [][]byte, keys int) float64 {
	total := 0
	for _, data := range filters {
		total += len(data)
	}
	return 8 * float64(total) / float64(keys)
}

// TestBuilt: package leveldb builds Badger's bytes.
func TestBuilt(t *testing.T) {
	for bits := 1; bits < 50; bits += 3 {
		for n := 1; n < 3000; n = n*3 + 1 {
			var hashes []uint64
			var badgers []uint32
			for i := range n {
				key := kinds["texts"](i * bits)
				hashes = append(hashes, keyhash.LevelDB32.Sum64(key))
				badgers = append(badgers, y.Hash(key))
			}
			if !bytes.Equal(leveldb.AppendFilter(nil, bits, hashes), y.NewFilter(badgers, bits)) {
				t.Fatalf("%d keys, %d bits per key: other bytes", n, bits)
			}
		}
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
