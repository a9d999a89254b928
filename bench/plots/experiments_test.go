package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bench/internal/results"
	"github.com/simdbloom/simdbloom/bench/internal/store"
)

// TestCommittedExperiments compares the committed plots and the page with what is drawn from
// the committed results.
func TestCommittedExperiments(t *testing.T) {
	all, err := results.LoadExperiments("../experiments.json")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filesOfExperiments(all, "../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what bench/experiments.json says (make plots writes it again)", name)
		}
	}
}

// measured is an experiment of two filters, one round of which is not finished.
func measured(name string) *results.Experiment {
	x := &results.Experiment{
		Name: name, Begun: "2026-11-23T08:00:00Z", Note: "a test",
		Settings: results.ExperimentSettings{Keys: 1000, KeySpace: 9500, Operations: 1000, Rounds: 4, Threads: 1, LatencyMicros: 100},
		Source:   &store.Description{Levels: []store.Level{{Level: 6, Tables: 2, Keys: 1000}}},
		Contestants: []*results.Contestant{
			{Name: "FastLocal", Filter: "rocksdb.BloomFilter:28"}, {Name: "Paired", Filter: "speedb.PairedBloomFilter:23.4"},
		},
	}
	for i, c := range x.Contestants {
		c.Store = &store.Description{Levels: x.Source.Levels, FilterBytes: uint64(4000 - 1000*i)}
	}
	for round := range 4 {
		r := &results.Round{Order: []string{x.Contestants[0].Name, x.Contestants[1].Name}, Turns: make(map[string]*results.Turn)}
		for i, c := range x.Contestants[:min(2, 5-round)-round/3] {
			speed := float64(1000 * (1 + round + 10*i))
			turn := &results.Turn{
				Memory: &results.Memory{Peak: 50_000_000}, Background: &results.Background{FlushSeconds: 1, CompactionSeconds: float64(round)},
				CPUSeconds: 3,
			}
			for _, name := range []string{"readrandom", "readmissing", "fillrandom", "overwrite"} {
				lookups := &results.Lookups{Keys: 1000, Queried: 10_000, Positives: uint64(i), CacheHits: 1, CacheMisses: 1}
				lookups.Data = 500
				turn.Benchmarks = append(turn.Benchmarks, &results.Benchmark{Name: name, PerSecond: speed, Lookups: lookups})
			}
			r.Turns[c.Name] = turn
		}
		x.Rounds = append(x.Rounds, r)
	}
	return x
}

func TestTextOfAnExperiment(t *testing.T) {
	text := experimentsShown["memory"].text("memory", measured("memory"))
	for _, want := range []string{
		"3 of 4 rounds of 1,000 operations by 1 thread;", "1,000 keys written, of 9,500", "waits 100 µs or more", "2 in L6", "**Note: a test.**",
		"| FastLocal | `rocksdb.BloomFilter:28` | 0.00 MB | 32.0 | none in 30,000 (below 1 in 7,100) | 2,000 (1,000 to 3,000) | 0.5 (0.5 to 0.5) |",
		"| 24.0 (-25 %) | 1 in 10,000 (", "12,000 (11,000 to 13,000)", "](plots/experiment-memory.svg)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for name, shown := range experimentsShown {
		if text := shown.text(name, nil); !strings.Contains(text, "make experiment-"+name) {
			t.Errorf("%s, not measured: %q", name, text)
		}
		x := measured(name)
		if text := shown.text(name, x); !strings.Contains(text, "Paired") {
			t.Errorf("%s: %q", name, text)
		}
		svg, err := shown.draw(x)
		if err != nil || !bytes.Contains(svg, []byte(">Paired</text>")) || !bytes.Contains(svg, []byte(shown.title)) {
			t.Errorf("%s: %v\n%s", name, err, svg)
		}
	}
}

func TestFromZero(t *testing.T) {
	for most, want := range map[float64]string{28: "0 5 10 15 20 25 30", 123_456: "0 20,000 40,000 60,000 80,000 100,000 120,000 140,000", 0.6: "0 0.1 0.2 0.3 0.4 0.5 0.6", 1: "0 0.2 0.4 0.6 0.8 1", 0: "0 0.2 0.4 0.6 0.8 1"} {
		var labels []string
		for _, tick := range fromZero(most) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != want {
			t.Errorf("%v: %s, want %s", most, got, want)
		}
	}
}
