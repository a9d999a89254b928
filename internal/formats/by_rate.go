package formats

import (
	"fmt"
	"math"
	"math/bits"
	"sync"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// Rates are a format's false-positive rates, by which builders find the bits per key for a wanted one.
type Rates struct {
	PredictedFPR  func(n int, bitsPerKey float64, o *building.Options) float64
	BitsPerKeyFor func(n int, fpr float64, o *building.Options) float64
}

// LinkRates makes a format's rates known, for builders that are given one. The format's package calls it when it is
// initialized.
func LinkRates(format asm.Format, r Rates) { linked[format].rates = r }

// RatesOf returns the rates of a format that has the layout.
func RatesOf(l *building.Layout, predict func(body uint64, probes int, keys uint64) float64) Rates {
	return Rates{
		func(n int, bitsPerKey float64, o *building.Options) float64 {
			return rates.Predicted(l, n, bitsPerKey, o, predict)
		},
		func(n int, fpr float64, _ *building.Options) float64 { return rates.BitsPerKeyFor(l, n, fpr, predict) },
	}
}

// RatesWithoutOptions returns the rates of a format whose options do not matter for them.
func RatesWithoutOptions(predicted func(n int, bitsPerKey float64, o *building.Options) float64, bitsPerKeyFor func(n int, fpr float64) float64) Rates {
	return Rates{predicted, func(n int, fpr float64, _ *building.Options) float64 { return bitsPerKeyFor(n, fpr) }}
}

// usualKeys is the number of keys whose bits per key stand for those of a wanted rate.
const usualKeys = 1_000_000

// CheckFPR returns an error for a rate that no filter has, or that the format's filters of few keys do not have.
func CheckFPR(format asm.Format, fpr float64, o *building.Options) error {
	if !(fpr > 0 && fpr < 1) {
		return fmt.Errorf("the false-positive rate must be above 0 and below 1, not %v", fpr)
	}
	if linked[format].rates.BitsPerKeyFor == nil {
		return fmt.Errorf("%s filters are not built by a false-positive rate: LinkRates was not called", NameOf(format))
	}
	const fewKeys = 1000
	if math.IsNaN(linked[format].rates.BitsPerKeyFor(fewKeys, fpr, plain(o))) {
		return fmt.Errorf("no %s filter of %d keys has a false-positive rate of %v", NameOf(format), fewKeys, fpr)
	}
	return nil
}

// BitsPerKeyForRate returns the bits per key of a filter of n keys whose rate is at most fpr, or if there is no such
// filter, at most twice the lowest. It depends on nothing but the arguments. The first call for numbers of keys that
// are near costs as much as BitsPerKeyFor, and others as much as PredictedFPR.
func BitsPerKeyForRate(format asm.Format, n int, fpr float64, o *building.Options) float64 {
	of, o := linked[format].rates, plain(o)
	n = max(n, 1)
	// Up to 64 keys every number has its own bits per key. More keys have those of the next number with five binary
	// digits, and more where rounding sizes up helps that number alone.
	const exact, digits = 64, 5
	near := n
	if n > exact {
		step := 1 << (bits.Len(uint(n)) - digits)
		near = int(min(uint64(n+step-1)/uint64(step)*uint64(step), math.MaxInt))
	}
	key := wantedRate{format, o.BatchBlocks, o.RoundDown, o.Pebble, o.Given, near, fpr}
	found, ok := wantedRates.Load(key)
	if !ok {
		found = nearest(of, near, fpr, o)
		wantedRates.Store(key, found)
	}
	is := found.(forRate)
	bitsPerKey := is.bitsPerKey
	const most = 1000
	for n != near && bitsPerKey < most && of.PredictedFPR(n, bitsPerKey, o) > is.fpr {
		bitsPerKey += max(bitsPerKey/256, 0.001)
	}
	return bitsPerKey
}

// plain returns the options that rates depend on.
func plain(o *building.Options) *building.Options {
	return &building.Options{Concurrency: 1, BatchBlocks: o.BatchBlocks, RoundDown: o.RoundDown, Pebble: o.Pebble, Given: o.Given &^ building.GivenSizeBytes}
}

// nearest returns the bits per key for a rate, or for the first multiple of it by a power of two that filters have.
func nearest(of Rates, n int, fpr float64, o *building.Options) forRate {
	for ; fpr < 1; fpr *= 2 {
		if bitsPerKey := of.BitsPerKeyFor(n, fpr, o); !math.IsNaN(bitsPerKey) {
			return forRate{bitsPerKey, fpr}
		}
	}
	return forRate{building.MostBitsPerKey, 1} // the filter is too large: the builder says so
}

// wantedRates are the rates that were wanted for numbers of keys, of which a rate has some hundreds.
var wantedRates sync.Map // a forRate by wantedRate

type wantedRate struct {
	format      asm.Format
	batchBlocks int
	roundDown   bool
	pebble      bool
	given       building.Given
	n           int
	fpr         float64
}

type forRate struct{ bitsPerKey, fpr float64 }

// byRate is the Scheme of filters with a wanted rate: that of the bits per key for the number of keys.
type byRate struct {
	building.Scheme
	format asm.Format
	o      building.Options
	keys   int
}

// SchemeOf returns how filters of a format are built: with the bits per key, or for the rate of the options if they
// have one.
func SchemeOf(format asm.Format, bitsPerKey float64, o *building.Options) (building.Scheme, error) {
	newScheme, _, err := Linked(format)
	switch {
	case err != nil:
		return nil, err
	case o.FPR != 0:
		return schemeForRate(format, o)
	}
	return newScheme(bitsPerKey, o)
}

// schemeForRate returns how filters of a format are built that have the rate of the options.
func schemeForRate(format asm.Format, o *building.Options) (building.Scheme, error) {
	if err := CheckFPR(format, o.FPR, o); err != nil {
		return nil, err
	}
	given := *o // without what a Scheme adds
	scheme, err := linked[format].newScheme(BitsPerKeyForRate(format, usualKeys, o.FPR, o), o)
	if err != nil || o.Limit.Exact() { // then the size decides
		return scheme, err
	}
	return &byRate{scheme, format, given, -1}, nil
}

// of returns the Scheme for the keys of a log.
func (s *byRate) of(log *hashlog.Log) building.Scheme {
	if n := log.Len(); n != s.keys {
		o := s.o
		scheme, err := linked[s.format].newScheme(BitsPerKeyForRate(s.format, n, o.FPR, &o), &o)
		if err != nil {
			panic("formats: options were refused later: " + err.Error())
		}
		s.Scheme, s.keys = scheme, n
	}
	return s.Scheme
}

// Size is [building.Scheme]'s. It costs up to some milliseconds.
func (s *byRate) Size(log *hashlog.Log) (bytes uint64, allowed bool) { return s.of(log).Size(log) }

// Build is [building.Scheme]'s.
func (s *byRate) Build(log *hashlog.Log, goroutines int, memory building.Memory) ([]byte, error) {
	return s.of(log).Build(log, goroutines, memory)
}
