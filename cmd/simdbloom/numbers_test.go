package main

import (
	"testing"
	"time"
)

func TestNumbers(t *testing.T) {
	for text, want := range map[string]int64{"1e6": 1e6, "1,000": 1000, "2k": 2000, "1.5M": 1.5e6, "20m": 20e6, "20 m": 20e6, "2K": 2000, "1t": 1e12, "3G": 3e9, "0": 0} {
		var c count
		if err := c.Set(text); err != nil || int64(c) != want {
			t.Errorf("%s: %d, %v", text, c, err)
		}
	}
	for text, want := range map[string]int64{"1e6": 1e6, "64KiB": 1 << 16, "64kB": 64000, "1GiB": 1 << 30, "512mib": 1 << 29, "512m": 1 << 29, "1gb": 1e9, "2 MB": 2e6, "5B": 5, "1.5G": 3 << 29} {
		var s size
		if err := s.Set(text); err != nil || int64(s) != want {
			t.Errorf("%s: %d, %v", text, s, err)
		}
	}
	for text, want := range map[string]float64{"0.001": 0.001, "1e-6": 1e-6, "0.1%": 0.001, "1/1000": 0.001} {
		var r rate
		if err := r.Set(text); err != nil || float64(r) != want {
			t.Errorf("%s: %v, %v", text, r, err)
		}
	}
	for _, text := range []string{"", "x", "-1", "1e30", "1X", "NaN", "Inf", "1BB", "1mm", "m", "infk"} {
		if err := new(size).Set(text); err == nil {
			t.Errorf("%q is a size", text)
		}
		if err := new(count).Set(text); err == nil {
			t.Errorf("%q is a count", text)
		}
	}
	for _, text := range []string{"0", "1", "x", "1/0", "1/x", "NaN", "-0.1", "200%"} {
		if err := new(rate).Set(text); err == nil {
			t.Errorf("%q is a rate", text)
		}
	}
}

func TestProgressLine(t *testing.T) {
	if got := progressLine("reading", "keys", 12_345_678, 0.25, 10*time.Second); got != "reading: 12,345,678 keys, 1.23 M/s, 25 %, 30s left" {
		t.Error(got)
	}
	if got := progressLine("reading", "keys", 900, 0, time.Second); got != "reading: 900 keys, 900/s" {
		t.Error(got)
	}
}
