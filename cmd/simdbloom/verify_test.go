package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestBothVerifiesUseTheSameWords: verify, and sst -verify, about the same file.
func TestBothVerifiesUseTheSameWords(t *testing.T) {
	folder := t.TempDir()
	must(t, folder, "apple\n", "build -quiet -file -bits=10 -o {}/filter")
	for _, command := range []string{"verify {}/filter", "sst -verify {}/filter"} {
		if got := must(t, folder, "", command); !strings.HasPrefix(got, folder+"/filter: OK, ") {
			t.Errorf("%s: %s", command, got)
		}
		var got struct{ Status string }
		if err := json.Unmarshal([]byte(must(t, folder, "", command+" -json")), &got); err != nil || got.Status != "OK" {
			t.Errorf("%s -json: %+v, %v", command, got, err)
		}
	}
}
