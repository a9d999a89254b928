package main

import (
	"bytes"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestBeside measures one size: every row is counted, in one of the five kinds.
func TestBeside(t *testing.T) {
	defer func(bytes, keys []int) { besideBytes, besideKeys = bytes, keys }(besideBytes, besideKeys)
	besideBytes, besideKeys = besideBytes[:1], besideKeys[:1]
	var out, log bytes.Buffer
	if status := run([]string{"-beside", "-rounds=1"}, &out, &log); status != 0 {
		t.Fatalf("status %d: %s", status, &log)
	}
	rows := 0
	for _, line := range strings.Split(out.String(), "\n") {
		if cells := strings.Split(line, "|"); len(cells) == 8 {
			if ratio, err := strconv.ParseFloat(strings.TrimSpace(cells[6]), 64); err == nil && ratio > 0 {
				rows++
			}
		}
	}
	cells, kinds := 0, regexp.MustCompile(`(?m)^(.*): another library leads in \d+ of (\d+)\.$`).FindAllStringSubmatch(out.String(), -1)
	for _, kind := range kinds {
		n, _ := strconv.Atoi(kind[2])
		cells += n
	}
	if len(kinds) != 5 || rows == 0 || cells != rows || !strings.HasSuffix(out.String(), " of "+strconv.Itoa(rows)+".\n") {
		t.Errorf("%d rows, %d counted, %d kinds:\n%s", rows, cells, len(kinds), &out)
	}
	if status := run([]string{"-beside", "-quick"}, io.Discard, io.Discard); status != 2 {
		t.Errorf("-beside with -quick: status %d", status)
	}
}
