package experiments

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/simdbloom/simdbloom/bench/internal/falsepos"
	"github.com/simdbloom/simdbloom/bench/internal/results"
	"github.com/simdbloom/simdbloom/internal/test/markdown"
)

// column is a column of an experiment's table.
type column struct {
	title string
	cell  func(x *results.Experiment, c *results.Contestant) string
}

// text describes the run, and has the table.
func (s *shown) text(name string, x *results.Experiment) string {
	if x == nil || len(x.Rounds) == 0 {
		return fmt.Sprintf("Not measured yet: `make experiments EXPERIMENTS=-only=%s`.\n", name)
	}
	titles := []string{"filter"}
	for _, column := range s.columns {
		titles = append(titles, column.title)
	}
	t := markdown.New(titles...)
	for _, c := range x.Contestants {
		cells := []string{c.Name}
		for _, column := range s.columns {
			cells = append(cells, column.cell(x, c))
		}
		t.Add(cells...)
	}
	text := describeExperiment(x) + "\n" + t.String()
	if s.of != nil {
		text += fmt.Sprintf("\n![%s](plots/experiment-%s.svg)\n", s.title, name)
	}
	return text
}

// describeExperiment returns the run's machine, date and size.
func describeExperiment(x *results.Experiment) string {
	set := &x.Settings
	var b strings.Builder
	fmt.Fprintf(&b, "%s, Pebble %s. %s keys", x.Machine.On(fmt.Sprintf("%.10s", x.Begun)), x.Pebble, markdown.Thousands(set.Keys))
	if set.KeySpace != set.Keys {
		fmt.Fprintf(&b, ", of %s", markdown.Thousands(set.KeySpace))
	}
	fmt.Fprintf(&b, "; %d rounds of %s operations by %s; block cache of %s.",
		len(x.Rounds), markdown.Thousands(set.Operations), counted(set.Threads, "thread"), megabytes(float64(set.CacheBytes)))
	if set.LatencyMicros > 0 {
		fmt.Fprintf(&b, " Each read of a block waits %v µs or more.", set.LatencyMicros)
	}
	return b.String() + "\n"
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// keys is the number of keys in a contestant's tables.
func keys(c *results.Contestant) (n uint64) {
	for _, l := range c.Store.Levels {
		n += l.Keys
	}
	return n
}

func bitsTaken(c *results.Contestant) float64 {
	return 8 * float64(c.Store.FilterBytes) / float64(keys(c))
}

// bitsPerKeyTaken is beside those of the first contestant of the group, which is FastLocal. The
// group follows the format in a contestant's name.
var bitsPerKeyTaken = column{"bits/key", func(x *results.Experiment, c *results.Contestant) string {
	group := func(c *results.Contestant) string {
		_, name, _ := strings.Cut(c.Name, ", ")
		return name
	}
	first := slices.IndexFunc(x.Contestants, func(other *results.Contestant) bool { return group(other) == group(c) })
	text := fmt.Sprintf("%.1f", bitsTaken(c))
	if base := x.Contestants[first]; base != c && base.Filter != "" {
		if more := math.Round(100 * (bitsTaken(c)/bitsTaken(base) - 1)); more != 0 {
			text += fmt.Sprintf(" (%+.0f %%)", more)
		}
	}
	return text
}}

// falsePositives counts readmissing's false positives, all rounds together.
var falsePositives = column{"false-positive rate (95 % interval)", func(x *results.Experiment, c *results.Contestant) string {
	sum := func(of func(*results.Lookups) uint64) (n uint64) {
		for _, r := range x.Rounds {
			n += of(r.Turns[c.Name].Benchmark("readmissing").Lookups)
		}
		return n
	}
	queried := sum(func(l *results.Lookups) uint64 { return l.Queried })
	positives := sum(func(l *results.Lookups) uint64 { return l.Positives })
	// A round's keys are drawn from the key space with repetition, and a false positive that is drawn
	// again is not a new one. So counts vary as much as smaller counts of different keys do.
	fewer := 1 + float64(x.Settings.Keys)/float64(x.Settings.KeySpace)
	low, high := falsepos.Interval(int(math.Round(float64(positives)/fewer)), int(float64(queried)/fewer))
	if positives == 0 {
		return fmt.Sprintf("none in %s (below 1 in %s)", markdown.Thousands(queried), oneIn(high))
	}
	return fmt.Sprintf("1 in %s (%s–%s)", oneIn(float64(positives)/float64(queried)), oneIn(high), oneIn(low))
}}

func oneIn(rate float64) string {
	n := 1 / rate
	unit := math.Pow10(max(0, int(math.Log10(n))-1)) // two digits
	return markdown.Thousands(math.Round(n/unit) * unit)
}

func perSecond(t *results.Turn, benchmark string) float64 { return t.Benchmark(benchmark).PerSecond }

func rate(title, benchmark string) column {
	return median(title, markdown.Thousands[float64], func(t *results.Turn) float64 { return perSecond(t, benchmark) })
}

func dataBlocks(title, benchmark string) column {
	return median(title, func(n float64) string { return fmt.Sprintf("%.3g", n) }, func(t *results.Turn) float64 {
		l := t.Benchmark(benchmark).Lookups
		return float64(l.Data) / float64(max(1, l.Keys))
	})
}

// lookedUp counts readmissing's lookups in filters, or of data blocks that these did not exclude.
func lookedUp(title string, of func(*results.Lookups) uint64) column {
	return median(title, func(n float64) string { return fmt.Sprintf("%.3g", n) }, func(t *results.Turn) float64 {
		l := t.Benchmark("readmissing").Lookups
		return float64(of(l)) / float64(max(1, l.Keys))
	})
}

var cpuSeconds = median("CPU time of all", func(n float64) string { return fmt.Sprintf("%.1f s", n) }, func(t *results.Turn) float64 { return t.CPUSeconds })

// median is a column with the median of the rounds.
func median(title string, format func(float64) string, of func(*results.Turn) float64) column {
	return column{title, func(x *results.Experiment, c *results.Contestant) string {
		return format(x.Values(c.Name, of).Median())
	}}
}

func megabytes(bytes float64) string {
	if bytes < 10e6 {
		return fmt.Sprintf("%.2f MB", bytes/1e6)
	}
	return fmt.Sprintf("%.1f MB", bytes/1e6)
}
