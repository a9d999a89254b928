package experiments

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/simdbloom/simdbloom/bench/internal/results"
	"github.com/simdbloom/simdbloom/internal/test/markdown"
)

// shown is how an experiment is shown.
type shown struct {
	columns []column // of its table

	// The figure's title and axis, and its values, if it has one.
	title, axis string
	of          func(c *results.Contestant, t *results.Turn) float64
}

// experimentsShown are all experiments, by their names.
var experimentsShown = map[string]*shown{
	"rate": {
		columns: []column{
			bitsPerKeyTaken, falsePositives, dataBlocks("data blocks a read", "readrandom"), rate("absent: reads a second", "readmissing"),
		},
		title: "The same rate: bits of filters", axis: "bits/key",
		of: func(c *results.Contestant, _ *results.Turn) float64 { return bitsTaken(c) },
	},
	"memory": {
		columns: []column{
			bitsPerKeyTaken, falsePositives, rate("90 % absent: reads a second", "readrandom"), rate("all absent: reads a second", "readmissing"),
		},
		title: "The same memory, a slow disk, 90 % absent", axis: "reads a second",
		of: func(_ *results.Contestant, t *results.Turn) float64 { return perSecond(t, "readrandom") },
	},
	"reads": {
		columns: []column{bitsPerKeyTaken, dataBlocks("data blocks a read", "readrandom")},
		title:   "Random reads", axis: "reads a second",
		of: func(_ *results.Contestant, t *results.Turn) float64 { return perSecond(t, "readrandom") },
	},
	"gets": {
		columns: []column{
			bitsPerKeyTaken, rate("absent: Gets a second", "readmissing"), dataBlocks("data blocks a Get", "readmissing"),
			rate("two thirds present: Gets a second", "readrandom"), dataBlocks("data blocks a Get", "readrandom"),
		},
	},
	"levels": {
		columns: []column{
			bitsPerKeyTaken, lookedUp("absent: filters a Get", func(l *results.Lookups) uint64 { return l.Queried }),
			lookedUp("data blocks a Get", func(l *results.Lookups) uint64 { return l.Positives }),
			dataBlocks("of these not in the cache", "readmissing"),
		},
	},
	"writes": {
		columns: []column{rate("fillrandom: writes a second", "fillrandom"), rate("overwrite: writes a second", "overwrite"), cpuSeconds},
		title:   "Writing: flushes and compactions", axis: "seconds of CPU time",
		of: func(_ *results.Contestant, t *results.Turn) float64 {
			return t.Background.FlushSeconds + t.Background.CompactionSeconds
		},
	},
}

// filesOfExperiments returns the files of a clone that show the experiments, by their paths in it.
func filesOfExperiments(all *results.Experiments, clone string) (files map[string][]byte, err error) {
	files = make(map[string][]byte)
	for _, x := range all.Experiments {
		if shown := experimentsShown[x.Name]; shown != nil && len(x.Rounds) > 0 && shown.of != nil {
			name := "docs/plots/experiment-" + x.Name + ".svg"
			if files[name], err = shown.draw(x); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	for _, page := range []string{"docs/measured.md", "docs/pebble.md"} {
		files[page], err = markdown.Blocks(filepath.Join(clone, page), "experiments", func(name string) string {
			if experimentsShown[name] == nil {
				return ""
			}
			return experimentsShown[name].text(name, all.Find(name))
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// draw draws a row for each contestant.
func (s *shown) draw(x *results.Experiment) ([]byte, error) {
	var rows []row
	for _, c := range x.Contestants {
		format, rest, _ := strings.Cut(c.Name, ", ")
		name := format
		if rest != "" {
			name += "  \n" + rest
		}
		of := func(t *results.Turn) float64 { return s.of(c, t) }
		rows = append(rows, row{name + "  ", format, x.Values(c.Name, of)})
	}
	return dotChart(s.title, s.axis, rows)
}
