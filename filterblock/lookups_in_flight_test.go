package filterblock_test

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestLookupsInFlight: queries count as a lookup's from its beginning to its end, and not for other prefixes.
func TestLookupsInFlight(t *testing.T) {
	var counters filterblock.Counters
	a, b := []byte("a"), []byte("b")
	count := func() {
		counters.CountPrefix(a, true)
		counters.CountPrefix(b, false)
	}
	for i, c := range []struct {
		do   func()
		want filterblock.Counts // of count after it
	}{
		{func() {}, filterblock.Counts{SeekMatches: 1, SeekFiltered: 1}},
		{func() { counters.EndLookup(a, false) }, filterblock.Counts{SeekMatches: 1, SeekFiltered: 1}}, // never begun
		{func() { counters.BeginLookup(a) }, filterblock.Counts{PrefixChecked: 1, SeekFiltered: 1}},
		{func() { counters.BeginLookup(a); counters.BeginLookup(b) }, filterblock.Counts{PrefixChecked: 2, PrefixUseful: 1}},
		{func() { counters.EndLookup(a, false); counters.EndLookup(b, false) }, filterblock.Counts{PrefixChecked: 1, SeekFiltered: 1}},
		{func() { counters.EndLookup(a, false) }, filterblock.Counts{SeekMatches: 1, SeekFiltered: 1}},
	} {
		c.do()
		before := counters.Read()
		count()
		if got := counters.Read().Sub(before); got != c.want {
			t.Errorf("step %d: counted %+v, want %+v", i, got, c.want)
		}
	}
	for i, c := range []struct {
		do   func()
		want uint64 // true positives
	}{
		{func() {}, 0}, // found without a filter
		{func() { counters.CountPrefix(a, false) }, 0},
		{func() { counters.CountPrefix(a, true); counters.CountPrefix(a, true) }, 1}, // of which one table has the key
		{func() { counters.CountPrefix(b, true) }, 0},
	} {
		before := counters.Read()
		counters.BeginLookup(a)
		c.do()
		counters.EndLookup(a, true)
		if got := counters.Read().Sub(before); got.PrefixTruePositives != c.want || got.TruePositives != 0 {
			t.Errorf("lookup %d: counted %+v, want %d true positives", i, got, c.want)
		}
	}
}

// TestAnswersCountOnce: of two lookups of a prefix that are under way, one has found what a table answered.
func TestAnswersCountOnce(t *testing.T) {
	var counters filterblock.Counters
	a := []byte("a")
	counters.BeginLookup(a)
	counters.BeginLookup(a)
	counters.CountPrefix(a, true)
	counters.EndLookup(a, true)
	counters.EndLookup(a, true)
	if got := counters.Read(); got.PrefixTruePositives != 1 || got.PrefixChecked != 1 {
		t.Errorf("counted %+v, want 1 true positive of 1", got)
	}
}

// TestLookupsBesideSeeks: goroutines that look up and that seek at once, each in prefixes of its own.
func TestLookupsBesideSeeks(t *testing.T) {
	const goroutines, rounds = 8, 2000
	var counters filterblock.Counters
	var wait sync.WaitGroup
	for g := range goroutines {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := range rounds {
				prefix := fmt.Appendf(nil, "%d/%d", g, i%10)
				if g%2 == 0 {
					counters.BeginLookup(prefix)
					counters.CountPrefix(prefix, i%4 == 0)
					counters.EndLookup(prefix, i%8 == 0)
				} else {
					counters.CountPrefix(prefix, i%2 == 0)
				}
			}
		}()
	}
	wait.Wait()
	const n = goroutines / 2 * rounds
	want := filterblock.Counts{PrefixChecked: n, PrefixUseful: n / 4 * 3, PrefixTruePositives: n / 8, SeekFiltered: n / 2, SeekMatches: n / 2}
	if got := counters.Read(); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}

// TestFoundByPrefixes: in a filter that has prefixes only, Found counts a true positive of point lookups, beside any
// number of seeks, and their rate is known.
func TestFoundByPrefixes(t *testing.T) {
	keys, absent := vectors.Keys("group", 0, 1000), vectors.Keys("group", 1_000_000, 1_020_000)
	for _, size := range []int{0, 200} {
		var counters filterblock.Counters
		b := write(t, parse(t, "bloomfilter:5"), contents{false, extractor(t, "fixed:6")}, keys, size, false)
		b.o.Counters = &counters
		r := b.open(t)
		inVain := 0
		for _, key := range absent {
			r.MayContainSeek(key)
			if r.MayContain(key) {
				inVain++
			}
		}
		for _, key := range keys {
			r.MayContainPrefix(key[:6])
			if !r.MayContain(key) {
				t.Fatal("a key is lost")
			}
			counters.Found(key)
		}
		got, rate := counters.Read(), float64(inVain)/float64(len(absent))
		if math.Abs(got.FPR()-rate) > 1e-9 || got.PrefixFPR() != got.FPR() || got.FalsePositives() != uint64(inVain) ||
			!strings.Contains(got.String(), `"bloom.filter.prefix.true.positive":1000,`) || inVain == 0 {
			t.Errorf("partitions of %d bytes: rate %v, want %v; counted %+v", size, got.FPR(), rate, got)
		}
	}
}

// TestKeyLookups: all answers "may contain" to a lookup that finds its key are true, and no others.
func TestKeyLookups(t *testing.T) {
	counters, nobody := filterblock.Counters{}, (*filterblock.Counters)(nil)
	a, b := []byte("a"), []byte("b")
	for i, c := range []struct {
		do   func(c *filterblock.Counters)
		want uint64 // true positives
	}{
		{func(c *filterblock.Counters) { c.EndLookup(a, true) }, 0},
		{func(c *filterblock.Counters) { c.CountKey(a, true); c.BeginLookup(a); c.EndLookup(a, true) }, 0},
		{func(c *filterblock.Counters) {
			c.BeginLookup(a)
			c.CountKey(a, true)
			c.CountKey(a, false)
			c.CountKey(a, true)
		}, 0},
		{func(c *filterblock.Counters) { c.CountKey(b, true); c.EndLookup(a, true) }, 2},
		{func(c *filterblock.Counters) { c.BeginLookup(b); c.CountKey(b, true); c.EndLookup(b, false) }, 0},
		{func(c *filterblock.Counters) {
			c.BeginLookup(b)
			c.BeginLookup(b)
			c.CountKey(b, true)
			c.EndLookup(b, true)
		}, 1},
		{func(c *filterblock.Counters) {
			c.CountKey(b, true)
			c.EndLookup(b, true)
			c.EndLookup(b, true)
		}, 1},
	} {
		c.do(nobody)
		before := counters.Read()
		c.do(&counters)
		if got := counters.Read().Sub(before); got.TruePositives != c.want || got.PrefixTruePositives != 0 {
			t.Errorf("step %d: counted %+v, want %d true positives", i, got, c.want)
		}
	}
}
