package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/policy"
)

// TestPlans computes the table of docs/engines.md: the memory of four levels' filters, and the data blocks that they
// let absent keys read.
func TestPlans(t *testing.T) {
	page, err := os.ReadFile("../../docs/engines.md")
	if err != nil {
		t.Fatal(err)
	}
	sizes := make(map[string]float64) // of filters, of which most are in several rows
	for name, levels := range map[string][4]string{
		"FastLocal 10 in every level":                {"FastLocal:10", "FastLocal:10", "FastLocal:10", "FastLocal:10"},
		"FastLocal 10, in the last level Ribbon 10":  {"FastLocal:10", "FastLocal:10", "FastLocal:10", "Ribbon:10"},
		"FastLocal 27.1, 20.4, 14.7 and 9.4":         {"FastLocal:27.1", "FastLocal:20.4", "FastLocal:14.7", "FastLocal:9.4"},
		"FastLocal 16, in the last level Linear 9.3": {"FastLocal:16", "FastLocal:16", "FastLocal:16", "Linear:9.3"},
		"Paired 16, in the last level Linear 9.3":    {"Paired:16", "Paired:16", "Paired:16", "Linear:9.3"},
	} {
		keys, all, bits, blocks := 1e6, 0.0, 0.0, 0.0
		for _, level := range levels {
			p, err := policy.Parse("simdbloom." + level)
			if err != nil {
				t.Fatal(err)
			}
			const mostInATable = 1e7
			inATable := int(min(keys, mostInATable))
			blocks += p.PredictedFPR(inATable)
			filter := fmt.Sprint(level, inATable)
			if sizes[filter] == 0 {
				sizes[filter] = stored(p, inATable)
			}
			bits += keys * sizes[filter]
			all, keys = all+keys, 10*keys
		}
		if row := fmt.Sprintf("| %s | %.1f | %.1f |\n", name, bits/all, 1000*blocks); !strings.Contains(string(page), row) {
			t.Errorf("docs/engines.md does not have %s", row)
		}
	}
}

// stored is the number of bits that a key takes.
func stored(p *policy.Policy, keys int) float64 {
	b := p.NewBuilder()
	for i := range keys {
		b.AddHash(uint64(i) * 0x9e3779b97f4a7c15)
	}
	return 8 * float64(b.SizeBytes()) / float64(keys)
}
