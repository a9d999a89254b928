package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/simdbloom/simdbloom/bench/internal/results"
)

// shown is how an experiment is shown.
type shown struct {
	columns []column // of its table

	// The figure's title, and what its bars are.
	title, axis string
	of          func(c *results.Contestant, t *results.Turn) float64
}

// experimentsShown are all experiments, by their names.
var experimentsShown = map[string]*shown{
	"rate": {
		columns: []column{
			filterBytes, bitsPerKeyTaken, falsePositives,
			rate("present and absent: reads a second", "readrandom"), dataBlocks("data blocks a read", "readrandom"),
			rate("absent: reads a second", "readmissing"), cacheUsed, cacheHits, peakMemory,
		},
		title: "The same rate: bits of filters", axis: "bits/key",
		of: func(c *results.Contestant, _ *results.Turn) float64 { return bitsTaken(c) },
	},
	"memory": {
		columns: []column{
			filterBytes, bitsPerKeyTaken, falsePositives,
			rate("90 % absent: reads a second", "readrandom"), dataBlocks("data blocks a read", "readrandom"),
			rate("all absent: reads a second", "readmissing"), dataBlocks("data blocks a read", "readmissing"),
		},
		title: "The same memory, a slow disk, 90 % absent", axis: "reads a second",
		of: func(_ *results.Contestant, t *results.Turn) float64 { return perSecond(t, "readrandom") },
	},
	"reads": {
		columns: []column{
			filterBytes, bitsPerKeyTaken, falsePositives,
			rate("reads a second", "readrandom"), dataBlocks("data blocks a read", "readrandom"), cacheHits, peakMemory,
		},
		title: "Random reads", axis: "reads a second",
		of: func(_ *results.Contestant, t *results.Turn) float64 { return perSecond(t, "readrandom") },
	},
	"writes": {
		columns: []column{
			filterBytes, rate("fillrandom: writes a second", "fillrandom"), rate("overwrite: writes a second", "overwrite"),
			flushSeconds, compactionSeconds, cpuSeconds,
		},
		title: "Writing: flushes and compactions", axis: "seconds, those at once added up",
		of: func(_ *results.Contestant, t *results.Turn) float64 {
			return t.Background.FlushSeconds + t.Background.CompactionSeconds
		},
	},
}

// filesOfExperiments returns the files of the clone that show the experiments.
func filesOfExperiments(all *results.Experiments, clone string) (files map[string][]byte, err error) {
	files = make(map[string][]byte)
	for _, x := range all.Experiments {
		if x.FinishedRounds() == 0 || experimentsShown[x.Name] == nil {
			continue
		}
		name := "experiment-" + x.Name + ".svg"
		if files[filepath.Join(clone, "docs", "plots", name)], err = experimentsShown[x.Name].draw(x); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	page := filepath.Join(clone, "docs", "experiments.md")
	old, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	files[page], err = betweenMarks(old, "experiments", func(name string) string {
		if experimentsShown[name] == nil {
			return ""
		}
		return experimentsShown[name].text(name, all.Find(name))
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", page, err)
	}
	return files, nil
}

// draw draws a bar for each contestant.
func (s *shown) draw(x *results.Experiment) ([]byte, error) {
	var bars []bar
	for _, c := range x.Contestants {
		format, rest, _ := strings.Cut(c.Name, ", ")
		style, ok := ownStyles[format]
		if !ok {
			style = styles[0]
		}
		name := format
		if rest != "" {
			name += "\n" + rest
		}
		of := func(t *results.Turn) float64 { return s.of(c, t) }
		bars = append(bars, bar{name, style, x.Values(c.Name, of)})
	}
	return barChart(s.title, s.axis, bars)
}
