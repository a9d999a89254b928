//go:build librocksdb

package stores_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/modules/rocksdb/stores"
	"github.com/simdbloom/simdbloom/table"
)

var (
	seed  = flag.Uint64("seed", 0, "of the first of TestStores; 0 is another one each time")
	count = flag.Int("stores", 60, "the number of TestStores' stores")
)

// tally counts what was verified.
type tally struct {
	tables, keys, prefixes, unfiltered, lookups int
	absent, found                               int // where the order is known
	damaged, repaired, timestamps               int
}

// TestStores lets RocksDB write random stores, of which some are reopened with other options, damaged or repaired.
// Verify finds nothing wrong but the damage, and no key that is there gets a "no". This repeats a store:
//
//	go test -tags librocksdb -run TestStores -seed=N -stores=1 .
func TestStores(t *testing.T) {
	first := *seed
	for first == 0 {
		first = rand.Uint64()
	}
	fmt.Println("the first seed of TestStores is", first) // a log would be lost if RocksDB aborts
	var total tally
	for i := range *count {
		t.Run(fmt.Sprint("seed=", first+uint64(i)), func(t *testing.T) {
			checkStore(t, rand.New(rand.NewPCG(first+uint64(i), 0)), &total)
		})
	}
	t.Logf("%+v", total)
	if 20*total.found > total.absent {
		t.Errorf("%d of %d absent keys are found where the order is known", total.found, total.absent)
	}
}

func checkStore(t *testing.T, random *rand.Rand, total *tally) {
	by := stores.Comparator{Descending: random.IntN(3) == 0}
	if random.IntN(3) > 0 {
		by.TimestampBytes = []int{1, 4, 8, 12, 16, 16, 20, 40}[random.IntN(8)]
		total.timestamps++
	}
	n := 1 + random.IntN(1<<(4+random.IntN(9)))
	present, absent := randomKeys(random, n)
	dir := t.TempDir()
	options := randomOptions(random)
	content := stores.Content{Keys: present, Versions: 1 + random.IntN(5), ValueBytes: random.IntN(100), Flushes: 1 + random.IntN(3), Compact: random.IntN(2) == 0}
	t.Logf("%+v, %d keys, %d versions: %s", by, n, content.Versions, options)
	must(t, stores.Write(dir, options, by, content))
	if random.IntN(3) == 0 {
		options = randomOptions(random)
		t.Logf("reopened: %s", options)
		content.Keys, content.Compact = slices.Clone(present), random.IntN(2) == 0
		random.Shuffle(n, func(i, j int) { content.Keys[i], content.Keys[j] = content.Keys[j], content.Keys[i] })
		content.Keys = content.Keys[:n/2+1]
		must(t, stores.Write(dir, options, by, content))
	}
	checkTables(t, dir, by, present, absent, total)
	switch random.IntN(6) {
	case 0:
		repair(t, dir, options, by, total)
		checkTables(t, dir, by, present, absent, total)
	case 1:
		damage(t, dir, random, total)
		repair(t, dir, options, by, total)
		checkTables(t, dir, by, nil, absent, total)
	}
}

// repair lets RocksDB repair a store. Its own checks refuse some that were compacted: their tables are now on level 0,
// and their sequence numbers overlap. They stay as they are.
func repair(t *testing.T, dir, options string, by stores.Comparator, total *tally) {
	t.Helper()
	if err := stores.Repair(dir, options, by); err == nil {
		total.repaired++
	} else if !strings.Contains(err.Error(), "VersionBuilder: L0 file") {
		t.Fatal(err)
	}
}

// randomKeys returns different keys.
func randomKeys(random *rand.Rand, n int) (present, absent [][]byte) {
	seen := make(map[string]bool)
	length := 1 + random.IntN(24)
	for len(present) < n || len(absent) < 300 {
		var key []byte
		if length%3 > 0 {
			key = fmt.Appendf(nil, "%0*d", length, random.IntN(10*n+5000))
		} else { // of any bytes, and different lengths
			for range 2 + random.IntN(length) {
				key = append(key, byte(random.Uint32()))
			}
		}
		switch {
		case seen[string(key)]:
		case len(present) < n:
			present = append(present, key)
		default:
			absent = append(absent, key)
		}
		seen[string(key)] = true
	}
	return present, absent
}

// randomOptions are those of a store.
func randomOptions(random *rand.Rand) string {
	of := func(name string, values ...string) string { return name + "=" + values[random.IntN(len(values))] }
	power := func(name string, least, most int) string {
		return fmt.Sprint(name, "=", 1<<(least+random.IntN(most-least+1)))
	}
	bits := fmt.Sprintf("%.1f", 8+12*random.Float64())
	indexes := []string{
		"kBinarySearch", "kBinarySearchWithFirstKey", "kTwoLevelIndexSearch",
		"kTwoLevelIndexSearch;partition_filters=true", "kTwoLevelIndexSearch;partition_filters=true",
	}
	extractor := of("prefix_extractor={id", "", "", fmt.Sprint("rocksdb.FixedPrefix.", 1+random.IntN(8)), fmt.Sprint("rocksdb.CappedPrefix.", 1+random.IntN(8)), "rocksdb.Noop")
	if strings.Contains(extractor, "Capped") || strings.Contains(extractor, "Noop") {
		indexes = append(indexes, "kHashSearch;index_block_restart_interval=1") // which needs a prefix of every key
	}
	compression, aligned := of("compression", "kNoCompression", "kSnappyCompression", "kZlibCompression", "kLZ4Compression", "kZSTD"), "block_align=false"
	if random.IntN(5) == 0 {
		compression, aligned = "compression=kNoCompression;bottommost_compression=kNoCompression", "block_align=true"
	}
	block := []string{
		of("filter_policy", "bloomfilter:"+bits, "ribbonfilter:"+bits, "rocksdb.internal.LegacyBloomFilter:"+bits), aligned,
		of("format_version", "2", "3", "4", "5"), of("checksum", "kCRC32c", "kxxHash", "kxxHash64", "kXXH3"),
		of("index_shortening", "kNoShortening", "kShortenSeparators", "kShortenSeparatorsAndSuccessor"),
		of("data_block_index_type", "kDataBlockBinarySearch", "kDataBlockBinaryAndHash"),
		power("block_size", 7, 13), power("metadata_block_size", 7, 12),
		power("block_restart_interval", 0, 5), power("index_block_restart_interval", 0, 9),
		of("index_type", indexes...), // behind the interval, which it may set
		of("whole_key_filtering", "false", "true", "true"), of("optimize_filters_for_memory", "false", "true"), of("enable_index_compression", "false", "true"),
	}
	all := []string{
		compression, "block_based_table_factory={" + strings.Join(block, ";") + "}", of("optimize_filters_for_hits", "false", "false", "true"),
		power("target_file_size_base", 13, 20), power("write_buffer_size", 16, 22),
	}
	if strings.Contains(extractor, "rocksdb.") {
		all = append(all, extractor+"}")
	}
	return strings.Join(all, ";")
}

// orders are what a caller may give.
func orders(by stores.Comparator) [][]table.Option {
	given, compare, name := table.Bytewise, bytes.Compare, "test.Ascending."
	if by.Descending {
		given, compare, name = table.ReverseBytewise, func(a, b []byte) int { return bytes.Compare(b, a) }, "test.Descending."
	}
	own := table.NewOrder(fmt.Sprint(name, by.TimestampBytes), compare)
	return [][]table.Option{nil, {table.WithOrder(given)}, {table.WithOrder(own)}}
}

// checkTables verifies all tables of a store, and looks up keys.
func checkTables(t *testing.T, dir string, by stores.Comparator, present, absent [][]byte, total *tally) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	must(t, err)
	all := slices.Concat(present, absent)
	for number, options := range orders(by) {
		may := make([]bool, len(present))
		for _, name := range names {
			read := open(t, name, options...)
			v, err := read.Verify(context.Background(), table.VerifyOptions{})
			must(t, err)
			none := read.Layout == "none"
			if len(v.Problems) > 0 || v.Unread > 0 || v.Blocks == 0 || none != (v.NotVerified != "") || (v.Keys > 0) != (read.Properties.WholeKeys && !none) || (v.Prefixes > 0) && none {
				t.Fatalf("%s, order %d: %+v, problems %+v, %+v", filepath.Base(name), number, v, v.Problems, read.Properties)
			}
			hits := make([]bool, len(all))
			must(t, read.MayContainKeys(all, hits))
			found := 0
			for i, hit := range hits {
				if i < len(present) {
					may[i] = may[i] || hit
				} else if hit {
					found++
				}
			}
			total.tables, total.keys, total.prefixes, total.lookups = total.tables+1, total.keys+int(v.Keys), total.prefixes+int(v.Prefixes), total.lookups+len(all)
			switch {
			case none:
				total.unfiltered++
			case number > 0 && read.Properties.WholeKeys:
				total.absent, total.found = total.absent+len(absent), total.found+found
			}
		}
		if i := slices.Index(may, false); i >= 0 && len(names) > 0 {
			t.Fatalf("order %d: key %d of %d, %x, is lost", number, i, len(present), present[i])
		}
	}
}

// damage changes a bit of a data block, which Verify names.
func damage(t *testing.T, dir string, random *rand.Rand, total *tally) {
	names, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	must(t, err)
	if len(names) == 0 {
		return
	}
	name := names[random.IntN(len(names))]
	data, err := os.ReadFile(name)
	must(t, err)
	at := random.IntN(20)
	data[at] ^= 1 << random.IntN(8)
	must(t, os.Chmod(name, 0o600))
	must(t, os.WriteFile(name, data, 0o600))
	v, err := open(t, name).Verify(context.Background(), table.VerifyOptions{})
	must(t, err)
	if v.Damaged != 1 || !strings.HasPrefix(v.Problems[0].Name, "data block 1 of ") || v.Missing > 0 {
		t.Errorf("%s, changed at %d: %+v", filepath.Base(name), at, v)
	}
	total.damaged++
}

func open(t *testing.T, name string, options ...table.Option) *table.Table {
	data, err := os.ReadFile(name)
	must(t, err)
	read, err := table.Open(bytes.NewReader(data), int64(len(data)), options...)
	must(t, err)
	return read
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
