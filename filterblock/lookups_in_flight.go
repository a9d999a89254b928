package filterblock

import (
	"hash/maphash"
	"sync"
)

// lookupsInFlight are the prefixes of point lookups that have begun and not ended.
type lookupsInFlight struct {
	seed   maphash.Seed
	shards [numStripes]struct {
		sync.Mutex
		lookups map[uint64]int // by the hash of the prefix
	}
}

// add adds n to the lookups of a prefix, and returns their number.
func (l *lookupsInFlight) add(prefix []byte, n int) int {
	h := maphash.Bytes(l.seed, prefix)
	s := &l.shards[h%numStripes]
	s.Lock()
	defer s.Unlock()
	total := s.lookups[h] + n
	switch {
	case n == 0:
	case total <= 0:
		delete(s.lookups, h)
	case s.lookups == nil:
		s.lookups = map[uint64]int{h: total}
	default:
		s.lookups[h] = total
	}
	return total
}

// BeginLookup says that a point lookup begins, of a key with this prefix, until EndLookup is called with the same prefix.
// It is for databases like Pebble whose filters have prefixes only, and are not told by whom they are queried:
// [Counters.CountLookupOrSeek] then knows. Any number of lookups may be under way, even of one prefix. It costs
// on the order of 100 nanoseconds.
func (c *Counters) BeginLookup(prefix []byte) {
	if c == nil {
		return
	}
	l := c.lookups.Load()
	if l == nil {
		c.lookups.CompareAndSwap(nil, &lookupsInFlight{seed: maphash.MakeSeed()})
		l = c.lookups.Load()
	}
	l.add(prefix, 1)
}

// EndLookup ends what BeginLookup began. found says that the key was found, and calls FoundPrefix. It costs what BeginLookup does.
func (c *Counters) EndLookup(prefix []byte, found bool) {
	if c == nil {
		return
	}
	if l := c.lookups.Load(); l != nil {
		l.add(prefix, -1)
	}
	if found {
		c.FoundPrefix(nil)
	}
}

// CountLookupOrSeek is CountPrefix while a point lookup of the prefix is under way, which BeginLookup began, and CountSeek
// otherwise. A seek in the prefix at the same time counts as the lookup's. It costs on the order of 30 nanoseconds.
func (c *Counters) CountLookupOrSeek(prefix []byte, may bool) {
	if c == nil {
		return
	}
	if l := c.lookups.Load(); l != nil && l.add(prefix, 0) > 0 {
		c.CountPrefix(may)
	} else {
		c.CountSeek(may)
	}
}
