package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestTableKeepsItsKeysAndItsPromises(t *testing.T) {
	args := []string{"-table", "-m_queries=1", "-keys=" + numberedLines(t, 100_000)}
	var got output
	if err := json.Unmarshal([]byte(succeed(t, append(args, "-json")...)), &got); err != nil {
		t.Fatal(err)
	}
	names := slices.Concat(defaultRows...)
	if got.Table.Queried != 1_000_000 || got.Table.Lines != 100_000 || len(got.Table.Rows) != len(names) {
		t.Fatalf("%+v", got.Table)
	}
	text := succeed(t, args...)
	for i, r := range got.Table.Rows {
		own := strings.HasPrefix(r.Name, "simdbloom.")
		if r.Name != names[i] || r.FalseNegatives != 0 || r.Bytes == 0 || r.OneNS <= 0 || r.ManyNS <= 0 || r.BuildNS <= 0 || own != (r.Predicted > 0) {
			t.Errorf("%+v", r)
		}
		if want := []float64{1. / 50, 1. / 500, 1. / 20_000}[r.Group]; r.Rate > want || r.Rate < want/10 {
			t.Errorf("%s has a rate of %v beside others of %v", r.Name, r.Rate, want/2)
		}
		if expected := r.Predicted * float64(got.Table.Queried); own && expected > 100 && (r.Low > 1.1*r.Predicted || r.High < r.Predicted/1.1) {
			t.Errorf("%s: %v (%v to %v), predicted %v", r.Name, r.Rate, r.Low, r.High, r.Predicted)
		}
		if start := fmt.Sprintf("%s %.2f ", r.Name, r.BitsPerKey); !strings.Contains(strings.Join(strings.Fields(text), " "), start) {
			t.Errorf("no %q in %s", start, text)
		}
	}
	_, printed, _ := strings.Cut(text, "\n\n") // before it, names of files
	for line := range strings.Lines(printed) {
		if len(line) > 100+len("\n") {
			t.Errorf("more than 100 columns: %s", line)
		}
	}
}

// TestAbsentKeysAreDifferentAndAbsent looks at all keys that a small table would query.
func TestAbsentKeysAreDifferentAndAbsent(t *testing.T) {
	tab, err := newTable(numberedLines(t, 101), [][]string{{"simdbloom.Bloom:10"}})
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
	tab.Lookups = 1000
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
		tab, err := newTable(numberedLines(t, 2000), [][]string{{"simdbloom.Bloom:10"}})
		if err != nil {
			t.Fatal(err)
		}
		tab.Queried = queried
		// A filter that says yes to every key.
		r := tab.Rows[0]
		if r.filter, err = r.policy.Open(make([]byte, 6)); err != nil {
			t.Fatal(err)
		}
		tab.countFalsePositives(new(bytes.Buffer))
		if got := tab.Rows[0].FalsePositives; got != queried {
			t.Errorf("%d keys queried, not %d", got, queried)
		}
	}
}
