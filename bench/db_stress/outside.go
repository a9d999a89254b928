package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	root "github.com/simdbloom/simdbloom"
	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	pebblestore "github.com/simdbloom/simdbloom/bench/internal/store"
)

// verifyTables reads the filter of every table outside of Pebble. It must be of the recorded name's format,
// and all of the table's keys must be found in it, one by one and in batches.
func (s *store) verifyTables() error {
	levels, err := s.SSTables()
	if err != nil {
		return err
	}
	tables := slices.Concat(levels...)
	readers := simdbloom.Filters()
	nos, lock := make(map[string]int), sync.Mutex{}
	sets := make(map[string]*filterSet) // by the names of key hashes
	if err := s.plan.inThreads(func(number, _, _ int) error {
		for j := number; j < len(tables); j += s.plan.Threads {
			if slices.Contains(s.plan.Corrupt, pebblestore.TableName(tables[j])) {
				continue
			}
			b, err := filterOf(filepath.Join(s.plan.Store, pebblestore.TableName(tables[j])), s.state.prefixSize)
			if errors.Is(err, fs.ErrNotExist) || err == nil && (b == nil || len(b.keys) == 0) {
				continue // a compaction has removed it; a level may have no filters
			}
			if err != nil {
				return err
			}
			f, n, err := s.verifyTable(b, readers[b.policy])
			if err != nil {
				return &failure{key: -1, text: fmt.Sprintf("table %s with a filter of %q, %d bytes, %d keys: %v\n  %v", b.table(), b.policy, len(b.filter()), len(b.keys), err, s.plan)}
			}
			lock.Lock()
			nos[b.policy] += n
			if f != nil {
				name := f.Hash().Name()
				if sets[name] == nil {
					sets[name] = new(filterSet)
				}
				sets[name].add(f, b.keys)
			}
			lock.Unlock()
		}
		return nil
	}); err != nil {
		return err
	}
	for name, set := range sets {
		if err := set.lookUp(generator(s.plan.Seed, len(set.filters)), together); err != nil {
			return &failure{key: -1, text: fmt.Sprintf("%d filters of the key hash %s: %v\n  %v", len(set.filters), name, err, s.plan)}
		}
	}
	return s.verifyCounters(nos)
}

// leastAbsent is how many absent keys are looked up at least.
const leastAbsent = 256

// roomy reports whether a filter is large enough for its keys to answer "no" for most absent ones, whatever
// its format. A policy of less than 0.5 bits per key writes six bytes, which may contain every key.
func roomy(keys, bytes int) bool { return keys >= 10 && 8*bytes >= 5*keys }

var errVacuous = fmt.Errorf("it may contain each of %d absent keys or more", leastAbsent)

// verifyTable returns the filter, nil if it cannot be opened and need not, and for how many missing keys that
// verifyGets has looked up by an iterator it answers "no".
func (s *store) verifyTable(b *filterBlock, reader pebble.FilterPolicy) (f *root.Filter, nos int, err error) {
	s.tally[filtersRead].Add(1)
	kind := s.plan.kindIn(b)
	if kind.recorded == "" || reader == nil {
		return nil, 0, errors.New("no policy has that name")
	}
	f, err = kind.open(b.filter())
	if err != nil {
		if s.plan.Look {
			return nil, 0, nil
		}
		return nil, 0, err
	}
	roomy := roomy(len(b.keys), len(b.filter()))
	if is := f.Format(); !s.plan.Look && is != kind.format && (roomy || is != root.Reserved) && !(kind.mayBeFastLocal() && is == root.FastLocal) {
		return nil, 0, fmt.Errorf("it is of the format %v, not %v", is, kind.format)
	}
	r := generator(s.plan.Seed, b.first)
	absent := make([][]byte, max(leastAbsent, len(b.keys)))
	step := max((b.last-b.first)/len(absent), 1)
	for j := range absent {
		absent[j] = appendMissingKey(nil, b.first+j*step)
	}
	positive, err := lookUp(f, b.keys, absent, r)
	if err != nil {
		return nil, 0, err
	}
	for _, key := range b.keys {
		if !reader.MayContain(pebble.TableFilter, b.filter(), key) {
			return nil, 0, fmt.Errorf("the key %q by the policy: no, and it was added", key)
		}
	}
	for j, key := range absent {
		if reader.MayContain(pebble.TableFilter, b.filter(), key) != positive[j] {
			return nil, 0, fmt.Errorf("the absent key %q by the policy: %v, and by the filter: %v", key, !positive[j], positive[j])
		}
		if i := b.first + j*step; !positive[j] && s.state.prefixSize == 0 && i%2 == 1 && i < b.last {
			nos++
		}
	}
	if !s.plan.Look && roomy && !slices.Contains(positive, false) {
		return nil, 0, errVacuous
	}
	return f, nos, nil
}

// mayBeFastLocal reports whether policies of the kind build FastLocal filters of few keys.
func (k policyKind) mayBeFastLocal() bool {
	return k.format == root.Ribbon || k.recorded == "simdbloom.Paired128.XX64"
}

// open opens a table's filter. Ribbon policies also build FastLocal filters, and those of less than 0.5
// bits per key write six zeros, which are one that may contain every key.
func (k policyKind) open(filter []byte) (*root.Filter, error) {
	if !bytes.Equal(filter, make([]byte, 6)) {
		f, err := root.Open(k.format, filter, k.hash)
		if err != nil || k.format != root.Ribbon || f.Format() == root.Ribbon {
			return f, err
		}
	}
	return root.Open(root.FastLocal, filter, k.hash)
}

// verifyCounters checks that filters have answered "no" to Pebble, if they must have: to missing keys, in a
// store where no compaction could change the tables.
func (s *store) verifyCounters(nos map[string]int) error {
	const enough = 200 // a deleted range may end some lookups before they come to the table
	if !s.plan.Look || len(s.plan.Corrupt) > 0 {
		return nil
	}
	for name, n := range nos {
		if c := s.counters[name].Read(); n >= enough && c.Useful == 0 {
			return &failure{key: -1, text: fmt.Sprintf("the filters of %q say \"no\" for %d of the missing keys, and Pebble's %d lookups had none\n  %v", name, n, c.Queries(), s.plan)}
		}
	}
	return nil
}
