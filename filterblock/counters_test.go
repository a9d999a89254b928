package filterblock_test

import (
	"encoding/json"
	"expvar"
	"fmt"
	"math"
	"strings"
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
		counters.CountKey(nil, false)
		counters.CountKey(nil, true)
		counters.CountKeys(10, 3)
		counters.Found(nil)
		counters.CountLookup(true)
		counters.CountLookup(false)
		counters.CountPrefixes(7, 5)
		counters.FoundPrefix()
		counters.FoundPrefix()
		counters.CountSeek(true)
		counters.CountSeek(false)
		counters.CountSeeks(9, 3)
		counters.FoundSeek(nil)
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
		SeekFiltered: 7 * n, SeekMatches: 4 * n, SeekTruePositives: n,
	}
	got := counters.Read()
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got.Queries() != 21*n || got.FalsePositives() != 7*n {
		t.Errorf("%d queries, %d false positives", got.Queries(), got.FalsePositives())
	}
	if math.Abs(got.FPR()-7./18) > 1e-15 || math.Abs(got.PrefixFPR()-4./7) > 1e-15 || got.SeekFPR() != 3./10 {
		t.Errorf("rates %v, %v and %v", got.FPR(), got.PrefixFPR(), got.SeekFPR())
	}
	counters.CountKey(nil, true)
	counters.CountLookup(false)
	counters.CountSeek(true)
	counters.CountSeek(false)
	counters.FoundSeek(nil)
	want = filterblock.Counts{Positives: 1, PrefixChecked: 1, PrefixUseful: 1, SeekFiltered: 1, SeekMatches: 1, SeekTruePositives: 1}
	if since := counters.Read().Sub(got); since != want {
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
				counters.CountKey(nil, true)
				counters.CountLookup(true)
				counters.CountSeek(true)
				found := make(chan struct{})
				go func() { // in a stripe of its own
					counters.Found(nil)
					counters.FoundPrefix()
					counters.FoundSeek(nil)
					close(found)
				}()
				<-found
			}
		}()
	}
	for range 20_000 {
		got := counters.Read()
		if got.TruePositives > got.Positives || got.PrefixTruePositives > got.PrefixChecked || got.SeekTruePositives > got.SeekMatches {
			t.Errorf("%+v", got)
			break
		}
	}
	stop.Store(true)
	wait.Wait()
}

func TestNilCounts(t *testing.T) {
	var counters *filterblock.Counters
	counters.CountKey(nil, true)
	counters.CountKeys(2, 1)
	counters.CountLookup(true)
	counters.CountPrefixes(2, 1)
	counters.CountSeek(true)
	counters.CountSeeks(2, 1)
	counters.Found(nil)
	counters.FoundPrefix()
	counters.FoundSeek(nil)
	counters.BeginLookup(nil)
	counters.CountPrefix(nil, true)
	counters.EndLookup(nil, true)
	if got := counters.Read(); got != (filterblock.Counts{}) || got.FPR() != 0 || got.PrefixFPR() != 0 {
		t.Errorf("%+v", got)
	}
	if got, want := counters.String(), new(filterblock.Counters).String(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestBatchesOfExtremes(t *testing.T) {
	var counters filterblock.Counters
	for _, batch := range [][2]int{{0, 0}, {5, 0}, {5, 5}} {
		counters.CountKeys(batch[0], batch[1])
		counters.CountPrefixes(batch[0], batch[1])
		counters.CountSeeks(batch[0], batch[1])
	}
	want := filterblock.Counts{Useful: 5, Positives: 5, PrefixChecked: 10, PrefixUseful: 5, SeekFiltered: 5, SeekMatches: 5}
	if got := counters.Read(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestMoreFoundThanQueries(t *testing.T) {
	var counters filterblock.Counters
	counters.CountLookup(false)
	for range 10 {
		counters.Found(nil)
		counters.FoundPrefix()
		counters.FoundSeek(nil)
	}
	got := counters.Read()
	if !math.IsNaN(got.SeekFPR()) || got.SeekTruePositives != 10 {
		t.Errorf("%+v", got)
	}
	if got.FalsePositives() != 0 || !math.IsNaN(got.FPR()) || got.TruePositives != 10 {
		t.Errorf("%+v", got)
	}
	if !math.IsNaN(got.PrefixFPR()) || got.PrefixTruePositives != 10 {
		t.Errorf("%+v", got)
	}
	if impossible := (filterblock.Counts{PrefixUseful: 3}); impossible.PrefixFPR() != 0 || impossible.FalsePositives() != 0 {
		t.Errorf("%v, %d", impossible.PrefixFPR(), impossible.FalsePositives())
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
		counters.FoundPrefix()
	}
	counters.CountSeeks(50, 15)
	for range 5 {
		counters.FoundSeek(nil)
	}
	var got map[string]float64
	if err := json.Unmarshal([]byte(counters.String()), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{
		"bloom.filter.queries": 1100, "bloom.filter.useful": 800, "bloom.filter.full.positive": 200,
		"bloom.filter.full.true.positive": 100, "bloom.filter.full.false.positive": 100, "bloom.filter.fpr": 120. / 990,
		"bloom.filter.prefix.checked": 100, "bloom.filter.prefix.useful": 70, "bloom.filter.prefix.true.positive": 10,
		"bloom.filter.prefix.false.positive": 20, "bloom.filter.prefix.fpr": 2. / 9,
		"seek.filtered": 35, "seek.filter.match": 15, "seek.data.useful.filter.match": 5, "seek.fpr": 10. / 45,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestStringOfFoundKeys: what filters with whole keys cannot have found, those with prefixes have.
func TestStringOfFoundKeys(t *testing.T) {
	text := filterblock.Counts{Positives: 2, TruePositives: 5, PrefixChecked: 10, PrefixUseful: 6, PrefixTruePositives: 1}.String()
	for _, want := range []string{`"bloom.filter.full.true.positive":2,`, `"bloom.filter.full.false.positive":0,`, `"bloom.filter.prefix.true.positive":4,`, `"bloom.filter.prefix.false.positive":0,`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %s", text, want)
		}
	}
	for rate, counts := range map[string]filterblock.Counts{
		"bloom.filter.fpr": {Useful: 1, TruePositives: 1}, "bloom.filter.prefix.fpr": {Positives: 5, PrefixTruePositives: 1}, "seek.fpr": {SeekTruePositives: 1},
	} {
		if text := counts.String(); !strings.Contains(text, `"`+rate+`":null`) || !strings.Contains(text, `"bloom.filter.warning":"more keys were found`) {
			t.Errorf("%+v: %s", counts, text)
		}
	}
	if rate := (filterblock.Counts{Positives: 1}).FPR(); rate != 1 {
		t.Errorf("the rate of one false positive is %v", rate)
	}
}

func TestCountingAllocatesNothing(t *testing.T) {
	var counters filterblock.Counters
	if n := testing.AllocsPerRun(100, func() {
		counters.CountKey(nil, true)
		counters.CountLookup(false)
		counters.CountKeys(9, 4)
		counters.CountPrefixes(9, 4)
		counters.CountSeek(true)
		counters.CountSeeks(9, 4)
		counters.Found(nil)
		counters.FoundPrefix()
		counters.FoundSeek(nil)
		counters.CountPrefix(nil, true)
		counters.Read()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
