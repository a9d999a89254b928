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
	number int

	// Answers "may contain" that no lookup has counted as true, of filters with whole keys and of those with
	// prefixes only.
	positives, prefixes int
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

// BeginLookup says that a point lookup begins, of this key, or of a key with this prefix if the filters have prefixes
// only. It ends with EndLookup of the same bytes. It is for databases like Pebble that query many tables' filters for a
// key, and tell filters neither whether a lookup or a seek queries them nor whether the key was found. Any number of
// lookups may be under way, even of one key. It costs on the order of 100 nanoseconds.
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

// EndLookup ends a lookup that BeginLookup began. If the key was found, answers "may contain" since then count as true
// positives: all those to [Counters.CountKey], since tables may have older versions of the key, or tombstones, and
// some databases query them all; and one to [Counters.CountPrefix], since other tables may have only other keys with
// the prefix. Nothing is counted if the key was found without a filter.
//
// So false positives are of lookups that found nothing. Give true for keys that you know were deleted, too. It costs
// as much as BeginLookup.
func (c *Counters) EndLookup(key []byte, found bool) {
	if c == nil {
		return
	}
	l := c.lookups.Load()
	if l == nil {
		return
	}
	keys, prefixes := 0, 0
	l.change(key, func(at *lookups) {
		at.number--
		if found {
			keys, prefixes = at.positives, min(at.prefixes, 1)
			at.positives, at.prefixes = 0, at.prefixes-prefixes
		}
	})
	s := &c.stripes[hereStripe()]
	if keys > 0 {
		s.keys.found.Add(uint64(keys))
	}
	if prefixes > 0 {
		s.prefixes.found.Add(1)
	}
}

// CountPrefix counts the answer to one query of a filter for a prefix: by a point lookup while one is under way that
// BeginLookup began with the prefix, and otherwise by an iterator that seeks in it. A seek in the prefix at the same
// time counts as the lookup's. It costs on the order of 30 nanoseconds.
func (c *Counters) CountPrefix(prefix []byte, may bool) {
	if c == nil {
		return
	}
	l := c.lookups.Load()
	isLookup := l != nil && l.change(prefix, func(at *lookups) {
		if may {
			at.prefixes++
		}
	}) > 0
	if isLookup {
		c.countPrefix(may)
	} else {
		c.countSeek(may)
	}
}
