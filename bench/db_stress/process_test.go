package main

import (
	"strings"
	"testing"
)

// TestCorruptFilesThatNobodyChanged: no operation returns the error of a compaction that meets one.
func TestCorruptFilesThatNobodyChanged(t *testing.T) {
	w := &process{plan: &plan{Corrupt: []string{"000001.sst"}}, last: message{Corrupt: []string{"000001.sst"}}}
	if err := w.ended(nil); err != nil {
		t.Error(err)
	}
	w.last.Corrupt = append(w.last.Corrupt, "000002.sst")
	if err := w.ended(nil); err == nil || !strings.HasPrefix(err.Error(), "000002.sst: ") {
		t.Error(err)
	}
}
