package pebble_test

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/filterblock"
)

// store is a Pebble store with small tables, which compacts when it is told to.
type store struct {
	*pebble.DB
	t testing.TB
}

// logger drops everything but errors.
type logger struct{ testing.TB }

func (logger) Infof(string, ...any) {}

func open(t testing.TB, fs vfs.FS, change func(o *pebble.Options)) store {
	t.Helper()
	o := &pebble.Options{
		FS: fs, Logger: logger{t}, FormatMajorVersion: pebble.FormatNewest, Comparer: comparer,
		DisableAutomaticCompactions: true,
	}
	change(o)
	setTableSize(o, 64<<10)
	db, err := pebble.Open("store", o)
	if err != nil {
		t.Fatal(err)
	}
	return store{db, t}
}

// onAllLevels sets the policy of every level.
func onAllLevels(p pebble.FilterPolicy) func(o *pebble.Options) {
	return func(o *pebble.Options) { setPolicies(o, p) }
}

func valueOf(key []byte) []byte { return bytes.Repeat(key, 4) }

// flush writes keys, and out of the memtable into tables of L0.
func (s store) flush(keys [][]byte) {
	s.t.Helper()
	for _, key := range keys {
		s.must(s.Set(key, valueOf(key), pebble.NoSync))
	}
	s.must(s.Flush())
}

// compact leaves all tables in L6.
func (s store) compact() {
	s.t.Helper()
	s.must(compact(s.t, s.DB, []byte("a"), []byte("z")))
}

func (s store) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

type get func(key []byte) ([]byte, io.Closer, error)

// withL6 is Get by an iterator, which uses the filters of L6.
func (s store) withL6(key []byte) ([]byte, io.Closer, error) {
	iter, err := s.NewIter(&pebble.IterOptions{UseL6Filters: true, LowerBound: key})
	if err != nil {
		return nil, nil, err
	}
	if iter.SeekPrefixGE(key) && bytes.Equal(iter.Key(), key) {
		value, err := iter.ValueAndErr()
		return value, iter, err
	}
	return nil, nil, cmp.Or(errors.Join(iter.Error(), iter.Close()), pebble.ErrNotFound)
}

func (s store) checkPresent(keys [][]byte) {
	s.t.Helper()
	for _, by := range []get{s.Get, s.withL6} {
		for _, key := range keys {
			value, closer, err := by(key)
			if err != nil {
				s.t.Fatalf("%q: %v", key, err)
			}
			if !bytes.Equal(value, valueOf(key)) {
				s.t.Fatalf("%q has another value", key)
			}
			s.must(closer.Close())
		}
	}
}

// rejected looks absent keys up and returns how often a filter said no.
func (s store) rejected(by get, absent [][]byte) int64 {
	s.t.Helper()
	before := s.Metrics().Filter.Hits
	for _, key := range absent {
		if _, _, err := by(key); err != pebble.ErrNotFound {
			s.t.Fatalf("%q: %v", key, err)
		}
	}
	return s.Metrics().Filter.Hits - before
}

// absentAmong returns keys that lie between numbered ones.
func absentAmong(n int) [][]byte {
	absent := numbered(0, n)
	for i, key := range absent {
		absent[i] = append(key, '-')
	}
	return absent
}

func TestReopening(t *testing.T) {
	oldKeys, newKeys := 10_000, 2000
	if testing.Short() {
		oldKeys, newKeys = 2000, 400
	}
	absent := absentAmong(oldKeys / 10)
	none := func(*pebble.Options) {}
	withFilters := func(then func(*pebble.Options), given ...pebble.FilterPolicy) func(*pebble.Options) {
		return func(o *pebble.Options) {
			o.Filters = simdbloom.Filters(given...)
			then(o)
		}
	}
	ribbon := func(text string) pebble.FilterPolicy { return simdbloom.FilterPolicy(parse(t, text)) }
	for _, c := range []struct {
		name       string
		first      pebble.FilterPolicy
		reopen     func(*pebble.Options)
		filtersUse bool // of the old tables
	}{
		{"the same", simdbloom.Paired(23.4), onAllLevels(simdbloom.Paired(23.4)), true},
		{"fewer bits per key", simdbloom.Paired(23.4), onAllLevels(simdbloom.Paired(16)), true},
		{"more bits per key", simdbloom.FastLocal(10), onAllLevels(simdbloom.FastLocal(16)), true},
		{"another policy", simdbloom.FastLocal(10), onAllLevels(simdbloom.Paired(23.4)), false},
		{"another policy, and Filters", simdbloom.FastLocal(10), withFilters(onAllLevels(simdbloom.Paired(23.4))), true},
		{"none", simdbloom.Paired(23.4), none, false},
		{"only in Filters", simdbloom.Paired(23.4), withFilters(none), true},
		{"Ribbon", ribbon("ribbonfilter:10"), onAllLevels(ribbon("rocksdb.RibbonFilter:16:2")), true},
		{"from Ribbon, and Filters", ribbon("ribbonfilter:10"), withFilters(onAllLevels(simdbloom.Paired(23.4))), true},
		{"back to Pebble's", simdbloom.FastLocal(10), onAllLevels(bloom.FilterPolicy(10)), false},
		{"back to Pebble's, and Filters", simdbloom.FastLocal(10), withFilters(onAllLevels(bloom.FilterPolicy(10))), true},
		{"from Pebble's", bloom.FilterPolicy(10), onAllLevels(simdbloom.Paired(23.4)), false},
		{"from Pebble's, and Filters", bloom.FilterPolicy(10), withFilters(onAllLevels(simdbloom.Paired(23.4))), true},
		{"Pebble's, by Legacy", bloom.FilterPolicy(10), onAllLevels(simdbloom.Legacy(10)), true},
		{"back from Legacy", simdbloom.Legacy(10), onAllLevels(bloom.FilterPolicy(10)), true},
		{"with counters", simdbloom.FastLocal(10), withFilters(none, simdbloom.Counted(simdbloom.FastLocal(10), new(simdbloom.Counters))), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			fs := vfs.NewMem()
			keys := numbered(0, oldKeys+newKeys)
			s := open(t, fs, onAllLevels(c.first))
			s.flush(keys[:oldKeys/2])
			s.compact()
			s.flush(keys[oldKeys/2 : oldKeys])
			s.must(s.Close())

			s = open(t, fs, c.reopen)
			s.checkPresent(keys[:oldKeys])
			asked := s.Metrics().Filter
			if n := s.rejected(s.withL6, absent); (n > int64(len(absent))) != c.filtersUse {
				t.Errorf("%d absent keys were rejected %d times (%+v)", len(absent), n, asked)
			}
			s.flush(keys[oldKeys:]) // tables of the old and the new policy
			s.checkPresent(keys)
			s.compact()
			s.checkPresent(keys)
			s.must(s.Close())
		})
	}
}

func TestIteratorsUseTheFiltersOfL6(t *testing.T) {
	var counters simdbloom.Counters
	s := open(t, vfs.NewMem(), onAllLevels(simdbloom.Counted(simdbloom.Paired(23.4), &counters)))
	keys, absent := numbered(0, 5000), absentAmong(5000)
	s.flush(keys)
	s.compact()
	if n := s.rejected(s.Get, absent); n != 0 {
		t.Errorf("Pebble's Get asks L6's filters now (%d times): the documentation says that it does not", n)
	}
	if n := s.rejected(s.withL6, absent); n < 4990 {
		t.Errorf("%d of %d absent keys rejected", n, len(absent))
	}
	before := counters.Read()
	for _, key := range keys {
		_, closer, err := s.withL6(key)
		s.must(err)
		s.must(closer.Close())
		counters.Found(key)
	}
	if got := counters.Read().Sub(before); got != (filterblock.Counts{Positives: 5000, TruePositives: 5000}) {
		t.Errorf("present keys: %v", got)
	}
	s.must(s.Close())
}

func TestGetManySeesWhatItsReaderSees(t *testing.T) {
	s := open(t, vfs.NewMem(), onAllLevels(simdbloom.FastLocal(10)))
	s.flush(numbered(0, 100))
	key, other := []byte("key 7"), []byte("key 8")
	snapshot := s.NewSnapshot()
	s.must(s.Delete(key, nil))
	batch := s.NewIndexedBatch()
	s.must(batch.Set(key, []byte("again"), nil))
	s.must(batch.DeleteRange([]byte("key 8"), []byte("key 9"), nil))
	for _, c := range []struct {
		what       string
		r          pebble.Reader
		key, value []byte // nil: not found
	}{
		{"deleted", s.DB, key, nil},
		{"never written", s.DB, []byte("key"), nil},
		{"empty key", s.DB, nil, nil},
		{"in the snapshot", snapshot, key, valueOf(key)},
		{"in the batch", batch, key, []byte("again")},
		{"deleted in the batch", batch, other, nil},
		{"behind the batch", batch, []byte("key 9"), valueOf([]byte("key 9"))},
	} {
		for _, keys := range [][][]byte{{c.key}, {c.key, []byte("none")}} {
			values, err := many(c.r, keys)
			value, found := values[0]
			if err != nil || found != (c.value != nil) || value != string(c.value) || len(values) > 1 {
				t.Errorf("%s: %q, %v", c.what, values, err)
			}
		}
	}
	s.must(batch.Close())
	s.must(snapshot.Close())
	s.must(s.Close())
}

// Where the Comparer splits keys, filters hold prefixes.
func TestPrefixes(t *testing.T) {
	comparer := *pebble.DefaultComparer
	comparer.Name = "prefixes of 8 bytes"
	comparer.Split, comparer.ImmediateSuccessor = split, successor
	s := open(t, vfs.NewMem(), func(o *pebble.Options) {
		o.Comparer = &comparer
		onAllLevels(simdbloom.Paired(23.4))(o)
	})
	var keys [][]byte
	for _, prefix := range numbered(1000, 3000) { // of 8 bytes
		keys = append(keys, append(bytes.Clone(prefix), "@1"...), append(bytes.Clone(prefix), "@2"...))
	}
	s.flush(keys)
	s.checkPresent(keys)
	iter, err := s.NewIter(&pebble.IterOptions{UseL6Filters: true})
	s.must(err)
	before := s.Metrics().Filter
	for i := range 1000 {
		prefix := keys[i][:8]
		if !iter.SeekPrefixGE(prefix) || !bytes.HasPrefix(iter.Key(), prefix) {
			t.Fatalf("nothing with prefix %q", prefix)
		}
		if iter.SeekPrefixGE(append(prefix[:7:7], '-', '@')) {
			t.Fatalf("found %q", iter.Key())
		}
	}
	if after := s.Metrics().Filter; after.Hits-before.Hits < 900 {
		t.Errorf("filters said no %d times", after.Hits-before.Hits)
	}
	s.must(iter.Close())

	// Deleted ranges that begin within a prefix. The second begins where the default
	// ImmediateSuccessor would cut it off: Get would find what it deletes.
	next := append(bytes.Clone(keys[2][:8]), 0)
	s.flush([][]byte{next})
	s.compact()
	for _, deleted := range [][]byte{keys[1], next} {
		s.must(s.DeleteRange(deleted, append(bytes.Clone(deleted), 'z'), nil))
		s.must(s.Flush())
		s.rejected(s.Get, [][]byte{deleted})
		s.rejected(s.withL6, [][]byte{deleted})
	}
	s.checkPresent(keys[:1])
	s.checkPresent(keys[2:])
	iter, err = s.NewIter(&pebble.IterOptions{UseL6Filters: true})
	s.must(err)
	if !iter.SeekPrefixGE(keys[0][:8]) || !bytes.Equal(iter.Key(), keys[0]) {
		t.Fatalf("%q is not the first key of its prefix", keys[0])
	}
	if iter.Next() {
		t.Errorf("%q was deleted", iter.Key())
	}
	s.must(iter.Close())
	s.must(s.Close())
}

// split and successor are those for prefixes of 8 bytes in docs/pebble.md.
func split(key []byte) int {
	if bytes.HasPrefix(key, greatest) {
		return len(key)
	}
	return min(8, len(key))
}

var greatest = bytes.Repeat([]byte{0xff}, 8)

func successor(dst, prefix []byte) []byte {
	if len(prefix) < 8 || bytes.HasPrefix(prefix, greatest) {
		return append(append(dst, prefix...), 0) // a prefix, too
	}
	last := len(prefix) - 1
	for prefix[last] == 0xff {
		last--
	}
	dst = append(dst, prefix[:last+1]...)
	dst[len(dst)-1]++
	return dst
}

// Tables without keys have no filter, or one of no keys, and their range deletions count.
func TestRangeDeletions(t *testing.T) {
	s := open(t, vfs.NewMem(), onAllLevels(simdbloom.Paired(23.4)))
	keys := numbered(1000, 2000)
	s.flush(keys)
	s.compact()
	s.must(s.DeleteRange(keys[500], keys[1000], nil))
	s.must(s.Flush())
	s.checkPresent(keys[:500])
	s.checkPresent(keys[1000:])
	s.rejected(s.Get, keys[500:1000])
	s.rejected(s.withL6, keys[500:1000])
	s.must(s.Close())
}

// Whatever a table has instead of its filter.
func TestAnyBytesInAFilterBlock(t *testing.T) {
	for _, bytes := range []string{"", "\xff", "\xff\x00\x06\x00\x00", "\x01\x10\x07\x00", "truncated to no whole line\xff\x00\x06\x00\x00"} {
		s := open(t, vfs.NewMem(), onAllLevels(writing{simdbloom.Paired(23.4), bytes}))
		keys := numbered(0, 1000)
		s.flush(keys)
		s.checkPresent(keys)
		s.must(s.Close())
	}
}

// writing is a policy whose writers give these bytes for any keys.
type writing struct {
	pebble.FilterPolicy
	bytes string
}

func (w writing) NewWriter(pebble.FilterType) pebble.FilterWriter { return w }

func (writing) AddKey([]byte) {}

func (w writing) Finish(dst []byte) []byte { return append(dst, w.bytes...) }
