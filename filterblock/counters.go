package filterblock

import "sync/atomic"

// Counters count queries of filters and their answers, as RocksDB's statistics of Bloom
// filters do: see [Counts]. The zero Counters are ready to use, and a nil
// *Counters counts nothing. Counters must not be copied: go vet reports copies.
//
// Any number of goroutines may count and read at once. A query costs one atomic addition,
// on the order of 2 nanoseconds, and no allocation. Counters take 8 KiB: there are 64
// stripes, and goroutines mostly count in different ones, so that no cache line moves between
// processors for every query.
//
// A filter cannot tell its true positives from the false ones. Code that reads the table can:
// it calls [Counters.Found] or [Counters.FoundSeek], or surrounds lookups with [Counters.BeginLookup] and
// [Counters.EndLookup].
//
// Counters are an expvar.Var:
//
//	expvar.Publish("filters", &counters)
type Counters struct {
	stripes [numStripes]counterStripe
	lookups atomic.Pointer[lookupsInFlight]
}

// counterStripe has the counters of a stripe. Its end keeps two stripes' counters off one
// cache line of 64 bytes, wherever in memory they begin, and off one pair of lines where
// Counters begin at a multiple of 128: some processors fetch lines in pairs.
type counterStripe struct {
	keys, prefixes, seeks counted
	_                     [128 - 9*8]byte
}

type counted struct{ no, yes, found atomic.Uint64 }

// count has a branch, so that the addition need not wait for the answer: an address that
// depends on it would keep the next lookup's cache miss from beginning before this one ends.
func (c *counted) count(may bool) {
	if may {
		c.yes.Add(1)
	} else {
		c.no.Add(1)
	}
}

func (c *counted) countBatch(queries, may int) {
	if may != 0 {
		c.yes.Add(uint64(may))
	}
	if may != queries {
		c.no.Add(uint64(queries - may))
	}
}

// CountKey counts the answer to one query of a filter for a whole key. If BeginLookup began a lookup of the key,
// EndLookup may count it as a true positive; otherwise the bytes of key do not matter, and nil will do. While lookups
// are begun anywhere, the answer "may contain" costs some tens of nanoseconds more.
func (c *Counters) CountKey(key []byte, may bool) {
	if c == nil {
		return
	}
	c.countKey(may)
	if l := c.lookups.Load(); may && l != nil {
		l.change(key, func(at *lookups) { at.positives++ })
	}
}

func (c *Counters) countKey(may bool) {
	if c != nil {
		c.stripes[hereStripe()].keys.count(may)
	}
}

// countPrefix counts the answer to one query for a prefix by a point lookup: the filter has no whole keys.
func (c *Counters) countPrefix(may bool) {
	if c != nil {
		c.stripes[hereStripe()].prefixes.count(may)
	}
}

// countSeek counts the answer to one query for a prefix by an iterator that seeks in this prefix.
func (c *Counters) countSeek(may bool) {
	if c != nil {
		c.stripes[hereStripe()].seeks.count(may)
	}
}

// countKeys, countPrefixes and countSeeks count a batch: may of the queries were answered with "may contain". A batch
// costs two atomic additions at most.
func (c *Counters) countKeys(queries, may int) {
	if c != nil {
		c.stripes[hereStripe()].keys.countBatch(queries, may)
	}
}

func (c *Counters) countPrefixes(queries, may int) {
	if c != nil {
		c.stripes[hereStripe()].prefixes.countBatch(queries, may)
	}
}

func (c *Counters) countSeeks(queries, may int) {
	if c != nil {
		c.stripes[hereStripe()].seeks.countBatch(queries, may)
	}
}

// Found counts a true positive: a point lookup of key queried a table's filter, and found
// the key in that table. The bytes of key do not matter, and nil will do. Do not call
// it for keys that were found without a filter, such as in a memtable, or by one that is not
// counted: the rate would be too low, and NaN in the end. It costs as much as CountKey.
//
// If filters with whole keys answered "may contain" for fewer keys than were found, the rates take the rest as found by
// filters with prefixes only.
func (c *Counters) Found(key []byte) {
	if c != nil {
		c.stripes[hereStripe()].keys.found.Add(1)
	}
}

// FoundSeek counts a true positive of a seek: the table has a key with the prefix that its filter was queried
// for. The bytes of key do not matter, and nil will do. It costs as much as CountKey.
func (c *Counters) FoundSeek(key []byte) {
	if c != nil {
		c.stripes[hereStripe()].seeks.found.Add(1)
	}
}

// Read returns the counts so far, exactly if nobody counts meanwhile. While other
// goroutines count, the numbers may be of slightly different moments; but there are no more
// true positives than positives, if each was counted after its query. It costs less than a
// microsecond.
func (c *Counters) Read() Counts {
	var counts Counts
	if c == nil {
		return counts
	}
	for i := range c.stripes { // first, since a query may be counted in another stripe
		s := &c.stripes[i]
		counts.TruePositives += s.keys.found.Load()
		counts.PrefixTruePositives += s.prefixes.found.Load()
		counts.SeekTruePositives += s.seeks.found.Load()
	}
	for i := range c.stripes {
		s := &c.stripes[i]
		counts.Useful += s.keys.no.Load()
		counts.Positives += s.keys.yes.Load()
		useful := s.prefixes.no.Load()
		counts.PrefixUseful += useful
		counts.PrefixChecked += useful + s.prefixes.yes.Load()
		counts.SeekFiltered += s.seeks.no.Load()
		counts.SeekMatches += s.seeks.yes.Load()
	}
	return counts
}

// String returns Read().String(), for package expvar.
func (c *Counters) String() string { return c.Read().String() }
