// Package metrics has the function of docs/pebble.md that gives Prometheus the numbers of counted filters.
package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

func register(r prometheus.Registerer, counters *simdbloom.Counters) {
	for i, name := range []string{
		"useful", "positives", "true_positives",
		"prefix_useful", "prefix_checked", "prefix_true_positives",
		"seek_filtered", "seek_matches", "seek_true_positives",
	} {
		r.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "bloom_filter_" + name + "_total"}, func() float64 {
			c := counters.Read()
			return float64([...]uint64{
				c.Useful, c.Positives, c.TruePositives,
				c.PrefixUseful, c.PrefixChecked, c.PrefixTruePositives,
				c.SeekFiltered, c.SeekMatches, c.SeekTruePositives,
			}[i])
		}))
	}
}
