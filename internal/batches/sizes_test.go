package batches

import (
	"math"
	"testing"
)

// TestChecks panic from one value too many on.
func TestChecks(t *testing.T) {
	most := math.MaxInt32
	for what, c := range map[string]struct {
		check  func()
		panics bool
	}{
		"a hit for each key":      {func() { CheckKeys(3, make([]bool, 3)) }, false},
		"a hit too few":           {func() { CheckKeys(3, make([]bool, 2, 3)) }, true},
		"a bit for each value":    {func() { CheckBits(64, make([]uint64, 1)) }, false},
		"a bit too few":           {func() { CheckBits(65, make([]uint64, 1, 2)) }, true},
		"no hits and no keys":     {func() { CheckKeys(0, nil); CheckBits(0, nil) }, false},
		"indexes of 32 bits":      {func() { CheckIndexes(most) }, false},
		"an index beyond 32 bits": {func() { CheckIndexes(most + 1) }, most+1 > most}, // if an int has more
	} {
		func() {
			defer func() {
				if panics := recover() != nil; panics != c.panics {
					t.Errorf("%s: panics is %v", what, panics)
				}
			}()
			c.check()
		}()
	}
}
