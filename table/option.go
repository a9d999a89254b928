package table

import "github.com/simdbloom/simdbloom/filterblock"

// Option adds a fact that a table file does not have. They are arguments of [Open].
type Option func(*Table)

// WithOrder gives the order of the keys of tables that record no comparator, or one that this package does
// not know. A known comparator that the table records wins, except over [AnyOrder].
//
// Without an order, a key is looked up in every filter that could have it, so that "no" is certain. That
// is slower, and gives more false positives: LevelDB has a filter for every 2 KiB, so that nearly every
// answer for a large table is "may contain". With a wrong order, keys that are in the table
// may get a "no". An order that the table's index contradicts is an error, which wraps [ErrUnsupported]. Tables that
// LevelDB's TableBuilder wrote without a store have no order: their index may have other keys.
func WithOrder(o Order) Option { return func(t *Table) { t.given = &o } }

// WithExtractor gives the extractor of the filter's prefixes, for tables that do not name it, or whose
// extractor this package does not know. A known one that the table records wins. One made by
// [filterblock.NewExtractor] is used only for tables that record its name, or none. RocksDB's, of
// [filterblock.ParseExtractor], is used whatever the unknown name: with a wrong one, keys that are in
// the table may get a "no".
func WithExtractor(e *filterblock.Extractor) Option { return func(t *Table) { t.extractor = e } }
