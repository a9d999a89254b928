package filterblock

import (
	"hash/maphash"
	"sync"
)

// lookupsInFlight are the keys, or prefixes of keys, of point lookups that have begun and not ended.
type lookupsInFlight struct {
	seed   maphash.Seed
	shards [numStripes]struct {
		sync.Mutex
		lookups map[uint64]lookups // by the hash of the key
	}
}

// lookups are those of one key.
type lookups struct {
	number    int
	positives int // answers of filters with whole keys that no lookup has counted as true
}

// change changes the lookups of a key, and returns their number.
func (l *lookupsInFlight) change(key []byte, by func(*lookups)) int {
	h := maphash.Bytes(l.seed, key)
	s := &l.shards[h%numStripes]
	s.Lock()
	defer s.Unlock()
	before := s.lookups[h]
	after := before
	by(&after)
	switch {
	case after.number <= 0:
		delete(s.lookups, h)
	case s.lookups == nil:
		s.lookups = map[uint64]lookups{h: after}
	case after != before:
		s.lookups[h] = after
	}
	return after.number
}

// BeginLookup says that a point lookup begins, of a key with this prefix, until EndLookup is called with the same
// prefix. It is for databases like Pebble whose filters have prefixes only, and are not told by whom they are queried:
// [Counters.CountLookupOrSeek] then knows. Where filters have whole keys, it is for [Counters.EndKeyLookup], which ends
// it. Any number of lookups may be under way, even of one prefix. It costs on the order of 100 nanoseconds.
func (c *Counters) BeginLookup(prefix []byte) {
	if c == nil {
		return
	}
	l := c.lookups.Load()
	if l == nil {
		c.lookups.CompareAndSwap(nil, &lookupsInFlight{seed: maphash.MakeSeed()})
		l = c.lookups.Load()
	}
	l.change(prefix, func(at *lookups) { at.number++ })
}

// EndLookup ends what BeginLookup began. found says that the key was found, and calls FoundPrefix. It costs what
// BeginLookup does.
func (c *Counters) EndLookup(prefix []byte, found bool) {
	if c == nil {
		return
	}
	if l := c.lookups.Load(); l != nil {
		l.change(prefix, func(at *lookups) { at.number-- })
	}
	if found {
		c.FoundPrefix(nil)
	}
}

// CountLookupOrSeek is CountPrefix while a point lookup of the prefix is under way, which BeginLookup began, and
// CountSeek otherwise. A seek in the prefix at the same time counts as the lookup's. It costs on the order of 30
// nanoseconds.
func (c *Counters) CountLookupOrSeek(prefix []byte, may bool) {
	if c == nil {
		return
	}
	if l := c.lookups.Load(); l != nil && l.change(prefix, func(*lookups) {}) > 0 {
		c.CountPrefix(may)
	} else {
		c.CountSeek(may)
	}
}

// EndKeyLookup is EndLookup where filters have whole keys, in place of Found. If the key was found, it counts all
// answers "may contain" of [Counters.CountKeyLookup] since BeginLookup as true positives: tables may have older
// versions of the key, or tombstones, and some databases query them all. Nothing is counted if the key was found
// without a filter.
//
// So false positives are of lookups that found nothing. Give true for keys that you know were deleted, too.
func (c *Counters) EndKeyLookup(key []byte, found bool) {
	if c == nil {
		return
	}
	l := c.lookups.Load()
	if l == nil {
		return
	}
	positives := 0
	l.change(key, func(at *lookups) {
		at.number--
		if found {
			positives, at.positives = at.positives, 0
		}
	})
	if positives > 0 {
		c.stripes[hereStripe()].keys.found.Add(uint64(positives))
	}
}

// CountKeyLookup is CountKey, whose answer EndKeyLookup counts as true if the key is found. It costs what CountKey
// does, and if BeginLookup is used, some tens of nanoseconds more for the answer "may contain".
func (c *Counters) CountKeyLookup(key []byte, may bool) {
	if c == nil {
		return
	}
	c.CountKey(may)
	if l := c.lookups.Load(); may && l != nil {
		l.change(key, func(at *lookups) { at.positives++ })
	}
}
