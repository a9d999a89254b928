package pebble_test

import (
	"bytes"
	"encoding/json"
	"expvar"
	"io"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/filterblock"
)

var _ expvar.Var = (*simdbloom.Counters)(nil)

func TestCounters(t *testing.T) {
	var counters simdbloom.Counters
	if got := counters.Read(); got != (filterblock.Counts{}) || got.FPR() != 0 {
		t.Errorf("at first: %v", got)
	}
	f := simdbloom.Counted(simdbloom.FastLocal(5), &counters)
	keys, absent := numbered(0, 5000), numbered(1_000_000, 50_000)
	data := write(f, nil, keys)
	falsely := 0
	var wait sync.WaitGroup
	for part := range 4 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for _, key := range keys[part*1000:][:1000] {
				if f.MayContain(pebble.TableFilter, data, key) {
					counters.Found(key)
				}
			}
		}()
	}
	for _, key := range absent {
		if f.MayContain(pebble.TableFilter, data, key) {
			falsely++
		}
	}
	wait.Wait()
	got := counters.Read()
	want := filterblock.Counts{Useful: uint64(len(absent) - falsely), Positives: uint64(4000 + falsely), TruePositives: 4000}
	if got != want || got.Queries() != 54_000 || got.FalsePositives() != uint64(falsely) {
		t.Errorf("%v, want %v", got, want)
	}
	if rate := float64(falsely) / 50_000; rate == 0 || math.Abs(got.FPR()-rate) > 1e-12 {
		t.Errorf("rate %v, want %v", got.FPR(), rate)
	}

	f.MayContain(pebble.TableFilter, data, keys[0])
	f.MayContain(pebble.TableFilter, data[:len(data)-1], absent[0]) // says yes
	if since := counters.Read().Sub(got); since != (filterblock.Counts{Positives: 2}) {
		t.Errorf("since then: %v", since)
	}

	var object map[string]float64
	if err := json.Unmarshal([]byte(counters.String()), &object); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]uint64{
		"bloom.filter.useful": got.Useful, "bloom.filter.full.positive": got.Positives + 2,
		"bloom.filter.full.true.positive": 4000, "bloom.filter.full.false.positive": uint64(falsely) + 2,
		"bloom.filter.queries": 54_002,
	} {
		if object[name] != float64(value) {
			t.Errorf("%s is %v, want %d", name, object[name], value)
		}
	}
}

// A store with Pebble's filters in its old tables counts these, too.
func TestCountersOfOldTables(t *testing.T) {
	fs, keys, absent := vfs.NewMem(), numbered(0, 4000), absentAmong(4000)
	s := open(t, fs, onAllLevels(bloom.FilterPolicy(3)))
	s.flush(keys)
	s.must(s.Close())

	var counters simdbloom.Counters
	s = open(t, fs, func(o *pebble.Options) {
		p := simdbloom.Counted(simdbloom.Paired(23.4), &counters)
		setPolicies(o, p)
		o.Filters = simdbloom.Filters(p)
	})
	for _, key := range append(keys, absent...) {
		if _, closer, err := s.withL6(key); err == nil {
			s.must(closer.Close())
			counters.Found(key)
		}
	}
	got := counters.Read()
	if got.TruePositives != uint64(len(keys)) || got.Positives < got.TruePositives || got.FPR() < 0.1 {
		t.Errorf("at 3 bits per key: %v", got)
	}
	s.must(s.Close())
}

// Keys that are found in the memtable say nothing of a filter.
func TestMoreFoundThanQueried(t *testing.T) {
	var counters simdbloom.Counters
	s := open(t, vfs.NewMem(), onAllLevels(simdbloom.Counted(simdbloom.Paired(23.4), &counters)))
	key := []byte("a key")
	s.must(s.Set(key, nil, nil))
	_, closer, err := s.withL6(key)
	s.must(err)
	s.must(closer.Close())
	counters.Found(key)
	got := counters.Read()
	if got.FalsePositives() != 0 || !math.IsNaN(got.FPR()) || got.TruePositives != 1 {
		t.Errorf("%v", got)
	}
	if text := got.String(); !json.Valid([]byte(text)) || !strings.Contains(text, "the false-positive rate is not known") {
		t.Errorf("the text is %s", text)
	}
	s.must(s.Close())
}

// TestCountersOfOverwrittenKeys: where every tenth key was written twice, and some are in the memtable as well, the
// measured rate is the filters'.
func TestCountersOfOverwrittenKeys(t *testing.T) {
	var counters simdbloom.Counters
	s := open(t, vfs.NewMem(), onAllLevels(simdbloom.Counted(simdbloom.FastLocal(10), &counters)))
	keys, absent := numbered(0, 20_000), absentAmong(20_000)
	s.flush(keys)
	var again [][]byte
	for i := 0; i < len(keys); i += 10 {
		again = append(again, keys[i])
	}
	s.flush(again)
	for _, key := range again[:100] {
		s.must(s.Set(key, nil, nil))
	}
	for _, key := range append(keys, absent...) {
		counters.BeginLookup(key)
		_, closer, err := s.withL6(key)
		counters.EndLookup(key, err == nil)
		if err == nil {
			s.must(closer.Close())
		}
	}
	got := counters.Read()
	if rate := got.FPR(); rate < 0.0097/3 || rate > 0.0097*1.5 || got.TruePositives < uint64(len(keys)+len(again)) {
		t.Errorf("rate %v, want 0.0097; %+v", rate, got)
	}
	s.must(s.Close())
}

// TestCountedPrefixes: where filters have prefixes only, lookups and seeks are told from each other, while both run at
// once, in the filters of old tables, too. The rate of lookups is known.
func TestCountedPrefixes(t *testing.T) {
	comparer := *pebble.DefaultComparer
	comparer.Name, comparer.Split, comparer.ImmediateSuccessor = "prefixes of 8 bytes", split, successor
	fs := vfs.NewMem()
	with := func(p pebble.FilterPolicy) func(o *pebble.Options) {
		return func(o *pebble.Options) {
			o.Comparer = &comparer
			onAllLevels(p)(o)
			o.Filters = simdbloom.Filters(p)
		}
	}
	var keys, old, young [][]byte                 // two tables, which keys of either are looked up in
	for i, prefix := range numbered(1000, 4000) { // of 8 bytes
		key := append(prefix, "@1"...)
		if keys = append(keys, key); i%4 < 2 {
			old = append(old, key)
		} else {
			young = append(young, key)
		}
	}
	s := open(t, fs, with(bloom.FilterPolicy(10)))
	s.flush(old)
	s.must(s.Close())

	var counters simdbloom.Counters
	s = open(t, fs, with(simdbloom.CountedPrefixes(simdbloom.Paired(23.4), &counters)))
	s.flush(young)
	lookUp := func(get func(key []byte) ([]byte, io.Closer, error), key []byte) {
		prefix := key[:split(key)]
		counters.BeginLookup(prefix)
		_, closer, err := get(key)
		counters.EndLookup(prefix, err == nil)
		if err == nil {
			s.must(closer.Close())
		}
	}
	var wait sync.WaitGroup
	wait.Add(1)
	go func() { // seeks the other half of the prefixes
		defer wait.Done()
		iter, err := s.NewIter(&pebble.IterOptions{UseL6Filters: true})
		s.must(err)
		for i := 1; i < len(keys); i += 2 {
			if iter.SeekPrefixGE(keys[i][:split(keys[i])]) {
				counters.FoundSeek(nil)
			}
		}
		s.must(iter.Close())
	}()
	const inVain = 100
	for i := 0; i < len(keys); i += 2 {
		lookUp(s.withL6, keys[i])
		if i < 2*inVain { // a key that is absent, with a prefix that is not
			lookUp(s.withL6, append(bytes.Clone(keys[i][:split(keys[i])]), "@7"...))
		}
	}
	wait.Wait()
	got, n := counters.Read(), uint64(len(keys)/2)
	if got.PrefixTruePositives != n || got.FalsePositives() < inVain || got.FalsePositives() > inVain+50 || got.Queries() < n+inVain || got.Queries() != got.PrefixChecked {
		t.Errorf("lookups: %+v", got)
	}
	if got.SeekTruePositives != n || got.SeekMatches < n || got.SeekMatches > n+50 || got.SeekFiltered == 0 {
		t.Errorf("seeks: %+v", got)
	}
	before := got
	lookUp(s.DB.Get, young[0])
	if got = counters.Read().Sub(before); got.PrefixChecked == 0 || got.SeekMatches+got.SeekFiltered != 0 || got.FPR() != 0 {
		t.Errorf("Pebble's Get: %+v", got)
	}
	s.must(s.Close())
}

// TestTheFirstCountersCountTheRest: of several Counted policies that Filters is given, the first one's Counters count
// lookups in the filters of all other formats.
func TestTheFirstCountersCountTheRest(t *testing.T) {
	var first, second simdbloom.Counters
	filters := simdbloom.Filters(simdbloom.Linear(16), simdbloom.Counted(simdbloom.Paired(16), &first), simdbloom.Counted(simdbloom.FastLocal(10), &second))
	keys := numbered(0, 10)
	for _, c := range []struct {
		policy        pebble.FilterPolicy
		first, second uint64
	}{
		{simdbloom.Linear(16), 0, 0}, // given, and not Counted
		{simdbloom.Paired(16), 1, 0},
		{simdbloom.FastLocal(10), 1, 1},
		{simdbloom.SplitBlock(10), 2, 1},
		{simdbloom.Legacy(10), 3, 1},
	} {
		filters[c.policy.Name()].MayContain(pebble.TableFilter, write(c.policy, nil, keys), keys[0])
		if a, b := uint64(first.Read().Positives), uint64(second.Read().Positives); a != c.first || b != c.second {
			t.Errorf("%s: %d and %d lookups are counted, want %d and %d", c.policy.Name(), a, b, c.first, c.second)
		}
	}
}
