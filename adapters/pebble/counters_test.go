package pebble_test

import (
	"encoding/json"
	"expvar"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

var _ expvar.Var = (*simdbloom.Counters)(nil)

func TestCounters(t *testing.T) {
	var counters simdbloom.Counters
	if got := counters.Read(); got != (simdbloom.Counts{}) || got.FPR() != 0 {
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
	want := simdbloom.Counts{Useful: uint64(len(absent) - falsely), Positives: uint64(4000 + falsely), TruePositives: 4000}
	if got != want || got.Queries() != 54_000 || got.FalsePositives() != uint64(falsely) {
		t.Errorf("%v, want %v", got, want)
	}
	if rate := float64(falsely) / 50_000; rate == 0 || math.Abs(got.FPR()-rate) > 1e-12 {
		t.Errorf("rate %v, want %v", got.FPR(), rate)
	}

	f.MayContain(pebble.TableFilter, data, keys[0])
	f.MayContain(pebble.TableFilter, data[:len(data)-1], absent[0]) // says yes
	if since := counters.Read().Sub(got); since != (simdbloom.Counts{Positives: 2}) {
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
		if _, closer, err := simdbloom.Get(s, key); err == nil {
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
	_, closer, err := simdbloom.Get(s, key)
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
