package simdbloom_test

import (
	"math"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestFullIsReachedSoon: a filter with as many keys as its capacity is not full. It is with four
// square roots of the capacity more, twice what Full leaves for the error of its estimate.
func TestFullIsReachedSoon(t *testing.T) {
	for _, k := range kinds {
		for _, n := range []int{2_000, 20_000} {
			g := k.of(t, n, 10)
			extra := int(4 * math.Sqrt(float64(g.Capacity())))
			hashes := vectors.Hashes(9, g.Capacity()+extra)
			g.AddHashes(hashes[:g.Capacity()])
			if g.Full() {
				t.Errorf("%s of %d keys is full with its capacity", k.name, n)
			}
			g.AddHashes(hashes[g.Capacity():])
			if !g.Full() {
				t.Errorf("%s of %d keys is not full with %d keys more than its capacity", k.name, n, extra)
			}
		}
	}
}

// TestZeroFiltersSayWhatIsWrong: also the methods that read all bits panic with what is to be done. Clones are zero,
// too.
func TestZeroFiltersSayWhatIsWrong(t *testing.T) {
	if m, c := new(simdbloom.Mutable), new(simdbloom.Concurrent); m.Clone().SizeBytes() != 0 || c.Clone().SizeBytes() != 0 || m.PredictedFPR(0) != 0 {
		t.Error("a clone of nothing has bytes, or no keys have a rate")
	}
	if said := contract.Panic(func() { new(simdbloom.Builder).Len() }); said != "simdbloom: zero Builder: call NewBuilder" {
		t.Errorf("a zero Builder: %s", said)
	}
	for name, call := range map[string]func(){
		"EstimatedKeys":            func() { new(simdbloom.Mutable).EstimatedKeys() },
		"Full":                     func() { new(simdbloom.Mutable).Full() },
		"PredictedFPR":             func() { new(simdbloom.Mutable).PredictedFPR(1) },
		"EstimatedFPR":             func() { new(simdbloom.Mutable).EstimatedFPR() },
		"Concurrent.EstimatedKeys": func() { new(simdbloom.Concurrent).EstimatedKeys() },
	} {
		func() {
			defer func() {
				if message, ok := recover().(string); !ok || !strings.Contains(message, "zero Filter") {
					t.Errorf("%s: %q", name, message)
				}
			}()
			call()
		}()
	}
}
