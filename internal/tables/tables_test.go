package tables

import (
	"sync"
	"sync/atomic"
	"testing"
)

// TestFirstUseByManyGoroutines: rows are computed once, and whole wherever they are seen.
func TestFirstUseByManyGoroutines(t *testing.T) {
	for range 200 {
		var table Table[[100]int]
		var fills atomic.Int32
		var group sync.WaitGroup
		for range 8 {
			group.Add(1)
			go func() {
				defer group.Done()
				rows := table.Of(func(rows *[100]int) {
					fills.Add(1)
					for i := range rows {
						rows[i] = i + 1
					}
				})
				for i, row := range rows {
					if row != i+1 {
						t.Errorf("row %d is %d", i, row)
					}
				}
			}()
		}
		group.Wait()
		if n := fills.Load(); n != 1 {
			t.Errorf("computed %d times", n)
		}
	}
}
