package table

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestParseOrder: a name that is unknown is an error that lists the known ones.
func TestParseOrder(t *testing.T) {
	for name, want := range map[string]Order{
		"bytes": Bytewise, bytewise: Bytewise, bytewise + ".u64ts": Bytewise, "RocksDB_SE_v3.10": Bytewise,
		"reverse": ReverseBytewise, reverseBytewise: ReverseBytewise, reverseBytewise + ".u64ts": ReverseBytewise, "rev:RocksDB_SE_v3.10": ReverseBytewise,
		"any": AnyOrder,
	} {
		o, err := ParseOrder(name)
		if err != nil || o.String() != name || o.ofBytes != want.ofBytes || o.descending != want.descending {
			t.Errorf("%s: %+v, %v", name, o, err)
		}
		if o.timestamp != 0 != strings.HasSuffix(name, ".u64ts") {
			t.Errorf("%s has timestamps of %d bytes", name, o.timestamp)
		}
		_, err = ParseOrder(name + "x")
		if !errors.Is(err, simdbloom.ErrUnknown) || !strings.Contains(err.Error(), name+"x") || !strings.Contains(err.Error(), "bytes, reverse, any, leveldb.BytewiseComparator, ") {
			t.Errorf("%sx: %v", name, err)
		}
	}
	if AnyOrder.String() != "any" {
		t.Error(AnyOrder)
	}
}

// TestNewOrderPanics of misuse.
func TestNewOrderPanics(t *testing.T) {
	for name, compare := range map[string]func(a, b []byte) int{"": bytes.Compare, bytewise: bytes.Compare, "any": bytes.Compare, "own": nil} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q: no panic", name)
				}
			}()
			NewOrder(name, compare)
		}()
	}
}

// orderKeys are 500 keys of different lengths.
func orderKeys() (keys [][]byte) {
	for i := range 500 {
		keys = append(keys, fmt.Appendf(nil, "key%d", i*i))
	}
	return keys
}

// TestOrders: whatever a table records and a caller gives, no key that is there gets a "no", and one partition is
// read for a key if the order is known.
func TestOrders(t *testing.T) {
	own, another := NewOrder("own", byLength), NewOrder("another's", byLength)
	const one, all, refused = 1, 25, 0
	for _, c := range []struct {
		comparator string
		given      *Order
		want       int // partitions that a key may be in
	}{
		{bytewise, nil, one},
		{bytewise, &ReverseBytewise, one}, // what is recorded wins
		{bytewise, &own, one},
		{bytewise, &AnyOrder, all},
		{reverseBytewise, &Bytewise, one},
		{"RocksDB_SE_v3.10", nil, one},
		{"rev:RocksDB_SE_v3.10", nil, one},
		{"rev:RocksDB_SE_v3.10", &AnyOrder, all},
		{bytewise + timestamped, nil, one},
		{reverseBytewise + timestamped, &Bytewise, one},
		{"own", nil, all},
		{"own", &own, one},
		{"own", &another, all}, // another comparator's
		{"own", &Bytewise, refused},
		{"own", &ReverseBytewise, refused},
		{"own", &AnyOrder, all},
		{"", nil, all},
		{"", &own, one},
		{"", &Bytewise, refused},
		{"bytes", nil, all}, // no comparator's name
	} {
		for _, stripped := range []bool{false, true} {
			name := fmt.Sprintf("%q, given %v, stripped %v", c.comparator, c.given, stripped)
			p := prefixTable{keys: orderKeys(), comparator: c.comparator, extractor: "fixed:4", wholeKeys: true, stripped: stripped}
			var options []Option
			if c.given != nil {
				options = append(options, WithOrder(*c.given))
			}
			read, err := open(p.write(t, 20), options...)
			if c.want == refused {
				if !errors.Is(err, ErrUnsupported) {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			checkOrder(t, name, read, p.keys)
			if first, end := read.FindFilters(p.keys[77]); end-first != c.want {
				t.Errorf("%s: in %d partitions, want %d", name, end-first, c.want)
			}
		}
	}
}

// checkOrder looks up keys that are there, and absent ones, in every way.
func checkOrder(t *testing.T, name string, read *Table, present [][]byte) {
	t.Helper()
	r, err := read.Reader(filterblock.ReadOptions{OnError: func(h filterblock.Handle, err error) { t.Error(name, h, err) }})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	keys := slices.Concat(present, absentKeys(500))
	hits, byReader := make([]bool, len(keys)), make([]bool, len(keys))
	if err := read.MayContainKeys(keys, hits); err != nil {
		t.Error(name, err)
	}
	r.MayContainKeys(keys, byReader)
	found := 0
	for i, key := range keys {
		if byReader[i] != hits[i] || r.MayContain(key) != hits[i] {
			t.Fatalf("%s: %s: %v, %v by a reader", name, key, hits[i], byReader[i])
		}
		if i < len(present) {
			may, err := read.MayContainPrefix(key[:4])
			if !hits[i] || err != nil || !may || !r.MayContainPrefix(key[:4]) || !r.MayContainSeek(key) {
				t.Fatalf("%s: %s is lost: %v, %v, %v", name, key, hits[i], may, err)
			}
		} else if hits[i] {
			found++
		}
	}
	if found > 100 { // 25 partitions at 1 in 2,000
		t.Errorf("%s: %d of 500 absent keys are found", name, found)
	}
}

// TestVersionsInSeveralPartitions: a key with many timestamps is found by the index.
func TestVersionsInSeveralPartitions(t *testing.T) {
	for _, order := range []string{bytewise + timestamped, reverseBytewise + timestamped} {
		p := prefixTable{keys: orderKeys()[:100], comparator: order, extractor: "fixed:4", wholeKeys: true}
		for range 50 {
			p.keys = append(p.keys, []byte("key16"), []byte("key4900"))
		}
		checkOrder(t, order, opened(t, p.write(t, 5)), p.keys)
	}
}

// TestEqualKeys: a function may take different bytes for the same key, whose versions are in several partitions.
func TestEqualKeys(t *testing.T) {
	fold := func(a, b []byte) int { return bytes.Compare(bytes.ToLower(a), bytes.ToLower(b)) }
	i := &image{format: rocksDB5}
	b, err := bloom.NewBuilder(16, keyhash.XXPH3)
	if err != nil {
		t.Fatal(err)
	}
	index := filterblock.NewIndexWriter(filterblock.IndexFormat{FullHandles: true})
	for _, keys := range [][]string{{"a", "B"}, {"b", "b"}, {"c"}, {"C", "D"}} {
		for _, key := range keys {
			b.Add([]byte(key))
		}
		h := i.add(finished(t, b), uncompressed)
		index.Add([]byte(keys[len(keys)-1]), filterblock.Handle{Offset: h.offset, Size: h.size})
	}
	h := i.add(index.Finish(), uncompressed)
	properties := i.add(rowBlock(comparator, []byte("fold"), userKeyIndex, number(1)), uncompressed)
	data := i.finish(rowBlock([]byte(partitionedFilter+"rocksdb.BuiltinBloomFilter"), encoded(h), property, encoded(properties)))
	read := opened(t, data, WithOrder(NewOrder("fold", fold)))
	r, err := read.Reader(filterblock.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	keys := [][]byte{[]byte("a"), []byte("B"), []byte("b"), []byte("c"), []byte("C"), []byte("D")}
	hits := make([]bool, len(keys))
	r.MayContainKeys(keys, hits)
	for i, key := range keys {
		if may, err := read.MayContain(key); err != nil || !may || !hits[i] || !r.MayContain(key) {
			t.Errorf("%s: %v, %v; by a reader %v, in a batch %v", key, may, err, r.MayContain(key), hits[i])
		}
	}
	if may, err := read.MayContain([]byte("absent")); err != nil || may {
		t.Errorf("absent: %v, %v", may, err)
	}
}

// TestWhyAny: an answer says that the order was not known, and only if that matters.
func TestWhyAny(t *testing.T) {
	p := prefixTable{keys: orderKeys(), comparator: "own", wholeKeys: true}
	for _, c := range []struct {
		comparator string
		partition  int
		options    []Option
		want       string
	}{
		{"own", 20, nil, `the order of the comparator "own" is unknown`},
		{"own", 1000, nil, ""}, // one partition
		{"own", 20, []Option{WithOrder(NewOrder("own", byLength))}, ""},
		{"", 20, nil, "does not record the order"},
		{bytewise, 20, []Option{WithOrder(AnyOrder)}, "was given as unknown"},
		{bytewise, 20, nil, ""},
	} {
		p.comparator = c.comparator
		answers, err := answersFor(opened(t, p.write(t, c.partition), c.options...), [][]byte{p.keys[5], []byte("absent")})
		if err != nil {
			t.Fatal(err)
		}
		if a := answers[0]; !a.MayContain || (a.Why != "") != (c.want != "") || !strings.Contains(a.Why, c.want) {
			t.Errorf("%q: %+v", c.comparator, a)
		}
		if a := answers[1]; a.MayContain || a.Why != "" {
			t.Errorf("%q, absent: %+v", c.comparator, a)
		}
	}
}

// TestKeysAboveAll: in an order of bytes a key above all is in no block. By a function it is looked up in the last one.
func TestKeysAboveAll(t *testing.T) {
	for file, c := range map[string]struct {
		order Order
		above []byte
		want  int
	}{
		"leveldb-reverse.ldb": {ReverseBytewise, []byte("a"), 0},
		"leveldb-numbers.ldb": {NewOrder("test.Numbers", compareNumbers), numberKey(1e9), 1},
	} {
		stored, err := opened(t, testTable(t, "orders/"+file), WithOrder(c.order)).readBlockFilters()
		if err != nil {
			t.Fatal(err)
		}
		if got := stored.offsetsOf(c.above); !slices.Equal(got, stored.offsets[len(stored.offsets)-c.want:]) {
			t.Errorf("%s: blocks at %d", file, got)
		}
	}
}

// TestOrderWithoutTimestampLength: where the keys of an index end is unknown then, so a given order is not used.
func TestOrderWithoutTimestampLength(t *testing.T) {
	data := timestampTable(50, 8, []byte("rocksdb.timestamp_min"), make([]byte, 8), []byte("rocksdb.timestamp_max"), make([]byte, 9))
	read := opened(t, data, WithOrder(NewOrder("somebody's", bytes.Compare)))
	if first, end := read.FindFilters([]byte("key00010")); first != 0 || end != read.NumFilters() || end < 2 {
		t.Errorf("filters %d to %d", first, end)
	}
	if a, err := answersFor(read, [][]byte{[]byte("key00010")}); err != nil || a[0].Why != read.whyNoTimestampLength() {
		t.Errorf("%+v, %v", a, err)
	}
}

// numberKey is a key of 8 bytes that a comparator takes for a number.
func numberKey(n float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(n)) }

// compareNumbers is the comparator that wrote tables in testdata/orders: internal/test/modules/rocksdb/orders.
func compareNumbers(a, b []byte) int {
	number := func(key []byte) float64 {
		if len(key) != 8 {
			return math.Inf(1)
		}
		return math.Float64frombits(binary.LittleEndian.Uint64(key))
	}
	return cmp.Compare(number(a), number(b))
}

// TestOrdersOfWriters has tables that LevelDB and RocksDB wrote with comparators of their users: keys that are there
// are found whatever is given, and of absent ones fewer where the order is known.
func TestOrdersOfWriters(t *testing.T) {
	numbers := NewOrder("test.Numbers", compareNumbers)
	for _, c := range []struct {
		file  string
		order Order
		keys  int
		known bool // without an option
		never bool // or even with it
	}{
		{"leveldb-reverse.ldb", ReverseBytewise, 200, false, false},
		{"leveldb-numbers.ldb", numbers, 200, false, false},
		{"leveldb-built.ldb", numbers, 200, false, true}, // without a store: see internalKeys
		{"rocksdb-reverse.sst", ReverseBytewise, 200, false, false},
		{"rocksdb-numbers.sst", numbers, 200, false, false},
		{"rocksdb-timestamps.sst", Bytewise, 60, true, false},
	} {
		var present, absent [][]byte
		for i := range 2000 {
			key := fmt.Appendf(nil, "key%05d", i)
			if c.order.compare != nil && !c.order.ofBytes {
				key = numberKey(float64(i)*1.5 - 40)
			}
			if i < c.keys {
				present = append(present, key)
			} else {
				absent = append(absent, key)
			}
		}
		for _, known := range []bool{false, true} {
			var options []Option
			if known {
				options = append(options, WithOrder(c.order))
			}
			read := opened(t, testTable(t, "orders/"+c.file), options...)
			hits := make([]bool, len(present)+len(absent))
			if err := read.MayContainKeys(slices.Concat(present, absent), hits); err != nil {
				t.Fatal(err)
			}
			if i := slices.Index(hits[:len(present)], false); i >= 0 {
				t.Fatalf("%s, known %v: key %d is lost", c.file, known, i)
			}
			found := 0
			for _, hit := range hits[len(present):] {
				if hit {
					found++
				}
			}
			if known && !c.never && found > len(absent)/50 || found > len(absent)/5 {
				t.Errorf("%s, known %v: %d of %d absent keys are found", c.file, known, found, len(absent))
			}
			filters := read.NumFilters()
			first, end := read.FindFilters(present[50])
			if read.Layout == layoutBlockBased {
				stored, err := read.readBlockFilters()
				if err != nil {
					t.Fatal(err)
				}
				filters, first, end = len(stored.offsets), 0, len(stored.offsetsOf(present[50]))
			}
			want := filters
			if (known || c.known) && !c.never {
				want = 1
			}
			if end-first != want || filters < 2 {
				t.Errorf("%s, known %v: a key is in %d of %d", c.file, known, end-first, filters)
			}
		}
	}
}

// TestOrderThatTheIndexContradicts is an error of its own kind: no key gets a "no".
func TestOrderThatTheIndexContradicts(t *testing.T) {
	for file, order := range map[string]Order{
		"leveldb-reverse.ldb": Bytewise, "leveldb-numbers.ldb": Bytewise, "rocksdb-numbers.sst": ReverseBytewise, "rocksdb-reverse.sst": Bytewise,
	} {
		read, err := open(testTable(t, "orders/"+file), WithOrder(order))
		if err == nil {
			_, err = read.MayContain([]byte("key00001"))
		}
		if !errors.Is(err, ErrUnsupported) || errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), "not in the order that was given") {
			t.Errorf("%s: %v", file, err)
		}
	}
}
