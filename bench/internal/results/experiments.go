// Package results has the result files of db_bench and its experiments.
package results

import (
	"slices"

	"github.com/simdbloom/simdbloom/bench/internal/store"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

// Experiments are the results of "db_bench experiments".
type Experiments struct {
	Experiments []*Experiment `json:"experiments"`
}

// Experiment is one of them: every contestant once in each round.
type Experiment struct {
	Name        string             `json:"name"`
	Begun       string             `json:"begun"` // date and time
	Note        string             `json:"note,omitempty"`
	Machine     measured.Machine   `json:"machine"`
	Pebble      string             `json:"pebble"`
	Settings    ExperimentSettings `json:"settings"`
	Source      *store.Description `json:"source,omitempty"` // the store whose tables all others have
	Contestants []*Contestant      `json:"contestants"`
	Rounds      []*Round           `json:"rounds"`
}

// ExperimentSettings decide what an experiment measures: figures of others are not comparable.
type ExperimentSettings struct {
	Keys          int64   `json:"keys"`       // that are written
	KeySpace      int64   `json:"key_space"`  // of which they are chosen at random
	Operations    int64   `json:"operations"` // of a contestant in a round, of each main benchmark
	Rounds        int     `json:"rounds"`
	Threads       int     `json:"threads"`
	CacheBytes    int64   `json:"cache_bytes"`
	LatencyMicros float64 `json:"read_latency_us,omitempty"` // that each block read waits, at least
}

// Contestant is a filter, and the description of a store's tables with it.
type Contestant struct {
	Name   string             `json:"name"`
	Filter string             `json:"filter_uri,omitempty"` // of package policy; empty for none
	Levels bool               `json:"by_level,omitempty"`   // whether its bits per key are by level, in the same memory
	Plain  bool               `json:"db_get,omitempty"`     // whether Gets are Pebble's own, without the filters of L6
	Store  *store.Description `json:"store,omitempty"`
}

// Round is each contestant's turn, by its name. The order is random.
type Round struct {
	Order []string         `json:"order"`
	Turns map[string]*Turn `json:"turns"`
}

// Turn has db_bench's results for a contestant in a round.
type Turn struct {
	Benchmarks []*Benchmark `json:"benchmarks"`
	Memory     *Memory      `json:"memory"`
	Background *Background  `json:"background"`
	CPUSeconds float64      `json:"cpu_seconds"` // of all threads, in the main benchmarks
}

// Benchmark returns the benchmark of that name, or nil.
func (t *Turn) Benchmark(name string) *Benchmark {
	for _, b := range t.Benchmarks {
		if b.Name == name {
			return b
		}
	}
	return nil
}

// Values returns a figure of each round of a contestant.
func (e *Experiment) Values(contestant string, of func(*Turn) float64) (values Values) {
	for _, r := range e.Rounds {
		values = append(values, of(r.Turns[contestant]))
	}
	return values
}

// Values are a figure's, one for each round.
type Values []float64

// Median is the median of the rounds.
func (v Values) Median() float64 { return measured.Median(v) }

// Spread returns the least and the most.
func (v Values) Spread() (least, most float64) { return slices.Min(v), slices.Max(v) }

// Find returns the experiment of that name, or nil.
func (e *Experiments) Find(name string) *Experiment {
	for _, x := range e.Experiments {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// Put adds an experiment. It replaces one of the same name.
func (e *Experiments) Put(x *Experiment) {
	if i := slices.IndexFunc(e.Experiments, func(old *Experiment) bool { return old.Name == x.Name }); i >= 0 {
		e.Experiments[i] = x
		return
	}
	e.Experiments = append(e.Experiments, x)
}
