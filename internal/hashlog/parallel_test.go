package hashlog

import (
	"testing"
	"time"
)

func TestInParallelWaitsForAll(t *testing.T) {
	manyProcs(t)
	for _, n := range []int{1, 2, 7} {
		for slow := range n {
			done := make([]bool, n)
			inParallel(n, func(i int) {
				if i == slow {
					time.Sleep(5 * time.Millisecond)
				}
				done[i] = true
			})
			for i, done := range done {
				if !done {
					t.Errorf("%d of %d: not done when %d was slow", i, n, slow)
				}
			}
		}
	}
}
