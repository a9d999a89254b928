//go:build librocksdb && libleveldb

package orders_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/internal/test/modules/rocksdb/orders"
	"github.com/simdbloom/simdbloom/table"
)

var (
	seed   = flag.Uint64("seed", 0, "of the first of TestStores; 0 is another one each time")
	stores = flag.Int("stores", 200, "the number of TestStores' stores")
	update = flag.Bool("update", false, "write the tables that package table is tested with again")
)

// given are the orders as a caller gives them.
var given = map[orders.Order]table.Order{
	orders.Bytes: table.Bytewise, orders.Reverse: table.ReverseBytewise, orders.Numbers: table.NewOrder("test.Numbers", compareNumbers),
	orders.Timestamps: table.Bytewise, // which has no effect: tables record the comparator
}

func compareNumbers(a, b []byte) int { return cmp.Compare(numberOf(a), numberOf(b)) }

func numberOf(key []byte) float64 {
	if len(key) != 8 { // of an index that is not what it seems
		return math.Inf(1)
	}
	return math.Float64frombits(binary.NativeEndian.Uint64(key))
}

// randomKeys returns different keys of an order: present ones, and absent ones.
func randomKeys(random *rand.Rand, order orders.Order, n int) (present, absent [][]byte) {
	seen := make(map[string]bool)
	length := 1 + random.IntN(20)
	for len(present) < n || len(absent) < 500 {
		var key []byte
		switch {
		case order == orders.Numbers && length > 14: // whole ones, many negative, whose last bytes are 0
			key = binary.NativeEndian.AppendUint64(nil, math.Float64bits(float64(random.IntN(10*n+1000)-9*n)))
		case order == orders.Numbers:
			key = binary.NativeEndian.AppendUint64(nil, math.Float64bits(math.Ldexp(random.Float64()-0.5, random.IntN(40))))
		case length%2 == 0:
			key = fmt.Appendf(nil, "%0*d", length, random.IntN(10*n+5000))
		default: // of any bytes, and different lengths
			for range 3 + random.IntN(length) {
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

// TestStores lets LevelDB and RocksDB write random stores. No key that is there gets a "no", whether its order is known
// or not; where it is known, or given, absent keys get one. This repeats a store:
//
//	go test -tags 'librocksdb libleveldb' -run TestStores -seed=N -stores=1 .
func TestStores(t *testing.T) {
	first := *seed
	for first == 0 {
		first = rand.Uint64()
	}
	t.Log("the first seed is", first)
	var total tally
	for i := range *stores {
		t.Run(fmt.Sprint("seed=", first+uint64(i)), func(t *testing.T) {
			random := rand.New(rand.NewPCG(first+uint64(i), 0))
			n := 1 + random.IntN(1<<random.IntN(14))%5000
			valueBytes := random.IntN(200)
			order := orders.Order(random.IntN(3))
			switch random.IntN(5) {
			case 0, 1:
				present, absent := randomKeys(random, order, n)
				o := randomLevelDB(random)
				t.Logf("LevelDB %+v, %d keys, order %d", o, n, order)
				tables, err := orders.WriteLevelDB(filepath.Join(t.TempDir(), "store"), order, o, present, valueBytes)
				if err != nil {
					t.Fatal(err)
				}
				total.add(check(t, tables, order, present, absent))
			case 2:
				present, absent := randomKeys(random, order, n)
				o := randomLevelDB(random)
				t.Logf("LevelDB without a store %+v, %d keys, order %d", o, n, order)
				data, err := orders.BuildLevelDB(filepath.Join(t.TempDir(), "table"), order, o, present, valueBytes)
				if err != nil {
					t.Fatal(err)
				}
				check(t, [][]byte{data}, order, present, absent) // in an order that is unknown in any case
			default:
				order = orders.Order(random.IntN(4))
				present, absent := randomKeys(random, order, n)
				options := randomOptions(random)
				t.Logf("RocksDB %s, %d keys, order %d", options, n, order)
				data, err := orders.WriteRocksDB(filepath.Join(t.TempDir(), "table.sst"), order, options, present, valueBytes)
				if err != nil {
					t.Fatal(err)
				}
				total.add(check(t, [][]byte{data}, order, present, absent))
			}
		})
	}
	t.Logf("%+v", total)
	if total.absentKnown > 0 && 20*total.foundKnown > total.absentKnown {
		t.Errorf("%d of %d absent keys are found where the order is known", total.foundKnown, total.absentKnown)
	}
}

func randomLevelDB(random *rand.Rand) orders.LevelDB {
	return orders.LevelDB{BitsPerKey: 10 + random.IntN(6), BlockSize: 1 << (4 + random.IntN(13)), Snappy: random.IntN(2) == 0}
}

// randomOptions are those of a column family.
func randomOptions(random *rand.Rand) string {
	partitioned := ""
	if random.IntN(3) > 0 {
		partitioned = fmt.Sprintf(";index_type=kTwoLevelIndexSearch;partition_filters=true;metadata_block_size=%d", 1<<(6+random.IntN(7)))
	}
	policy := []string{"bloomfilter:%d", "ribbonfilter:%d", "rocksdb.internal.LegacyBloomFilter:%d"}[random.IntN(3)]
	return fmt.Sprintf("compression=kNoCompression;block_based_table_factory={filter_policy="+policy+";format_version=%d;block_size=%d;"+
		"index_shortening=%s;index_block_restart_interval=%d%s}",
		10+random.IntN(6), 2+random.IntN(4), 1<<(4+random.IntN(13)),
		[]string{"kNoShortening", "kShortenSeparators", "kShortenSeparatorsAndSuccessor"}[random.IntN(3)], 1+random.IntN(16), partitioned)
}

// tally counts absent keys, and those of them that are found.
type tally struct{ keys, absentKnown, foundKnown, absentAny, foundAny int }

func (t *tally) add(more tally) {
	t.keys += more.keys
	t.absentKnown, t.foundKnown = t.absentKnown+more.absentKnown, t.foundKnown+more.foundKnown
	t.absentAny, t.foundAny = t.absentAny+more.absentAny, t.foundAny+more.foundAny
}

// check looks up keys in a store's tables, together: a key is in one of them.
func check(t *testing.T, tables [][]byte, order orders.Order, present, absent [][]byte) (counts tally) {
	t.Helper()
	counts.keys = len(present)
	all := slices.Concat(present, absent)
	for _, known := range []bool{false, true} {
		hits := make([]bool, len(all))
		for _, data := range tables {
			var options []table.Option
			if known {
				options = append(options, table.WithOrder(given[order]))
			}
			read, err := table.Open(bytes.NewReader(data), int64(len(data)), options...)
			if err != nil {
				t.Fatal(err)
			}
			its := make([]bool, len(all))
			if err := read.MayContainKeys(all, its); err != nil {
				t.Fatal(err)
			}
			if read.Layout != "block-based" {
				checkReader(t, read, all, its)
			}
			for i, hit := range its {
				hits[i] = hits[i] || hit
			}
			for _, i := range []int{0, len(present) / 2, len(present) - 1, len(all) - 1} {
				if may, err := read.MayContain(all[i]); err != nil || may != its[i] {
					t.Errorf("%x: %v alone, %v, but %v in a batch", all[i], may, err, its[i])
				}
			}
		}
		found := 0
		for i, hit := range hits {
			switch {
			case i < len(present) && !hit:
				t.Fatalf("known %v: key %d of %d, %x, is lost", known, i, len(present), all[i])
			case i >= len(present) && hit:
				found++
			}
		}
		if known {
			counts.absentKnown, counts.foundKnown = len(absent), found
		} else {
			counts.absentAny, counts.foundAny = len(absent), found
		}
	}
	return counts
}

// checkReader compares a reader's answers with the table's.
func checkReader(t *testing.T, read *table.Table, keys [][]byte, want []bool) {
	t.Helper()
	r, err := read.Reader(filterblock.ReadOptions{OnError: func(h filterblock.Handle, err error) { t.Error(h, err) }})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]bool, len(keys))
	r.MayContainKeys(keys, got)
	for i, key := range keys {
		if got[i] != want[i] || i%16 == 0 && r.MayContain(key) != want[i] {
			t.Fatalf("%x: a reader answers %v in a batch, and the table %v", key, got[i], want[i])
		}
	}
}
