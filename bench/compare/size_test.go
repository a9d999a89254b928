package main

import (
	"math"
	"testing"
)

func TestSizesAndCounts(t *testing.T) {
	for text, want := range map[string]int{"64": 64, "128B": 128, "16KiB": 16 << 10, "3MiB": 3 << 20, "16Ki": 16 << 10} {
		if got, err := parseSize(text); got != want || err != nil {
			t.Errorf("%s: %d, %v", text, got, err)
		}
	}
	for bytes, want := range map[int]string{64: "64 bytes", 1 << 10: "1 KiB", 3 << 20: "3 MiB", 1 << 30: "1 GiB", 1<<20 + 64: "1048640 bytes"} {
		if got := sizeText(bytes); got != want {
			t.Errorf("%d: %s, want %s", bytes, got, want)
		}
	}
	if _, err := parseCount("1Gi"); err != nil && math.MaxInt > math.MaxInt32 {
		t.Error(err)
	}
}
