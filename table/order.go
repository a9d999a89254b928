package table

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Order is the order of a table's keys: its comparator. It decides which of several filters may have a
// key. RocksDB, Speedb and Pebble record the comparator's name in a table; LevelDB and RocksDB's
// first versions do not. [WithOrder] is for tables whose order is not known otherwise.
//
// [Bytewise], [ReverseBytewise] and [AnyOrder] are orders, [ParseOrder] knows more by their names, and
// [NewOrder] makes one of a function. The zero Order is AnyOrder.
type Order struct {
	name       string                // that it was made by
	comparator string                // of the tables that it is for; empty for all
	compare    func(a, b []byte) int // nil if it is unknown
	ofBytes    bool                  // ascending or descending
	descending bool                  // of bytes
	timestamp  int                   // bytes behind each user key
}

var (
	// Bytewise is the order of bytes, ascending: the default of LevelDB, RocksDB, Speedb and Pebble.
	Bytewise = Order{name: "bytes", compare: bytes.Compare, ofBytes: true}

	// ReverseBytewise is the order of bytes, descending.
	ReverseBytewise = Order{name: "reverse", compare: func(a, b []byte) int { return bytes.Compare(b, a) }, ofBytes: true, descending: true}

	// AnyOrder is an unknown order, whatever the table records: a key is looked up in every filter that could
	// have it.
	AnyOrder = Order{}
)

// The comparators of RocksDB, which Speedb has, too, and of LevelDB and Pebble.
const (
	bytewise        = "leveldb.BytewiseComparator"
	reverseBytewise = "rocksdb.ReverseBytewiseComparator"
)

// RocksDB's comparators with this suffix have a timestamp behind every user key (ComparatorWithU64TsImpl in
// util/comparator.cc). Filters have keys without it.
const (
	timestamped    = ".u64ts"
	timestampBytes = 8
)

var (
	shortNames = []Order{Bytewise, ReverseBytewise, {name: "any"}}

	// comparators are those that are known by the names that tables record.
	comparators = []Order{
		Bytewise.of(bytewise), ReverseBytewise.of(reverseBytewise),
		Bytewise.of(bytewise + timestamped), ReverseBytewise.of(reverseBytewise + timestamped),
		// MyRocks: storage/rocksdb/rdb_comparator.h.
		Bytewise.of("RocksDB_SE_v3.10"), ReverseBytewise.of("rev:RocksDB_SE_v3.10"),
	}
)

// of returns the order under a comparator's name.
func (o Order) of(comparator string) Order {
	o.name = comparator
	if strings.HasSuffix(comparator, timestamped) {
		o.timestamp = timestampBytes
	}
	return o
}

// ParseOrder returns the order of a name:
//
//	bytes      Bytewise
//	reverse    ReverseBytewise
//	any        AnyOrder
//
// or of a comparator that this package knows: RocksDB's and Speedb's leveldb.BytewiseComparator and
// rocksdb.ReverseBytewiseComparator, the same with timestamps (.u64ts), and MyRocks' RocksDB_SE_v3.10
// and rev:RocksDB_SE_v3.10. Any other name is an error, which wraps
// [simdbloom.ErrUnknown] and lists the known ones.
func ParseOrder(name string) (Order, error) {
	var known []string
	for _, o := range slices.Concat(shortNames, comparators) {
		if o.name == name {
			return o, nil
		}
		known = append(known, o.name)
	}
	return Order{}, unknown{fmt.Errorf("unknown order of keys %q (known: %s)", name, strings.Join(known, ", "))}
}

// NewOrder returns the order of a comparison function, which returns a negative number if a is before b, 0
// if they are the same key, and a positive number otherwise. It must be the table's comparator for all user
// keys: with another one, keys that are in the table may get a "no". If keys have user-defined timestamps, it gets
// them without, as RocksDB's CompareWithoutTimestamp. It is called with keys in the index of a
// file, which may be any bytes, and must not panic. Several goroutines may call it at once.
//
// Filters hash bytes. If the function returns 0 for different bytes, such as "Key" and "key", only the bytes that were
// written are found: others get a "no", from RocksDB and LevelDB, too.
//
// The name is the comparator's. The order is used for tables that record this name, and for those that
// record none. NewOrder panics if the name is empty or one that [ParseOrder] knows, or if compare is nil.
func NewOrder(comparator string, compare func(a, b []byte) int) Order {
	if _, err := ParseOrder(comparator); err == nil || comparator == "" {
		panic(fmt.Sprintf("simdbloom: NewOrder's name must not be empty or a known comparator's, but is %q", comparator))
	}
	if compare == nil {
		panic("simdbloom: NewOrder's function must not be nil")
	}
	return Order{name: comparator, comparator: comparator, compare: compare}
}

// String returns the name that the order was made by: "any" for the zero Order.
func (o Order) String() string {
	if o.compare == nil {
		return "any"
	}
	return o.name
}

// order returns the order of the table's keys.
func (t *Table) order() Order {
	recorded := t.Properties.Comparator
	known := knownOrder(recorded)
	switch given := t.given; {
	case t.lacksTimestampLength():
		return AnyOrder // where a user key ends in the index is unknown
	case given == nil:
		return known
	case given.compare == nil || known.compare == nil && given.isFor(recorded):
		return *given
	}
	return known
}

// isFor reports whether the order is for tables with a comparator.
func (o Order) isFor(recorded string) bool {
	return recorded == "" || o.comparator == "" || o.comparator == recorded
}

// knownOrder returns the order of a comparator that a table records, or AnyOrder.
func knownOrder(comparator string) Order {
	for _, o := range comparators {
		if o.name == comparator {
			return o
		}
	}
	return AnyOrder
}

// whyAny is the reason why a key is looked up in every filter.
func (t *Table) whyAny() string {
	switch recorded := t.Properties.Comparator; {
	case t.lacksTimestampLength():
		return t.whyNoTimestampLength()
	case t.order().compare != nil:
		return "the index has other keys than those of a LevelDB store, so any of the table's filters may have it"
	case t.given != nil && t.given.compare == nil:
		return "the order of keys was given as unknown, so any of the table's filters may have it"
	case recorded == "":
		return "the table does not record the order of its keys, so any of its filters may have it (give the order, if you know it)"
	default:
		return fmt.Sprintf("the order of the comparator %q is unknown, so any of the table's filters may have it (give the order, if you know it)", recorded)
	}
}
