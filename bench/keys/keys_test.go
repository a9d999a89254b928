package main

import (
	"io"
	"regexp"
	"strings"
	"testing"
)

// TestTables prints every table, of small filters.
func TestTables(t *testing.T) {
	s := &settings{only: regexp.MustCompile(""), rounds: 1, queries: 64, scattered: 256, sizes: []size{{"4 KiB", 4 << 10}}}
	var out strings.Builder
	if err := measure(s, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"**Hashing, ", "**Building, ", "**FastLocal by XX64, generic**", "| 0 to 64, scattered |", "| 4 KiB: one · 8 · 32 · all |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "NaN") {
		t.Error(out.String())
	}
	s.only = regexp.MustCompile("nothing")
	if err := measure(s, io.Discard, io.Discard); err == nil {
		t.Error("no table, and no error")
	}
}

// TestPoolsHaveFreshKeys: half of the keys are present, and the next round has others.
func TestPoolsHaveFreshKeys(t *testing.T) {
	for _, l := range allLengths {
		for _, room := range []int{1000, 3000} {
			p := newPool(l, room, room > 1000, 50)
			inFilter, key := make(map[string]bool), make([]byte, slotBytes)
			for number := range uint64(50) {
				inFilter[string(l.put(key, number))] = true
			}
			seen, present := make(map[string]bool), 0
			for range 2 {
				for _, key := range p.take(1000) {
					if len(key) < l.least || len(key) > l.most {
						t.Fatalf("%v: a key of %d bytes", l, len(key))
					}
					if seen[string(key)] = true; inFilter[string(key)] {
						present++
					}
				}
			}
			if l.least > 0 && len(seen) < 900 || present < 900 || present > 1300 {
				t.Errorf("%v: %d different keys, %d present", l, len(seen), present)
			}
		}
	}
}
