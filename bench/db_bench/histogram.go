package main

import (
	"fmt"
	"io"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// newHistogram returns a histogram of times up to an hour, in nanoseconds and to a hundredth,
// or nil if it is not wanted.
func newHistogram(wanted bool) *hdrhistogram.Histogram {
	if !wanted {
		return nil
	}
	return hdrhistogram.New(1, int64(time.Hour), 2)
}

// latencies are a histogram's numbers, in microseconds.
type latencies struct {
	Count   int64   `json:"count"`
	Average float64 `json:"average_us"`
	StdDev  float64 `json:"stddev_us"`
	Min     float64 `json:"min_us"`
	P50     float64 `json:"p50_us"`
	P75     float64 `json:"p75_us"`
	P99     float64 `json:"p99_us"`
	P999    float64 `json:"p99_9_us"`
	P9999   float64 `json:"p99_99_us"`
	Max     float64 `json:"max_us"`
}

func newLatencies(h *hdrhistogram.Histogram) *latencies {
	if h == nil {
		return nil
	}
	at := func(percent float64) float64 { return float64(h.ValueAtQuantile(percent)) / 1e3 }
	return &latencies{
		Count: h.TotalCount(), Average: h.Mean() / 1e3, StdDev: h.StdDev() / 1e3, Min: float64(h.Min()) / 1e3,
		P50: at(50), P75: at(75), P99: at(99), P999: at(99.9), P9999: at(99.99), Max: float64(h.Max()) / 1e3,
	}
}

// print writes RocksDB's lines, without its buckets.
func (l *latencies) print(w io.Writer, kind string) {
	fmt.Fprintf(w, "Microseconds per %s:\nCount: %d Average: %.4f  StdDev: %.2f\n", kind, l.Count, l.Average, l.StdDev)
	fmt.Fprintf(w, "Min: %.0f  Median: %.4f  Max: %.0f\n", l.Min, l.P50, l.Max)
	fmt.Fprintf(w, "Percentiles: P50: %.2f P75: %.2f P99: %.2f P99.9: %.2f P99.99: %.2f\n", l.P50, l.P75, l.P99, l.P999, l.P9999)
}
