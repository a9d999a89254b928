package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/parallel"
	"github.com/simdbloom/simdbloom/internal/test/markdown"
)

// planned is linear filters of a range of numbers of keys: their rates, from their headers, over what PredictedFPR
// promises.
type planned struct {
	From     int `json:"from"`
	To       int `json:"to"`
	Settings int `json:"settings"` // numbers of keys, and bits per key

	Mean          float64 `json:"mean"`  // of all filters
	Worst         float64 `json:"worst"` // filter
	Above         int     `json:"above"` // filters above the promise by more than a twentieth
	SettingsAbove int     `json:"settings_above"`
}

const (
	plannedFilters = 30   // of a setting
	aboveThePlan   = 1.05 // times the prediction: more is counted as above it
)

// plannedFrom is the number of keys from which on every filter's rate is at most mostPlanned times the prediction. With
// fewer, all keys of a filter may be in one line, which has no other way to hold them than shorter fingerprints.
const plannedFrom, mostPlanned = 100, 1.25

// newPlanned returns the ranges, with fewer settings where filters are slow to build. scale is of their numbers.
func newPlanned(scale float64) []*planned {
	ranges := []*planned{
		{From: 1, To: plannedFrom, Settings: 6000},
		{From: plannedFrom, To: 2500, Settings: 6000},
		{From: 2500, To: 10_000, Settings: 4000},
		{From: 10_000, To: 100_000, Settings: 200},
		{From: 100_000, To: 1_000_000, Settings: 20},
	}
	for _, p := range ranges {
		p.Settings = max(1, int(scale*float64(p.Settings)))
	}
	return ranges
}

// measure builds filters of 7 to 30 bits per key. The same range always has the same settings and hashes.
func (p *planned) measure() error {
	times := make([][]float64, p.Settings)
	failures := make([]error, p.Settings)
	parallel.Each(runtime.GOMAXPROCS(0), p.Settings, func(_, i int) {
		times[i], failures[i] = p.setting(rand.New(rand.NewPCG(uint64(p.From), uint64(i))))
	})
	for _, ofSetting := range times {
		mean := 0.0
		for _, of := range ofSetting {
			mean += of / plannedFilters
			p.Worst = max(p.Worst, of)
			if of > aboveThePlan {
				p.Above++
			}
		}
		p.Mean += mean / float64(p.Settings)
		if mean > aboveThePlan {
			p.SettingsAbove++
		}
	}
	p.Mean, p.Worst = digits(p.Mean, 4), digits(p.Worst, 4)
	return errors.Join(failures...)
}

// setting returns the rates of a setting's filters over the predicted one.
func (p *planned) setting(random *rand.Rand) (times []float64, err error) {
	keys := int(float64(p.From) * math.Pow(float64(p.To)/float64(p.From), random.Float64()))
	bitsPerKey := math.Round(7000+23_000*random.Float64()) / 1000
	predicted := linearFilter.predicted(keys, bitsPerKey)
	b, err := linearFilter.builder(bitsPerKey)
	for range plannedFilters {
		if err != nil {
			return nil, err
		}
		for range keys {
			b.AddHash(random.Uint64())
		}
		var f *simdbloom.Filter
		if f, err = b.Filter(); err == nil {
			times = append(times, f.EstimatedFPR()/predicted)
		}
	}
	return times, err
}

// mostAbove are the shares of the settings whose filters have a mean rate above the prediction, by From.
var mostAbove = map[int]float64{plannedFrom: 1.0 / 300, 2500: 1.0 / 40}

// check returns an error if filters have higher rates than docs/linear.md allows.
func (p *planned) check() error {
	if p.From >= plannedFrom && p.Worst > mostPlanned {
		return fmt.Errorf("a linear filter of %d to %d keys has %v times its predicted rate", p.From, p.To, p.Worst)
	}
	if share := float64(p.SettingsAbove) / float64(p.Settings); share > mostAbove[p.From] {
		return fmt.Errorf("linear filters of %d to %d keys: %d of %d settings have a mean rate above %v times the prediction",
			p.From, p.To, p.SettingsAbove, p.Settings, aboveThePlan)
	}
	return nil
}

// PlannedTable has the rates of linear filters over the predicted ones, by the number of keys.
func (r *results) PlannedTable() string {
	t := markdown.New("keys", "settings", "mean", "filters above 1.05", "settings whose mean is above 1.05", "highest")
	for _, p := range r.Planned {
		t.Add(markdown.Thousands(p.From)+" to "+markdown.Thousands(p.To), markdown.Thousands(p.Settings), fmt.Sprintf("%.3f", p.Mean),
			percent(float64(p.Above)/float64(p.Settings*plannedFilters), "%.2f"), fmt.Sprint(p.SettingsAbove), fmt.Sprintf("%.2f", p.Worst))
	}
	return t.String()
}
