package main

import (
	"fmt"
	"io"
	"math"
	"strings"
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

	histogram *hdrhistogram.Histogram
}

func newLatencies(h *hdrhistogram.Histogram) *latencies {
	if h == nil {
		return nil
	}
	at := func(percent float64) float64 { return float64(h.ValueAtQuantile(percent)) / 1e3 }
	return &latencies{
		Count: h.TotalCount(), Average: h.Mean() / 1e3, StdDev: h.StdDev() / 1e3, Min: float64(h.Min()) / 1e3,
		P50: at(50), P75: at(75), P99: at(99), P999: at(99.9), P9999: at(99.99), Max: float64(h.Max()) / 1e3,
		histogram: h,
	}
}

// print writes the histogram as RocksDB does, with the bounds of its buckets.
func (l *latencies) print(w io.Writer, kind string) {
	fmt.Fprintf(w, "Microseconds per %s:\nCount: %d Average: %.4f  StdDev: %.2f\n", kind, l.Count, l.Average, l.StdDev)
	fmt.Fprintf(w, "Min: %.0f  Median: %.4f  Max: %.0f\n", l.Min, l.P50, l.Max)
	fmt.Fprintf(w, "Percentiles: P50: %.2f P75: %.2f P99: %.2f P99.9: %.2f P99.99: %.2f\n", l.P50, l.P75, l.P99, l.P999, l.P9999)
	fmt.Fprintln(w, strings.Repeat("-", 54))
	var sum int64
	low := 0.0
	bars := l.histogram.Distribution()
	for _, high := range bounds {
		var count int64
		for len(bars) > 0 && float64(bars[0].From) <= high*1e3 {
			count += bars[0].Count
			bars = bars[1:]
		}
		if sum += count; count > 0 {
			bracket := '('
			if low == 0 {
				bracket = '['
			}
			share := 100 * float64(count) / float64(l.Count)
			fmt.Fprintf(w, "%c %7.0f, %7.0f ] %8d %7.3f%% %7.3f%% %s\n", bracket, low, high, count, share,
				100*float64(sum)/float64(l.Count), strings.Repeat("#", int(share/5+0.5)))
		}
		low = high
	}
	fmt.Fprintln(w)
}

// bounds are those of RocksDB's buckets, in microseconds, up to more than an hour: half more
// each time, cut to two digits.
var bounds = func() []float64 {
	all := []float64{1, 2}
	for exact := 3.0; all[len(all)-1] < float64(time.Hour.Microseconds()); exact *= 1.5 {
		digits, unit := math.Floor(exact), 1.0
		for math.Floor(digits/10) > 10 {
			digits, unit = math.Floor(digits/10), unit*10
		}
		all = append(all, digits*unit)
	}
	return all
}()
