package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSizeByLevel(t *testing.T) {
	if got := must(t, "", "", "size -levels=1e4,1e5,1e6 -bits=10"); strings.Count(got, "\n") != 8 || !strings.Contains(got, "20.8 14.8 9.4") {
		t.Error(got)
	}
	var r levelsRow
	if err := json.Unmarshal([]byte(strings.Split(must(t, "", "", "size -levels 0,1k,20k -bytes 10KiB -json"), "\n")[2]), &r); err != nil || r.Format != "linear" || r.Bytes > 10240 || len(r.Levels) != 3 || !(r.Reads < 1.01) {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestSizeTable(t *testing.T) {
	if got := must(t, "", "", "size -keys=1e3 -bits=10"); strings.Count(got, "\n") != 8 || !strings.Contains(got, "fastlocal   10.28     1,285 ") {
		t.Error(got)
	}
	var r sizeRow
	if err := json.Unmarshal([]byte(strings.Split(must(t, "", "", "size -keys 1k -bytes 2KiB -json"), "\n")[2]), &r); err != nil || r.Format != "linear" || r.Bytes > 2048 || r.Bytes < 1900 {
		t.Errorf("%+v, %v", r, err)
	}
}
