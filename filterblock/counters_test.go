package filterblock_test

import (
	"encoding/json"
	"expvar"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/simdbloom/simdbloom/filterblock"
)

var _ expvar.Var = (*filterblock.Counters)(nil)

// Eight goroutines count everything at once, from stacks of several depths.
func TestCountersAreExact(t *testing.T) {
	const goroutines, rounds = 8, 3000
	var counters filterblock.Counters
	var count func(deeper int)
	count = func(deeper int) {
		var frame [256]byte
		if deeper > 0 {
			count(deeper - 1)
			frame[deeper]++
			return
		}
		counters.CountKey(false)
		counters.CountKey(true)
		counters.CountKeys(10, 3)
		counters.Found(nil)
		counters.CountPrefix(true)
		counters.CountPrefix(false)
		counters.CountPrefixes(7, 5)
		counters.FoundPrefix([]byte("key"))
		counters.FoundPrefix(nil)
	}
	var wait sync.WaitGroup
	for range goroutines {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for round := range rounds {
				count(round % 50)
			}
		}()
	}
	wait.Wait()
	const n = goroutines * rounds
	want := filterblock.Counts{
		Useful: 8 * n, Positives: 4 * n, TruePositives: n,
		PrefixChecked: 9 * n, PrefixUseful: 3 * n, PrefixTruePositives: 2 * n,
	}
	got := counters.Read()
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got.Queries() != 12*n || got.FalsePositives() != 3*n || got.PrefixFalsePositives() != 4*n {
		t.Errorf("%d queries, %d and %d false positives", got.Queries(), got.FalsePositives(), got.PrefixFalsePositives())
	}
	if got.FPR() != 3./11 || math.Abs(got.PrefixFPR()-4./7) > 1e-15 {
		t.Errorf("rates %v and %v", got.FPR(), got.PrefixFPR())
	}
	counters.CountKey(true)
	counters.CountPrefix(false)
	if since := counters.Read().Sub(got); since != (filterblock.Counts{Positives: 1, PrefixChecked: 1, PrefixUseful: 1}) {
		t.Errorf("since then: %+v", since)
	}
}

// Whoever reads while others count finds each true positive's query counted.
func TestTruePositivesAreNeverMoreThanPositives(t *testing.T) {
	var counters filterblock.Counters
	var stop atomic.Bool
	var wait sync.WaitGroup
	for range 4 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for !stop.Load() {
				counters.CountKey(true)
				counters.CountPrefix(true)
				found := make(chan struct{})
				go func() { // in a stripe of its own
					counters.Found(nil)
					counters.FoundPrefix(nil)
					close(found)
				}()
				<-found
			}
		}()
	}
	for range 20_000 {
		got := counters.Read()
		if got.TruePositives > got.Positives || got.PrefixTruePositives > got.PrefixChecked {
			t.Errorf("%+v", got)
			break
		}
	}
	stop.Store(true)
	wait.Wait()
}

func TestNilCounts(t *testing.T) {
	var counters *filterblock.Counters
	counters.CountKey(true)
	counters.CountKeys(2, 1)
	counters.CountPrefix(true)
	counters.CountPrefixes(2, 1)
	counters.Found(nil)
	counters.FoundPrefix(nil)
	if got := counters.Read(); got != (filterblock.Counts{}) || got.FPR() != 0 || got.PrefixFPR() != 0 {
		t.Errorf("%+v", got)
	}
	if got, want := counters.String(), new(filterblock.Counters).String(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestBatchesOfImpossibleNumbersPanic(t *testing.T) {
	for _, counters := range []*filterblock.Counters{new(filterblock.Counters), nil} {
		for _, batch := range [][2]int{{1, 2}, {3, -1}, {-2, -1}, {-1, 0}, {math.MinInt, math.MaxInt}} {
			for _, count := range []func(queries, may int){counters.CountKeys, counters.CountPrefixes} {
				func() {
					defer func() {
						if recover() == nil {
							t.Errorf("%v: no panic", batch)
						}
					}()
					count(batch[0], batch[1])
				}()
			}
		}
		for _, batch := range [][2]int{{0, 0}, {5, 0}, {5, 5}} {
			counters.CountKeys(batch[0], batch[1])
			counters.CountPrefixes(batch[0], batch[1])
		}
		want := filterblock.Counts{Useful: 5, Positives: 5, PrefixChecked: 10, PrefixUseful: 5}
		if got := counters.Read(); counters != nil && got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

func TestMoreFoundThanQueries(t *testing.T) {
	var counters filterblock.Counters
	counters.CountPrefix(false)
	for range 10 {
		counters.Found(nil)
		counters.FoundPrefix(nil)
	}
	got := counters.Read()
	if got.FalsePositives() != 0 || !math.IsNaN(got.FPR()) || got.TruePositives != 10 {
		t.Errorf("%+v", got)
	}
	if got.PrefixFalsePositives() != 0 || !math.IsNaN(got.PrefixFPR()) || got.PrefixTruePositives != 10 {
		t.Errorf("%+v", got)
	}
	if impossible := (filterblock.Counts{PrefixUseful: 3}); impossible.PrefixFalsePositives() != 0 {
		t.Errorf("%d prefix false positives", impossible.PrefixFalsePositives())
	}
}

func TestString(t *testing.T) {
	var counters filterblock.Counters
	counters.CountKeys(1000, 200)
	counters.CountPrefixes(100, 30)
	for range 100 {
		counters.Found(nil)
	}
	for range 10 {
		counters.FoundPrefix(nil)
	}
	var got map[string]float64
	if err := json.Unmarshal([]byte(counters.String()), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{
		"bloom.filter.queries": 1000, "bloom.filter.useful": 800, "bloom.filter.full.positive": 200,
		"bloom.filter.full.true.positive": 100, "bloom.filter.full.false.positive": 100, "bloom.filter.fpr": 1. / 9,
		"bloom.filter.prefix.checked": 100, "bloom.filter.prefix.useful": 70, "bloom.filter.prefix.true.positive": 10,
		"bloom.filter.prefix.false.positive": 20, "bloom.filter.prefix.fpr": 2. / 9,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestCountingAllocatesNothing(t *testing.T) {
	var counters filterblock.Counters
	if n := testing.AllocsPerRun(100, func() {
		counters.CountKey(true)
		counters.CountPrefix(false)
		counters.CountKeys(9, 4)
		counters.CountPrefixes(9, 4)
		counters.Found(nil)
		counters.FoundPrefix(nil)
		counters.Read()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
