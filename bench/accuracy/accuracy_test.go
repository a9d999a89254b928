package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/internal/test/measured/committed"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestCommittedPages: the page and the plots in docs are those of bench/accuracy.json, which has all
// settings. Some of them, measured again, are the same.
func TestCommittedPages(t *testing.T) {
	r, _ := committed.Pages(t, "../..", "accuracy.json", (*results).files)
	if err := r.check(); err != nil {
		t.Error(err)
	}
	planned, again := newResults(full).all(), 0
	if len(planned) != len(r.all()) {
		t.Fatalf("%d settings are planned, and %d in the file", len(planned), len(r.all()))
	}
	for i, s := range r.all() {
		if planned[i].String() != s.String() {
			t.Fatalf("%s is planned, and %s in the file", planned[i], s)
		}
		if s.Keys*s.Filters > 300_000 || s.Queries > 3_000_000 {
			continue
		}
		again++
		if err := planned[i].measure(); err != nil || !reflect.DeepEqual(planned[i], s) {
			t.Errorf("measured %+v, %v: in the file %+v", planned[i], err, s)
		}
	}
	if again < 5 {
		t.Errorf("%d settings are few", again)
	}
}

// TestSmallRun measures everything with few keys and queries, and writes the page from that.
func TestSmallRun(t *testing.T) {
	clone := t.TempDir()
	for _, directory := range []string{"bench", "docs/plots"} {
		if err := os.MkdirAll(filepath.Join(clone, directory), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var stderr bytes.Buffer
	for _, args := range [][]string{{"-scale=0.0001", "-o=" + filepath.Join(clone, "bench", "accuracy.json")}, {"-pages=" + clone}} {
		if status := command.Run("accuracy", args, io.Discard, &stderr, parseSettings, run); status != 0 {
			t.Fatalf("%v: status %d, %s", args, status, &stderr)
		}
	}
	page, err := os.ReadFile(filepath.Join(clone, "docs", "accuracy.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"\n| FastLocal | 10 | 100,000 | 10.00 | ", "\n| 10, 100 | ", "\n| the low 10 bits | ", "\n| no shards | "} {
		if !strings.Contains(string(page), part) {
			t.Errorf("no %q in the page", part)
		}
	}
	for _, wrong := range []string{"NaN", "%!", "Inf", "<no value>"} {
		if strings.Contains(string(page), wrong) {
			t.Errorf("%q in the page", wrong)
		}
	}
}

// TestWhatIsWrongIsFound changes what package bloom does, and what it says.
func TestWhatIsWrongIsFound(t *testing.T) {
	sound := *fastLocal
	for want, change := range map[string]func(){
		"":                             func() {},
		"PredictedFPR":                 func() { fastLocal.predict = func(int, float64, ...simdbloom.Option) float64 { return 0.0115 } },
		"FALSE NEGATIVE":               func() { open = forgetful },
		"BitsPerKeyFor promised 0.001": func() { promisedRate = 0.001 },
	} {
		change()
		s := &setting{Format: "FastLocal", Keys: 10_000, BitsPerKey: 10, Promised: promisedRate}
		s.plan(20_000, 1e7, 1e6)
		err := s.measure()
		if err == nil {
			err = s.check()
		}
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
		*fastLocal, promisedRate, open = sound, 0, simdbloom.Open
	}
	for _, p := range []struct {
		planned
		wrong bool
	}{
		{planned{From: 100, Settings: 900, Worst: 1.2, SettingsAbove: 3}, false},
		{planned{From: 100, Settings: 900, Worst: 1.2, SettingsAbove: 4}, true},
		{planned{From: 2500, Settings: 900, Worst: 1.26}, true},
		{planned{From: 1, Settings: 900, Worst: 4}, false},
		{planned{From: 10_000, Settings: 900, SettingsAbove: 1}, true},
	} {
		if err := p.check(); (err != nil) != p.wrong {
			t.Errorf("%+v: %v", p, err)
		}
	}
	for change, wrong := range map[float64]bool{1: false, 1.5: true, 0.6: true} {
		p := pebbleRates{Measured: []tableRate{newTableRate(199)}}
		one := &p.Measured[0]
		one.Queries = 1_000_000
		one.FalsePositives = int(change * one.Predicted * float64(one.Queries))
		if err := p.check(); (err != nil) != wrong {
			t.Errorf("%v times the predicted rate: %v", change, err)
		}
	}
}

var promisedRate = 0.0

// forgetful opens a filter of which a block is empty.
func forgetful(format simdbloom.Format, data []byte, hash keyhash.Hash) (*simdbloom.Filter, error) {
	data = bytes.Clone(data)
	clear(data[:64])
	return simdbloom.Open(format, data, hash)
}
