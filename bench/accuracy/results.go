package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/simdbloom/simdbloom/internal/parallel"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// results is the content of bench/accuracy.json.
type results struct {
	Go   string `json:"go"`
	Date string `json:"date"`

	Predictions []*prediction `json:"predictions"`
	Rates       []*setting    `json:"rates"`    // PredictedFPR's and measured ones
	Small       []*setting    `json:"small"`    // filters of few keys
	Promises    []*setting    `json:"promises"` // at the bits per key that BitsPerKeyFor gives
	Shards      []*setting    `json:"shards"`   // hashes that chose a shard before
	Exact       []*setting    `json:"exact"`    // rates that PredictedFPR gives exactly
	Planned     []*planned    `json:"planned"`  // linear filters of all sizes
	Overheads   []*overhead   `json:"overheads"`
	Pebble      pebbleRates   `json:"pebble"`
}

// prediction is the prediction of a format's package for a setting.
type prediction struct {
	Format     string  `json:"format"`
	Keys       int     `json:"keys"`
	BitsPerKey float64 `json:"bits_per_key"`
	Bytes      int     `json:"bytes"`
	FPR        float64 `json:"fpr"`
	OneIn      float64 `json:"one_in"`
}

// scope is how much is measured.
type scope struct {
	falsePositives, mostQueries float64 // of a setting
	exactQueries                float64 // of a setting whose rate is exact
	keysInAll                   float64 // in the filters of a setting
	most                        int     // keys in a filter; larger settings are left out
	planned                     float64 // of the settings of linear filters of all sizes
}

var full = scope{planned: 1, falsePositives: 20_000, mostQueries: 4e8, exactQueries: 1e9, keysInAll: 1e7, most: 1e7}

// The bits per key and the numbers of keys that the tables have.
var (
	usualBits = []float64{8, 10, 12, 16, 17, 20, 23.4, 28}
	usualKeys = []int{1000, 100_000, 1_000_000, 10_000_000}
	smallKeys = []int{100, 1000, 10_000}
	tableBits = []float64{10, 23.4}
	promised  = []int{100, 1000, 10_000, 55_000, 100_000}
)

// drawnKeys is the number of keys of the plot of rates over bits per key.
const drawnKeys = 1_000_000

// newResults plans the measurements.
func newResults(s scope) *results {
	r := &results{Go: runtime.Version(), Date: time.Now().UTC().Format(time.DateOnly), Planned: newPlanned(s.planned)}
	for _, n := range usualKeys {
		for _, f := range formats {
			for _, b := range usualBits {
				if n == drawnKeys || slices.Contains(tableBits, b) {
					r.Rates = append(r.Rates, &setting{Format: f.name, Keys: n, BitsPerKey: b})
				}
			}
		}
	}
	for _, b := range tableBits {
		for _, n := range smallKeys {
			for _, f := range modern {
				r.Small = append(r.Small, &setting{Format: f.name, Keys: n, BitsPerKey: b})
			}
		}
	}
	for _, one := range promised {
		for _, f := range modern {
			if f != paired32 {
				rate := 1 / float64(one)
				bits := f.bitsPerKeyFor(drawnKeys, rate, f.options...)
				r.Promises = append(r.Promises, &setting{Format: f.name, Keys: drawnKeys, BitsPerKey: bits, Promised: rate})
			}
		}
	}
	for _, f := range formats {
		for _, shard := range vectors.Shards {
			r.Shards = append(r.Shards, &setting{Format: f.name, Keys: 100_000, BitsPerKey: 10, Shared: shard.Rule})
		}
	}
	for bitsPerKey := 7.25; bitsPerKey <= 32; bitsPerKey += 2.25 {
		r.Exact = append(r.Exact, &setting{Format: linearFilter.name, Keys: 10_000_000, BitsPerKey: bitsPerKey})
	}
	for _, list := range r.lists() {
		*list = slices.DeleteFunc(*list, func(one *setting) bool { return one.Keys > s.most })
		for _, one := range *list {
			if list == &r.Exact {
				one.plan(math.Inf(1), s.exactQueries, s.keysInAll)
			} else {
				one.plan(s.falsePositives, s.mostQueries, s.keysInAll)
			}
		}
	}
	return r
}

// lists are the lists of settings.
func (r *results) lists() []*[]*setting {
	return []*[]*setting{&r.Rates, &r.Small, &r.Promises, &r.Shards, &r.Exact}
}

// all are the settings of all lists.
func (r *results) all() (all []*setting) {
	for _, list := range r.lists() {
		all = append(all, *list...)
	}
	return all
}

// predict fills in the predictions: the usual settings, and a curve for the plot.
func (r *results) predict(most int) error {
	add := func(f *format, n int, bitsPerKey float64) error {
		bytes, err := f.bytes(n, bitsPerKey)
		fpr := digits(f.predicted(n, bitsPerKey), 5)
		r.Predictions = append(r.Predictions, &prediction{f.name, n, bitsPerKey, bytes, fpr, digits(1/fpr, 5)})
		return err
	}
	var failures []error
	for _, f := range formats {
		for _, n := range usualKeys {
			if n > most {
				continue
			}
			bits := slices.Clone(usualBits)
			if n == drawnKeys {
				most := 64.0
				if f == ribbonFilter { // which has fewer than it is given
					most = 112
				}
				for half := 8.0; half <= most; half++ {
					bits = append(bits, half/2)
				}
				slices.Sort(bits)
				bits = slices.Compact(bits)
			}
			for _, b := range bits {
				failures = append(failures, add(f, n, b))
			}
		}
	}
	return errors.Join(failures...)
}

// measure measures all settings, on all CPUs, the longest first. Rates that are off are an error.
func (r *results) measure(s scope, done func(n int)) error {
	all := r.all()
	slices.SortStableFunc(all, func(a, b *setting) int { return b.Queries + b.Filters*b.Keys - a.Queries - a.Filters*a.Keys })
	failures := make([]error, len(all))
	parallel.Each(runtime.GOMAXPROCS(0), len(all), func(_, i int) {
		failures[i] = all[i].measure()
		done(1)
	})
	for _, p := range r.Planned {
		failures = append(failures, p.measure())
	}
	return errors.Join(append(failures, r.predict(s.most), r.measureOverheads(s.most), r.Pebble.measure(s))...)
}

// check returns an error for every rate that is off.
func (r *results) check() error {
	var failures []error
	for _, s := range r.all() {
		failures = append(failures, s.check())
	}
	for _, s := range r.Exact {
		if math.Abs(s.off()) > 3 {
			failures = append(failures, fmt.Errorf("%s: %d false positives, %.1f standard deviations from the prediction", s, s.FalsePositives, s.off()))
		}
	}
	for _, p := range r.Planned {
		failures = append(failures, p.check())
	}
	return errors.Join(append(failures, r.checkOverheads(), r.Pebble.check())...)
}
