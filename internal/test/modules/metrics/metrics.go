// Package metrics has the function of docs/pebble.md that gives Prometheus the numbers of counted filters.
package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

func register(r prometheus.Registerer, counters *simdbloom.Counters) {
	for name, number := range map[string]func(simdbloom.Counts) uint64{
		"useful":         func(c simdbloom.Counts) uint64 { return c.Useful },
		"positives":      func(c simdbloom.Counts) uint64 { return c.Positives },
		"true_positives": func(c simdbloom.Counts) uint64 { return c.TruePositives },
	} {
		r.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "bloom_filter_" + name + "_total"},
			func() float64 { return float64(number(counters.Read())) }))
	}
}
