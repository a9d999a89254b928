package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/cockroachdb/pebble/v2"
)

// thread does random operations. It alone writes the keys from lo up to but not including hi.
type thread struct {
	*store
	random *rand.Rand
	lo, hi int
	// unsynced keys were written to the log without waiting. Pebble keeps up to a block of 32 KiB in
	// the process, which a kill loses. What follows them in the log and is waited for settles them.
	unsynced []int
	snapshot snapshot
}

// stress does operations in all threads until there were enough, or stop is closed.
func (s *store) stress(stop <-chan struct{}) error {
	return s.plan.inThreads(func(number, lo, hi int) error {
		t := &thread{store: s, random: generator(s.plan.Seed, number), lo: lo, hi: hi}
		defer t.closeSnapshot()
		for range s.plan.OpsPerThread {
			select {
			case <-stop:
				return t.sync()
			default:
			}
			s.quiet.RLock()
			err := t.operation()
			s.quiet.RUnlock()
			if err != nil {
				return s.explained(err)
			}
		}
		return t.sync()
	})
}

// operation does one operation. The tally has it when it begins.
func (t *thread) operation() error {
	if t.oneIn(t.plan.CompactRangeOneIn) {
		return t.compact()
	}
	percent := t.random.IntN(100)
	for _, operation := range []struct {
		percent int
		do      func() error
	}{
		{10, t.read},
		{3, t.readSnapshot},
		{17, t.iteratePrefix},
		{10, t.iterate},
		{45, func() error { return t.write(puts) }},
		{14, func() error { return t.write(deletes) }},
	} {
		if percent < operation.percent {
			return operation.do()
		}
		percent -= operation.percent
	}
	return t.deleteRange()
}

func (t *thread) oneIn(times int) bool { return times > 0 && t.random.IntN(times) == 0 }

func (t *thread) compact() error {
	t.tally[compactions].Add(1)
	from := t.random.IntN(t.plan.MaxKey)
	to := from + 1 + t.random.IntN(t.plan.MaxKey-from)
	err := t.Compact(context.Background(), appendKey(nil, from), appendKey(nil, to), false)
	if errors.Is(err, pebble.ErrCancelledCompaction) {
		return nil
	}
	return t.harmless(err)
}

// read looks up a key, a missing one, or several keys.
func (t *thread) read() error {
	if t.random.IntN(3) == 0 {
		return t.multiGet()
	}
	t.tally[gets].Add(1)
	g, i := bothGets[t.random.IntN(2)], t.random.IntN(t.plan.MaxKey)
	if t.random.IntN(8) == 0 {
		return t.harmless(t.readMissing(g, i))
	}
	before := t.state.before(i)
	v, err := t.found(g, i)
	if err != nil {
		return t.harmless(err)
	}
	return t.check(i, g.by, v, t.state.since(i, before))
}

// multiGet looks up several keys by the adapter's GetMany, some of them twice.
func (t *thread) multiGet() error {
	t.tally[multiGets].Add(1)
	keys := make([]int, batchSize(t.random))
	before := make([]version, len(keys))
	for j := range keys {
		keys[j] = t.random.IntN(t.plan.MaxKey)
		if j > 0 && t.random.IntN(16) == 0 {
			keys[j] = keys[t.random.IntN(j)]
		}
		before[j] = t.state.before(keys[j])
	}
	found, err := t.foundMany(t.DB, keys, t.random)
	if err != nil {
		return t.harmless(err)
	}
	for j, i := range keys {
		if err := t.check(i, "GetMany", found[j], t.state.since(i, before[j])); err != nil {
			return err
		}
	}
	return nil
}

func (t *thread) iteratePrefix() error {
	t.tally[prefixes].Add(1)
	prefix, lo, hi := t.prefixGroup(t.random.IntN(t.plan.MaxKey))
	return t.over("iteration over a prefix", lo, hi, &pebble.IterOptions{UseL6Filters: true},
		func(iter *pebble.Iterator) (bool, func() bool) { return iter.SeekPrefixGE(prefix), iter.Next })
}

func (t *thread) iterate() error {
	t.tally[iterations].Add(1)
	lo := t.random.IntN(t.plan.MaxKey)
	hi := min(lo+20, t.plan.MaxKey)
	back := t.random.IntN(2) == 0
	return t.over("iteration", lo, hi, &pebble.IterOptions{LowerBound: appendKey(nil, lo), UpperBound: appendKey(nil, hi)},
		func(iter *pebble.Iterator) (bool, func() bool) {
			if back {
				return iter.Last(), iter.Prev
			}
			return iter.First(), iter.Next
		})
}

// over iterates over keys while other threads may write them.
func (t *thread) over(by string, lo, hi int, options *pebble.IterOptions, begin func(*pebble.Iterator) (bool, func() bool)) error {
	before, found := make([]version, hi-lo), make([]version, hi-lo)
	for j := range before {
		before[j] = t.state.before(lo + j)
	}
	iter, err := t.NewIter(options)
	if err != nil {
		return t.harmless(err)
	}
	valid, step := begin(iter)
	if err := errors.Join(t.collect(by, iter, valid, step, lo, found), iter.Close()); err != nil {
		return t.harmless(err)
	}
	for j, v := range found {
		if err := t.check(lo+j, by, v, t.state.since(lo+j, before[j])); err != nil {
			return err
		}
	}
	return nil
}

// write puts or deletes a key, or a batch of keys.
func (t *thread) write(what kind) error {
	t.tally[what].Add(1)
	n := 1
	if t.random.IntN(4) == 0 {
		n = 1 + t.random.IntN(16)
	}
	var keys []int
	for range n {
		if i := t.lo + t.random.IntN(t.hi-t.lo); !slices.Contains(keys, i) {
			keys = append(keys, i)
		}
	}
	return t.commit(keys, what == puts, func(batch *pebble.Batch, i int, v version) error {
		if what == puts {
			return batch.Set(appendKey(nil, i), appendValue(nil, i, v), nil)
		}
		return batch.Delete(appendKey(nil, i), nil)
	})
}

func (t *thread) deleteRange() error {
	t.tally[rangeDeletes].Add(1)
	lo := t.lo + t.random.IntN(t.hi-t.lo)
	return t.deleteKeys(lo, min(lo+1+t.random.IntN(16), t.hi))
}

// deleteKeys deletes the range of keys from lo up to but not including hi.
func (t *thread) deleteKeys(lo, hi int) error {
	var keys []int
	for i := lo; i < hi; i++ {
		keys = append(keys, i)
	}
	return t.commit(keys, false, func(batch *pebble.Batch, i int, _ version) error {
		if i > lo {
			return nil
		}
		return batch.DeleteRange(appendKey(nil, lo), appendKey(nil, hi), nil)
	})
}

// commit writes keys in one batch, of which all operations happen or none does.
func (t *thread) commit(keys []int, present bool, write func(*pebble.Batch, int, version) error) error {
	if slices.ContainsFunc(keys, t.state.pending) {
		if err := t.sync(); err != nil {
			return err
		}
	}
	batch := t.NewBatch()
	for _, i := range keys {
		v, err := t.state.begin(i, present)
		if err == nil {
			err = write(batch, i, v)
		}
		if err != nil {
			return err
		}
	}
	wait := t.random.IntN(4) > 0
	if err := t.Apply(batch, &pebble.WriteOptions{Sync: wait}); err != nil {
		return err
	}
	for _, i := range keys {
		t.state.apply(i)
	}
	t.unsynced = append(t.unsynced, keys...)
	if !wait {
		return batch.Close()
	}
	return errors.Join(t.settle(), batch.Close())
}

// sync has everything survive a kill that this thread wrote.
func (t *thread) sync() error {
	if len(t.unsynced) == 0 {
		return nil
	}
	if err := t.LogData(nil, pebble.Sync); err != nil {
		return err
	}
	return t.settle()
}

// settle is called when the log is on disk up to this thread's last write.
func (t *thread) settle() error {
	for _, i := range t.unsynced {
		if err := t.state.settle(i, t.state.latest(i)); err != nil {
			return err
		}
	}
	t.unsynced = t.unsynced[:0]
	return nil
}
