package main

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/sizes"
)

// TestLargeLevels: bytes beyond what an int64 has are the most that it has, and a rate that a format does not have is
// left out.
func TestLargeLevels(t *testing.T) {
	for _, f := range sizes.Formats() {
		c := sizeCommand{bits: 1000, levels: counts{4e18, 4e18}}
		if f.Name == "leveldb" {
			c.levels = counts{1e7} // its rates take long
		} else if f.Narrow {
			continue
		}
		r, err := c.levelsRow(f)
		if err != nil || r.Bytes < 0 || !f.Narrow && (r.Bytes != math.MaxInt64 || r.Levels[0].Bytes != math.MaxInt64) || f.Name == "leveldb" && (r.Same != 0 || !(r.Reads > 0)) {
			t.Errorf("%+v, %v", r, err)
		}
	}
}
