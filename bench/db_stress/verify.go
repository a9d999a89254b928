package main

import (
	"errors"

	"github.com/cockroachdb/pebble/v2"
)

// unknown is the version of a key that no Get could read.
const unknown = ^version(0)

// verify reads every key in all ways, which must agree, and settles operations that were pending. In
// a store that stays as it is they stay so, too, and a lookup in a corrupt filter may return its
// error. It also looks up keys in the tables' filters by itself. No other operations may go on.
func (s *store) verify() error {
	if err := s.verifyKeys(); err != nil {
		return err
	}
	return s.verifyTables()
}

func (s *store) verifyKeys() error {
	return s.plan.inThreads(func(_, lo, hi int) error {
		seen, err := s.verifyGets(lo, hi)
		if err != nil {
			return err
		}
		for _, verify := range []func(seen []version, lo, hi int) error{s.verifyMany, s.verifyIteration, s.verifyPrefixes} {
			if err := verify(seen, lo, hi); err != nil {
				return err
			}
		}
		if s.plan.Look {
			return nil
		}
		for i, v := range seen {
			if err := s.resolve(lo+i, v); err != nil {
				return err
			}
		}
		return nil
	})
}

// verifyGets returns the versions that both Gets find.
func (s *store) verifyGets(lo, hi int) ([]version, error) {
	seen := make([]version, hi-lo)
	for i := lo; i < hi; i++ {
		seen[i-lo] = unknown
		want := s.state.since(i, s.state.before(i))
		for _, g := range bothGets {
			v, err := s.found(g, i)
			if err != nil {
				if err = s.tolerable(err); err != nil {
					return nil, err
				}
				continue
			}
			if err := s.check(i, g.by, v, want); err != nil {
				return nil, err
			}
			want = s.exactly(i, v)
			seen[i-lo] = v
		}
		if err := s.tolerable(s.readMissing(bothGets[i%2], i)); err != nil {
			return nil, err
		}
		s.tally[verified].Add(1)
	}
	return seen, nil
}

// verifyMany reads keys by GetMany, in batches of random sizes.
func (s *store) verifyMany(seen []version, lo, hi int) error {
	r := generator(s.plan.Seed, lo)
	keys := r.Perm(hi - lo)
	for j := range keys {
		keys[j] += lo
	}
	for len(keys) > 0 {
		batch := keys[:min(batchSize(r), len(keys))]
		keys = keys[len(batch):]
		found, err := s.foundMany(s.DB, batch, r)
		if err != nil {
			if err = s.tolerable(err); err != nil {
				return err
			}
			continue
		}
		for j, i := range batch {
			if err := s.check(i, "GetMany", found[j], s.exactly(i, seen[i-lo])); err != nil {
				return err
			}
		}
	}
	return nil
}

// exactly is the only state that a key may have once it was seen. Which deletion a key was deleted by cannot be seen.
func (s *store) exactly(i int, seen version) span {
	switch {
	case seen == unknown:
		return s.state.since(i, s.state.before(i))
	case seen.present():
		return span{seen, seen}
	}
	return span{}
}

// tolerable counts the errors of corrupt blocks where there may be some, and returns nil for them.
func (s *store) tolerable(err error) error {
	if len(s.plan.Corrupt) > 0 && pebble.IsCorruptionError(err) {
		s.tally[reported].Add(1)
		return nil
	}
	return err
}

// verifyIteration iterates over all keys, which queries no filter, and so tolerates nothing.
func (s *store) verifyIteration(seen []version, lo, hi int) error {
	const by = "iteration"
	iter, err := s.NewIter(&pebble.IterOptions{LowerBound: appendKey(nil, lo), UpperBound: appendKey(nil, hi)})
	if err != nil {
		return err
	}
	found := make([]version, hi-lo)
	err = errors.Join(s.collect(by, iter, iter.First(), iter.Next, lo, found), iter.Close())
	for i := 0; i < len(seen) && err == nil; i++ {
		err = s.check(lo+i, by, found[i], s.exactly(lo+i, seen[i]))
	}
	return err
}

// verifyPrefixes iterates over every prefix, or every key if filters have whole keys, which queries
// the filters of all levels.
func (s *store) verifyPrefixes(seen []version, lo, hi int) error {
	for at := lo; at < hi; {
		next, err := s.verifyPrefixesFrom(at, seen, lo, hi)
		if err = s.tolerable(err); err != nil {
			return err
		}
		at = next
	}
	return nil
}

// verifyPrefixesFrom uses one iterator up to the first error. It returns which key comes next.
func (s *store) verifyPrefixesFrom(at int, seen []version, lo, hi int) (next int, err error) {
	const by = "iteration over a prefix"
	iter, err := s.NewIter(&pebble.IterOptions{UseL6Filters: true})
	if err != nil {
		return at, err
	}
	for at < hi && err == nil {
		prefix, _, end := s.prefixGroup(at)
		end = min(end, hi)
		found := make([]version, end-at)
		err = s.collect(by, iter, iter.SeekPrefixGE(prefix), iter.Next, at, found)
		for i := at; i < end && err == nil; i++ {
			err = s.check(i, by, found[i-at], s.exactly(i, seen[i-lo]))
		}
		at = end
	}
	return at, errors.Join(err, iter.Close())
}

// resolve settles a key. An operation that was pending has happened or not; it is the same if
// both of its versions are deletions.
func (s *store) resolve(i int, seen version) error {
	if !s.state.pending(i) {
		return nil
	}
	settled, latest := s.state.settled(i), s.state.latest(i)
	as, what := settled, notHappened
	if seen == latest || !seen.present() && !latest.present() {
		as, what = latest, happened
	}
	s.tally[what].Add(1)
	return s.state.settle(i, as)
}
