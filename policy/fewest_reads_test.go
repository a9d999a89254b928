package policy

import "testing"

// TestFewestReadsOfWholeFilters: the filter that saves the most reads for a byte leaves no room for the two others,
// which save more together.
func TestFewestReadsOfWholeFilters(t *testing.T) {
	small := []choice{{rate: 1}, {1000, 5, 0.45}}
	best := fewestReads([][]choice{small, {{rate: 1}, {1000, 6, 0.33}}, small}, 10)
	if len(best) != 3 || best[0] != small[1] || best[1].bytes != 0 || best[2] != small[1] {
		t.Errorf("%+v", best)
	}
}
