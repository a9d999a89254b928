package main

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/ribbon"
)

// ribbonKind has bits per key of the FastLocal filter that has its rate. It is in sections of its
// own, and not in those about how good predictions are.
var ribbonKind = &kind{
	name:       "Ribbon",
	newBuilder: func(b float64) (*simdbloom.Builder, error) { return ribbon.NewBuilder(b, keyhash.XX64) },
	open:       func(data []byte) (filter, error) { return ribbon.Open(data, keyhash.XX64) },
	predict:    ribbon.PredictedFPR,
	promise:    ribbon.BitsPerKeyFor,
	unitBytes:  fallback.RibbonSegmentBytes,
}

func newRibbons(s scope, p plan) *selection {
	section := &selection{ofPredicted: 0.01, ofEstimated: 0.01, remark: `
RocksDB's Ribbon filter. "bits/key" are those of a FastLocal filter with the same rate, as in RocksDB's settings; "stored" is
what the Ribbon filter takes. From 100,000 keys on, more keys take more bits each. Every column halves the rate, whatever the
keys are, so PredictedFPR and EstimatedFPR are exact but for the rounding of sizes.
`}
	section.measure(s, p, ribbonKind, s.ribbon)
	return section
}
