package table

import (
	"bytes"
	"fmt"
)

// WithTimestampBytes gives the length of the user-defined timestamps behind the keys of RocksDB's tables whose
// comparator this package does not know, and that do not record it: RocksDB does since version 6.27. 0 says that there
// are none. A recorded length wins. With a wrong one, keys that are in the table may get a "no". It panics if n is
// negative.
func WithTimestampBytes(n int) Option {
	if n < 0 {
		panic(fmt.Sprintf("simdbloom: WithTimestampBytes' number must be at least 0, not %d", n))
	}
	return func(t *Table) { t.givenTimestamp = &n }
}

// timestamps describes a table's user-defined timestamps: the least and the greatest, which have the length of all
// (TimestampTablePropertiesCollector in RocksDB's db/table_properties_collector.h).
type timestamps struct {
	recorded     bool
	least, most  int  // their lengths, 0 in a table without keys
	notPersisted bool // the file's keys are without, though the comparator's have one
	excluded     bool // by a version of RocksDB that records them, if there are any
}

// add keeps a property, if it is one of timestamps.
func (s *timestamps) add(key, value []byte) {
	switch string(key) {
	case "rocksdb.timestamp_min":
		s.recorded, s.least = true, len(value)
	case "rocksdb.timestamp_max":
		s.recorded, s.most = true, len(value)
	case "rocksdb.user.defined.timestamps.persisted": // recorded if they are not
		s.notPersisted = string(value) == "\x00"
	case "rocksdb.tail.start.offset": // since RocksDB 8.1
		s.excluded = true
	}
}

// timestampBytes returns the length of the timestamp behind each of the table's keys: 0 if there is none, or if it is
// unknown.
func (t *Table) timestampBytes() int {
	p := &t.Properties.timestamps
	known := knownOrder(t.Properties.Comparator)
	switch {
	case p.notPersisted:
		return 0
	case known.compare != nil:
		return known.timestamp
	case p.recorded && p.least == p.most && p.most > 0:
		return p.most
	case t.givenTimestamp != nil && t.Properties.Comparator != "":
		return *t.givenTimestamp
	}
	return 0
}

// lacksTimestampLength reports whether keys have timestamps whose length is neither known nor given.
func (t *Table) lacksTimestampLength() bool {
	p := &t.Properties.timestamps
	return p.recorded && !p.notPersisted && t.givenTimestamp == nil && t.timestampBytes() == 0 &&
		knownOrder(t.Properties.Comparator).compare == nil
}

// mayHaveTimestamps reports whether keys may have timestamps that nothing is known of.
func (t *Table) mayHaveTimestamps() bool {
	p := &t.Properties
	return t.Format.Database == databaseRocksDB && p.wholeKeysRecorded && p.Comparator != "" && knownOrder(p.Comparator).compare == nil &&
		!p.timestamps.recorded && !p.timestamps.notPersisted && !p.timestamps.excluded && t.givenTimestamp == nil
}

func (t *Table) whyNoTimestampLength() string {
	return fmt.Sprintf("keys have timestamps by the comparator %q, whose length is unknown (give it, if you know it)", t.Properties.Comparator)
}

// unrecordedTimestamps returns the length of the timestamps that keys seem to have, though nothing says so, or 0: the
// filter lacks the first keys as they are, and has them without as many bytes.
func (v *verifier) unrecordedTimestamps(blocks []handle) int {
	const mostKeys, leastKeys, mostBlocks, mostBytes = 24, 3, 8, 64
	c := v.filters
	if c == nil || !c.wholeKeys || !v.table.mayHaveTimestamps() {
		return 0
	}
	var missing [][]byte
	found := 0
	for i, h := range blocks[:min(len(blocks), mostBlocks)] {
		what := blockName{kindData, i, len(blocks)}
		block, _ := v.readData(h, what) // an error is reported later; nothing has no rows
		r, err := newDataRows(block)
		for err == nil && r.more() && found+len(missing) < mostKeys {
			if err = r.nextKey(); err != nil || len(r.key) < internalKeyBytes {
				break
			}
			if key := r.key[:len(r.key)-internalKeyBytes]; c.isInFirst(key, what.at(h)) {
				found++
			} else {
				missing = append(missing, bytes.Clone(key))
			}
		}
	}
	if len(missing) < leastKeys || found > len(missing) {
		return 0
	}
	place := blockName{kindData, 0, len(blocks)}.at(blocks[0])
	for n := 1; n <= mostBytes; n++ {
		different := make(map[string]bool)
		for _, key := range missing {
			if len(key) < n || !c.isInFirst(key[:len(key)-n], place) {
				different = nil
				break
			}
			different[string(key[:len(key)-n])] = true
		}
		if len(different) >= leastKeys {
			return n
		}
	}
	return 0
}

// isInFirst reports whether the first filters, or that of the data block, may contain a key of the first data blocks.
func (c *filterCheck) isInFirst(key []byte, place Block) bool {
	const mostFilters = 8
	first, end := 0, min(len(c.opened), mostFilters)
	if c.blockBased != nil {
		first = filterAt(c.blockBased, place.Offset)
		end = first + 1
	}
	for i := first; i < end; i++ {
		if c.open(i).contains(key) {
			return true
		}
	}
	return false
}
