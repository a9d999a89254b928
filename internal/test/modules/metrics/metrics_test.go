package metrics

import (
	"os"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

// TestPage compares the function with the one that people copy.
func TestPage(t *testing.T) {
	source, err := os.ReadFile("metrics.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../../../docs/pebble.md")
	if err != nil {
		t.Fatal(err)
	}
	function := string(source[strings.Index(string(source), "func register"):])
	if !strings.Contains(string(page), "```go\n"+function+"```\n") {
		t.Error("docs/pebble.md has another function than metrics.go")
	}
}

// TestRegister: Prometheus collects the counters' numbers as they are at the time.
func TestRegister(t *testing.T) {
	var counters simdbloom.Counters
	registry := prometheus.NewRegistry()
	register(registry, &counters)
	for _, may := range []bool{true, false, true, false, false} {
		counters.CountKey(nil, may)
	}
	counters.Found([]byte("key"))
	prefix := []byte("prefix")
	counters.BeginLookup(prefix)
	for i := range 9 {
		counters.CountPrefix(prefix, i < 5)
	}
	counters.EndLookup(prefix, true)
	for i := range 12 {
		counters.CountPrefix(prefix, i < 4)
	}
	counters.FoundSeek(nil)

	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]float64)
	for _, family := range families {
		got[family.GetName()] = family.GetMetric()[0].GetCounter().GetValue()
	}
	want := map[string]float64{
		"bloom_filter_useful_total": 3, "bloom_filter_positives_total": 2, "bloom_filter_true_positives_total": 1,
		"bloom_filter_prefix_checked_total": 9, "bloom_filter_prefix_useful_total": 4, "bloom_filter_prefix_true_positives_total": 1,
		"bloom_filter_seek_filtered_total": 8, "bloom_filter_seek_matches_total": 4, "bloom_filter_seek_true_positives_total": 1,
	}
	for name, value := range want {
		if got[name] != value || len(got) != len(want) {
			t.Errorf("%s is %v, want %v, among %v", name, got[name], value, got)
		}
	}
}
