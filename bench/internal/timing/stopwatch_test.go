package timing

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestAStopwatchAddsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w Stopwatch
		for range 3 {
			w.Time(func() { time.Sleep(time.Millisecond) })
			time.Sleep(20 * time.Millisecond)
		}
		if got := w.PerKey(10); got != 3e5 {
			t.Errorf("3 ms for 10 keys is %v ns each", got)
		}
	})
}
