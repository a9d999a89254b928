package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTableKeepsItsKeysAndItsPromises(t *testing.T) {
	tab, err := newTable(numberedLines(t, 100_000), defaultRows)
	if err != nil {
		t.Fatal(err)
	}
	tab.queried = 1_000_000
	var out bytes.Buffer
	if err := tab.measure(&out, io.Discard); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, r := range tab.rows {
		own := strings.HasPrefix(r.name, "simdbloom.")
		if r.falseNegatives != 0 || r.oneNS <= 0 || r.manyNS <= 0 || r.buildNS <= 0 || own != (r.predicted > 0) {
			t.Errorf("%+v", r)
		}
		rate := float64(r.falsePositives) / float64(tab.queried)
		if want := []float64{1. / 50, 1. / 500, 1. / 20_000}[r.group]; rate > want || rate < want/10 {
			t.Errorf("%s has a rate of %v beside others of %v", r.name, rate, want/2)
		}
		if expected := r.predicted * float64(tab.queried); own && math.Abs(float64(r.falsePositives)-expected) > 0.1*expected+4*math.Sqrt(expected) {
			t.Errorf("%s: %v, predicted %v", r.name, rate, r.predicted)
		}
		if start := fmt.Sprintf("%s %.2f ", r.name, 8*float64(r.filter.SizeBytes())/50_000); !strings.Contains(text, start) {
			t.Errorf("no %q in %s", start, text)
		}
	}
	_, printed, _ := strings.Cut(out.String(), "\n\n") // before it, names of files
	for line := range strings.Lines(printed) {
		if utf8.RuneCountInString(line) > 100+len("\n") {
			t.Errorf("more than 100 columns: %s", line)
		}
	}
}

// TestAbsentKeysAreDifferentAndAbsent looks at all keys that a small table would query.
func TestAbsentKeysAreDifferentAndAbsent(t *testing.T) {
	tab, err := newTable(numberedLines(t, 101), [][]string{{"simdbloom.FastLocal:10"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(tab.added) != 51 || len(tab.absent) != 50 {
		t.Fatalf("%d added, %d absent", len(tab.added), len(tab.absent))
	}
	seen := make(map[string]bool)
	for _, key := range tab.added {
		seen[string(key)] = true
	}
	c := newCounter(tab)
	for from := 0; from < 500; from += 7 {
		c.takeAbsent(from, from+7)
		for _, key := range c.keys {
			if seen[string(key)] {
				t.Errorf("key %q is added or queried twice", key)
			}
			seen[string(key)] = true
		}
	}
}

func TestEveryPassAsksForOtherKeys(t *testing.T) {
	tab, err := newTable(numberedLines(t, 100_000), defaultRows)
	if err != nil {
		t.Fatal(err)
	}
	tab.lookups = 1000
	member := make(map[string]bool)
	for _, key := range tab.added {
		member[string(key)] = true
	}
	seen := make(map[string]bool)
	present := 0
	for pass := range 10 {
		keys, added := tab.lookupKeys(pass)
		for i, key := range keys {
			if member[string(key)] != added[i] {
				t.Errorf("key %q added: %v", key, added[i])
			}
			if added[i] {
				present++
			}
			seen[string(key)] = true
		}
	}
	if len(seen) < 9500 || present < 4700 || present > 5300 {
		t.Errorf("%d different keys of 10,000, %d of them added", len(seen), present)
	}
}

func TestTheTableAsksForAsManyKeysAsItSays(t *testing.T) {
	for _, queried := range []int{1, 16 << 10, 16<<10 + 1, 100_000} {
		tab, err := newTable(numberedLines(t, 2000), [][]string{{"simdbloom.FastLocal:10"}})
		if err != nil {
			t.Fatal(err)
		}
		tab.queried = queried
		// A filter that says yes to every key.
		r := tab.rows[0]
		if r.filter, err = r.policy.Open(make([]byte, 6)); err != nil {
			t.Fatal(err)
		}
		tab.countFalsePositives(new(bytes.Buffer))
		if got := tab.rows[0].falsePositives; got != queried {
			t.Errorf("%d keys queried, not %d", got, queried)
		}
	}
}
