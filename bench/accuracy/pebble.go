package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"

	"github.com/simdbloom/simdbloom/internal/parallel"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
)

// pebbleRates are the rates of Pebble's own filter, at 10 bits/key, over the number of keys in a
// table. Package legacy writes the same bytes, and its PredictedFPR computes the rates between the
// measured ones.
type pebbleRates struct {
	Curve    []tableRate `json:"curve"`    // predicted
	Measured []tableRate `json:"measured"` // with Pebble's code
}

// tableRate is the rate of the filter of a table.
type tableRate struct {
	Keys           int     `json:"keys"`
	Lines          int     `json:"lines"`
	Predicted      float64 `json:"predicted"`
	FastLocal      float64 `json:"fastlocal,omitempty"` // predicted in the same memory
	Queries        int     `json:"queries,omitempty"`
	FalsePositives int     `json:"false_positives,omitempty"`
}

const (
	pebbleBits  = 10 // bits per key
	linesOfAKey = 1.0 * pebbleBits / 512
	fewestLines = 199
	mostLines   = 204_801
)

// newTableRate returns the prediction for a filter with a number of lines, which is odd.
func newTableRate(lines int) tableRate {
	n := int(float64(lines) / linesOfAKey)
	return tableRate{
		Keys: n, Lines: lines,
		Predicted: digits(legacy.PredictedFPR(n, pebbleBits), 4), FastLocal: digits(fastLocal.predicted(n, pebbleBits), 4),
	}
}

// curveLines are numbers of lines, which lie close together near powers of two.
func curveLines(most int) (lines []int) {
	for x := float64(fewestLines); x < float64(most); x *= 1.05 {
		lines = append(lines, int(x)|1)
	}
	for power := 1 << 12; power < most; power *= 2 {
		for _, around := range []int{power / 2, power, power + power/2} {
			for off := 1; off < around/8; off = (off*3/2 + 2) | 1 {
				lines = append(lines, around-off, around+off)
			}
		}
	}
	lines = slices.DeleteFunc(lines, func(n int) bool { return n < fewestLines || n > most || n%2 == 0 })
	slices.Sort(lines)
	return slices.Compact(lines)
}

// measuredLines are the numbers of lines that Pebble's code is measured at.
func measuredLines(most int) []int {
	lines := []int{199, 499, 1025, 1999, 4097, 8191, 16_385, 24_577, 32_767, 49_153, 65_535, 65_601, 98_303, 131_073, 195_313}
	return slices.DeleteFunc(lines, func(n int) bool { return n > most })
}

func (p *pebbleRates) measure(s scope) error {
	most := min(mostLines, int(float64(s.most)*linesOfAKey))
	for _, lines := range curveLines(most) {
		p.Curve = append(p.Curve, newTableRate(lines))
	}
	for _, lines := range measuredLines(most) {
		p.Measured = append(p.Measured, newTableRate(lines))
	}
	failures := make([]error, len(p.Measured))
	parallel.Each(runtime.GOMAXPROCS(0), len(p.Measured), func(_, i int) { failures[i] = p.Measured[i].measure(s) })
	return errors.Join(failures...)
}

// measure looks up random keys in Pebble's own filter. It fails if package legacy does not write the
// same bytes, or if a key is not found.
func (t *tableRate) measure(s scope) error {
	policy := bloom.FilterPolicy(pebbleBits)
	random := rand.NewChaCha8([32]byte{byte(t.Lines), byte(t.Lines >> 8), byte(t.Lines >> 16)})
	key := func(r *rand.ChaCha8) []byte {
		return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, r.Uint64()), r.Uint64())
	}
	keys := *random
	writer := policy.NewWriter(pebble.TableFilter)
	ours, err := legacy.NewBuilder(pebbleBits, keyhash.RocksDB32, legacy.WithPebble())
	if err != nil {
		return err
	}
	for range t.Keys {
		k := key(random)
		writer.AddKey(k)
		ours.Add(k)
	}
	filter := writer.Finish(nil)
	same, err := ours.Finish()
	if err != nil || !bytes.Equal(filter, same) {
		return fmt.Errorf("package legacy writes other bytes than Pebble for %d keys, error %w", t.Keys, err)
	}
	for range t.Keys {
		if !policy.MayContain(pebble.TableFilter, filter, key(&keys)) {
			return fmt.Errorf("FALSE NEGATIVE, which must not happen: Pebble's filter of %d keys", t.Keys)
		}
	}
	t.Queries = int(math.Min(s.falsePositives/t.Predicted, s.mostQueries))
	for range t.Queries {
		if policy.MayContain(pebble.TableFilter, filter, key(random)) {
			t.FalsePositives++
		}
	}
	return nil
}

func (t *tableRate) measured() float64 { return float64(t.FalsePositives) / float64(t.Queries) }

// check returns an error if a measured rate is not PredictedFPR. One filter's own rate differs
// from the mean by a few percent, more so if it has few lines.
func (p *pebbleRates) check() error {
	var failures []error
	for _, t := range p.Measured {
		expected := t.Predicted * float64(t.Queries)
		tolerance := 0.02 + 1/math.Sqrt(float64(t.Lines))
		if !explained(t.FalsePositives, expected, tolerance, math.Sqrt(expected)) {
			failures = append(failures, fmt.Errorf("the filter of Pebble of %d lines: measured %.4g, PredictedFPR %.4g", t.Lines, t.measured(), t.Predicted))
		}
	}
	return errors.Join(failures...)
}
