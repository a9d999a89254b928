package experiments

import (
	"fmt"
	"math"
	"strings"

	"github.com/simdbloom/simdbloom/bench/internal/results"
)

// experiment is one of those that the program has.
type experiment struct {
	name, about string
	contestants func() []*results.Contestant
	configure   func(s *settings, x *results.ExperimentSettings) // what differs from the usual
	writes      bool                                             // a turn fills a store of its own

	fill  string           // benchmarks that fill the source, if not the usual ones
	shape map[string]int64 // flags in which stores differ from the usual shape

	// Benchmarks of a turn: the main ones in one process, whose memory counts, and then the
	// others. Those that write need no source.
	main, more string
}

var experiments = []*experiment{
	{
		name: "rate", about: "the same false-positive rate, and how much memory that takes",
		contestants: sameRate, main: "readrandom", more: "readmissing",
	},
	{
		name: "memory", about: "the same memory on a slow disk, where 90 % of the keys looked up are absent",
		contestants: sameMemory, main: "readrandom", more: "readmissing",
		configure: func(s *settings, x *results.ExperimentSettings) {
			// n random keys of that number leave out 90 % of them.
			x.KeySpace = int64(float64(s.n) / -math.Log(0.9))
			x.LatencyMicros = float64(s.latency.Nanoseconds()) / 1e3
		},
	},
	{
		name: "reads", about: "-n random keys, and then n times -times random reads",
		contestants: manyReads, main: "readrandom", more: "readmissing",
		configure: func(s *settings, x *results.ExperimentSettings) { x.Operations = s.n * s.times / int64(s.rounds) },
	},
	{
		name: "gets", about: "Gets by Pebble's DB.Get, which uses no filter of L6, and by iterators",
		contestants: gets, main: "readrandom", more: "readmissing",
	},
	{
		name: "levels", about: "the same memory, with the same bits per key in each of four levels and with those of policy.ByLevel",
		contestants: byLevel, fill: "filllevels", more: "readmissing", shape: fourLevels,
	},
	{
		name: "writes", about: "filling and overwriting a store, with its flushes and compactions",
		contestants: written, main: "fillrandom,overwrite,flush,waitforcompaction", writes: true,
		configure: func(_ *settings, x *results.ExperimentSettings) { x.Threads = 1 },
	},
}

func explainExperiments() string {
	var text strings.Builder
	for _, x := range experiments {
		fmt.Fprintf(&text, "  %-8s %s\n", x.name, x.about)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// settingsOf returns the settings that flags give an experiment.
func (x *experiment) settingsOf(s *settings) results.ExperimentSettings {
	const (
		cachePerKey = 8 // bytes: room for the largest filters, and as much again for data
		leastCache  = 1 << 20
	)
	of := results.ExperimentSettings{
		Keys: s.n, KeySpace: s.n, Operations: s.n, Rounds: s.rounds, Threads: s.threads,
		CacheBytes: max(leastCache, cachePerKey*s.n),
	}
	if x.configure != nil {
		x.configure(s, &of)
	}
	return of
}
