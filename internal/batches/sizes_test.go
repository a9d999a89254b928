package batches

import (
	"math"
	"testing"
)

func TestCheckIndexes(t *testing.T) {
	most := math.MaxInt32
	CheckIndexes(most)
	defer func() {
		if recover() == nil && most+1 > most { // an int has more than 32 bits
			t.Error("no panic")
		}
	}()
	CheckIndexes(most + 1)
}
