package main

import (
	"os"
	"path/filepath"
	"strings"
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
	for _, c := range []struct {
		done int64
		part float64
		took time.Duration
		want string
	}{
		{12_345_678, 0.25, 10 * time.Second, "reading: 12,345,678 keys, 1.23 M/s, 25 %, 30s left"},
		{900, 0, time.Second, "reading: 900 keys, 900/s"},
		{999_499, 1.5, time.Second, "reading: 999,499 keys, 999,499/s, 100 %, 0s left"},
		{999_500, 0, time.Second, "reading: 999,500 keys, 1.00 M/s"},
		{999_500_000, 0, time.Second, "reading: 999,500,000 keys, 1.00 G/s"},
		{2, 0, 0, "reading: 2 keys, 2.00 G/s"},
	} {
		if got := progressLine("reading", "keys", c.done, c.part, c.took); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestProgress: a line now and then, which a terminal has in the place of the one before, without what that had behind
// it. With -quiet, nothing is printed.
func TestProgress(t *testing.T) {
	var out strings.Builder
	says := func(what, want string) {
		t.Helper()
		if out.String() != want {
			t.Errorf("%s: %q, want %q", what, &out, want)
		}
		out.Reset()
	}
	p := newProgress(&out, false)
	p.begin("reading", "keys")
	p.last = time.Now().Add(-time.Second)
	p.at(0, 0)
	says("after a second", "")
	p.last = time.Now().Add(-time.Minute)
	p.at(0, 1)
	p.at(0, 1)
	says("after a minute", "reading: 0 keys, 0/s, 100 %, 0s left\n")
	p.end()
	says("at the end", "")
	p.say("%d parts", 2)
	says("a remark", "2 parts\n")
	p.terminal = true
	p.last = time.Now().Add(time.Minute)
	p.at(0, 0)
	says("early on a terminal", "")
	p.last = time.Now().Add(-time.Second)
	p.at(0, 0)
	says("on a terminal", "\rreading: 0 keys, 0/s")
	p.last = time.Now().Add(-time.Second)
	sstProgress{p}.At(1, 4)
	if !strings.Contains(out.String(), ", 25 %, ") {
		t.Errorf("of sst: %q", &out)
	}
	out.Reset()
	p.length = len("reading: 0 keys, 0/s")
	p.begin("reading", "ks")
	p.last = time.Now().Add(-time.Second)
	p.at(0, 0)
	says("a shorter line", "\rreading: 0 ks, 0/s  ")
	p.end()
	p.end()
	says("the end on a terminal", "\r"+strings.Repeat(" ", len("reading: 0 ks, 0/s"))+"\r")
	p.quiet = true
	p.last = time.Now().Add(-time.Minute)
	p.at(0, 0)
	p.say("a remark")
	says("-quiet", "")
	for name, is := range map[string]bool{os.DevNull: true, filepath.Join(t.TempDir(), "file"): false} {
		file, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv("TERM", "xterm")
		if info, err := file.Stat(); err == nil && isTerminal(file) != (is && info.Mode()&os.ModeCharDevice != 0) {
			t.Errorf("%s: %v", name, isTerminal(file))
		}
		t.Setenv("TERM", "dumb")
		if file.Close(); isTerminal(file) || isTerminal(&out) {
			t.Errorf("%s is a terminal, though it is dumb", name)
		}
	}
}
