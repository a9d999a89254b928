package main

import (
	"math"
	"testing"
)

func rate(bitsPerKey float64, queries, falsePositives int) *rateResult {
	return &rateResult{Asked: bitsPerKey, BitsPerKey: bitsPerKey, Queries: queries, FalsePositives: falsePositives}
}

func TestAskedFor(t *testing.T) {
	fine := &peerResults{Rates: []*rateResult{rate(8, 1000, 100), rate(10, 10_000, 100), rate(12, 100_000, 100), rate(14, 100_000, 0)}}
	steps := &peerResults{Rates: []*rateResult{rate(9, 256, 1), rate(18, 65_536, 1)}}
	for _, c := range []struct {
		of   *peerResults
		fpr  float64
		want float64 // 0 if no setting has the rate
	}{
		{fine, 0.5, 8},
		{fine, 0.1, 8},
		{fine, 0.01, 10},
		{fine, math.Pow10(-2) / math.Sqrt(10), 11},
		{fine, 0.001, 12},
		{fine, 0.0001, 14}, // no false positives are no rate to interpolate with
		{steps, 0.004, 9},
		{steps, 0.001, 18},
		{steps, 1e-6, 0},
	} {
		bits, ok := c.of.askedFor(c.fpr)
		if ok != (c.want > 0) || math.Abs(bits-c.want) > 1e-9 {
			t.Errorf("%v: %v %v, want %v", c.fpr, bits, ok, c.want)
		}
	}
}
