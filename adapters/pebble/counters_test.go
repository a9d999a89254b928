package pebble_test

import (
	"encoding/json"
	"expvar"
	"math"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2"

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

func TestMoreFoundThanQueried(t *testing.T) {
	var counters simdbloom.Counters
	for _, key := range numbered(0, 10) {
		counters.Found(key)
	}
	if got := counters.Read(); got.FalsePositives() != 0 || got.FPR() != 0 || got.TruePositives != 10 {
		t.Errorf("%v", got)
	}
}
