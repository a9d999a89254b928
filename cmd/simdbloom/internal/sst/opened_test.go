package sst

import (
	"testing"

	"github.com/simdbloom/simdbloom"
	everyOpened "github.com/simdbloom/simdbloom/internal/test/opened"
)

// TestFactsOfOpenedFilters: whatever bytes a reader accepts have facts and a report.
func TestFactsOfOpenedFilters(t *testing.T) {
	for name, f := range everyOpened.Filters(t) {
		t.Run("", func(t *testing.T) {
			t.Log(name) // in the case of a panic
			filters := 1 << 20
			if format := f.Format(); format != simdbloom.Legacy && format != simdbloom.LevelDB {
				filters = 1 // those two are sampled a million times
			}
			sum, r := new(summary), new(report)
			sum.add(factsOf(f, filters), f.SizeBytes())
			r.addSum(sum)
			r.addPerKey(sum, 1)
			if rate, rated := sum.rate(); rated && !(rate >= 0 && rate <= 1) {
				t.Errorf("a rate of %v", rate)
			}
			if len(r.lines()) == 0 {
				t.Error("no line")
			}
		})
	}
}
