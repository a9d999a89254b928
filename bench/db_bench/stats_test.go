package main

import (
	"testing"
	"time"
)

// TestMerge: together, threads have worked from the first one's beginning to the last one's end.
func TestMerge(t *testing.T) {
	at := func(second int) time.Duration { return time.Duration(second) * time.Second }
	all := &stats{begun: at(5), finished: at(10), working: 5, operations: 1, bytes: 10, looked: 100, found: 1000}
	all.merge(&stats{begun: at(3), finished: at(9), working: 6, operations: 2, bytes: 20, looked: 200, found: 2000})
	all.merge(&stats{begun: at(4), finished: at(12), working: 8, operations: 4, bytes: 40, looked: 400, found: 4000})
	if want := (stats{begun: at(3), finished: at(12), working: 19, operations: 7, bytes: 70, looked: 700, found: 7000}); *all != want {
		t.Errorf("%+v, want %+v", *all, want)
	}
}
