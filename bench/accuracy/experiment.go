package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bench/internal/parallel"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
)

// filter is what is measured of a filter.
type filter interface {
	ContainsHashBits(hashes, hits []uint64)
	EstimatedFPR() float64
}

// kind is a filter's format.
type kind struct {
	name       string
	newBuilder func(bitsPerKey float64) (*simdbloom.Builder, error)
	open       func(data []byte) (filter, error)
	predict    func(n int, bitsPerKey float64) float64
	promise    func(n int, fpr float64) (bitsPerKey float64)
	unitBytes  int // sizes are multiples of it
}

var (
	fastLocal = &kind{
		name:       "FastLocal",
		newBuilder: func(b float64) (*simdbloom.Builder, error) { return bloom.NewBuilder(b, keyhash.XX64) },
		open:       func(data []byte) (filter, error) { return bloom.Open(data, keyhash.XX64) },
		predict:    bloom.PredictedFPR,
		promise:    bloom.BitsPerKeyFor,
		unitBytes:  64,
	}
	paired128 = pairedKind(128)
	paired32  = pairedKind(32)
	kinds     = []*kind{fastLocal, paired128, paired32}
)

func pairedKind(batchBlocks int) *kind {
	batch := paired.WithBatchBlocks(batchBlocks)
	return &kind{
		name:       fmt.Sprintf("Paired-%d", batchBlocks),
		newBuilder: func(b float64) (*simdbloom.Builder, error) { return paired.NewBuilder(b, keyhash.XX64, batch) },
		open:       func(data []byte) (filter, error) { return paired.Open(data, keyhash.XX64) },
		predict:    func(n int, b float64) float64 { return paired.PredictedFPR(n, b, batch) },
		promise:    func(n int, fpr float64) float64 { return paired.BitsPerKeyFor(n, fpr, batch) },
		unitBytes:  64 * batchBlocks,
	}
}

// experiment is a setting whose rate is measured: filters of n random hashes each, queried
// with other random hashes.
type experiment struct {
	*kind
	n          int
	bitsPerKey float64
	filters    int
	perFilter  int // queries

	watch watcher // of what the experiment meets; nil for none

	bytes     int // of a filter
	positives int
	predicted float64
	estimated float64 // the mean of the filters' EstimatedFPR
	scatter   float64 // the standard deviation of that mean, from filter to filter
}

// watcher sees every filter of an experiment, the keys that were added to it, and then the
// hashes that it is queried with.
type watcher interface {
	opened(f filter)
	present(hashes []uint64)
	absent(hashes []uint64)
}

// plan has the experiments that a page needs, each setting once.
type plan map[planned]*experiment

type planned struct {
	kind       *kind
	n          int
	bitsPerKey float64
}

// keysInAll is the number of keys that the filters of a setting have together. Tests lower it.
var keysInAll = 10_000_000

// measure plans enough queries for the wanted number of false positives, at most the given
// most, and enough filters for the mean of many keys. Callers that plan the same setting
// share the largest number of queries.
func (p plan) measure(k *kind, n int, bitsPerKey float64, falsePositives int, most float64) *experiment {
	const least = 1_000_000 // queries
	setting := planned{k, n, bitsPerKey}
	e := p[setting]
	if e == nil {
		e = &experiment{kind: k, n: n, bitsPerKey: bitsPerKey, predicted: k.predict(n, bitsPerKey)}
		e.filters = max(1, keysInAll/n)
		p[setting] = e
	}
	// In round numbers, which do not change with every digit of a prediction.
	queries := math.Min(math.Max(roundUp(float64(falsePositives)/e.predicted), least), most)
	e.perFilter = max(e.perFilter, int(math.Ceil(queries/float64(e.filters))))
	return e
}

// all returns the experiments in an order of their own, large ones first, so that
// no CPU is left with one of them at the end.
func (p plan) all() []*experiment {
	return slices.SortedFunc(maps.Values(p), func(a, b *experiment) int {
		return cmp.Or(cmp.Compare(b.queries(), a.queries()), cmp.Compare(b.n, a.n), cmp.Compare(b.bitsPerKey, a.bitsPerKey), cmp.Compare(a.name, b.name))
	})
}

// roundUp rounds up to two digits.
func roundUp(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Ceil(x/unit) * unit
}

// run measures, and tells how many thousands of queries it has made since it last did. The
// same setting always meets the same hashes. A key that is not found is an error.
func (e *experiment) run(done func(kiloqueries int)) error {
	var seed [32]byte
	copy(seed[:], fmt.Sprint(e.name, e.n, e.bitsPerKey))
	random := newSource(seed)
	builder, err := e.newBuilder(e.bitsPerKey)
	if err != nil {
		return fmt.Errorf("%s: %w", e, err)
	}
	var hits answers
	sum, squares := 0.0, 0.0
	queried, told := 0, 0
	for range e.filters {
		keys := random // as they are before they are drawn
		random.draw(e.n, builder.AddHashes)
		data, err := builder.Finish()
		if err != nil {
			return fmt.Errorf("%s: %w", e, err)
		}
		filter, err := e.open(data)
		if err != nil {
			return fmt.Errorf("%s: %w", e, err)
		}
		if err := e.lookUp(filter, &keys); err != nil {
			return err
		}
		e.bytes = len(data)
		own := filter.EstimatedFPR()
		sum += own
		squares += own * own
		random.draw(e.perFilter, func(some []uint64) {
			e.positives += hits.count(filter, some)
			if e.watch != nil {
				e.watch.absent(some)
			}
			if queried += len(some); queried-told >= progressStep {
				done(queried/1000 - told/1000)
				told = queried
			}
		})
	}
	done(e.kiloqueries() - told/1000)
	filters := float64(e.filters)
	e.estimated = sum / filters
	if e.filters > 1 {
		e.scatter = math.Sqrt(math.Max(0, squares/filters-e.estimated*e.estimated) / (filters - 1))
	}
	return nil
}

// progressStep is a number of queries that take some milliseconds.
const progressStep = 1 << 20

// lookUp looks up all keys that were added to a filter.
func (e *experiment) lookUp(f filter, keys *source) error {
	if e.watch != nil {
		e.watch.opened(f)
	}
	var hits answers
	found := 0
	keys.draw(e.n, func(some []uint64) {
		found += hits.count(f, some)
		if e.watch != nil {
			e.watch.present(some)
		}
	})
	if found < e.n {
		return fmt.Errorf("FALSE NEGATIVE, which must not happen: %s: %d keys were not found", e, e.n-found)
	}
	return nil
}

func (e *experiment) String() string {
	return fmt.Sprintf("%s, %d keys, %v bits/key", e.name, e.n, e.bitsPerKey)
}

// queries are those of all filters.
func (e *experiment) queries() float64 { return float64(e.filters) * float64(e.perFilter) }

func (e *experiment) kiloqueries() int { return int(e.queries() / 1000) }

// measured is the rate that was counted.
func (e *experiment) measured() float64 { return float64(e.positives) / e.queries() }

// deviation is the relative standard deviation of measured from what such filters
// have on average: of the count, and of the filters that it happened to be.
func (e *experiment) deviation() float64 {
	return math.Hypot(e.countDeviation(), e.scatter/e.estimated)
}

// countDeviation is the relative standard deviation of measured from what these
// very filters have.
func (e *experiment) countDeviation() float64 {
	return math.Sqrt((1 - e.measured()) / float64(e.positives))
}

// storedBits are the bits that a key really takes.
func (e *experiment) storedBits() float64 { return 8 * float64(e.bytes) / float64(e.n) }

// runAll measures on all CPUs.
func runAll(experiments []*experiment, bar *progress.Bar) error {
	return parallel.Each(len(experiments), func() func(int) error {
		return func(i int) error { return experiments[i].run(bar.Add) }
	})
}
