package timing

import (
	"testing"
	"time"
)

// TestShortTimes: nothing takes no time, and the clock does not go back.
func TestShortTimes(t *testing.T) {
	last := Now()
	for range 1000 {
		now := Now()
		if now < last || Since(now) <= 0 {
			t.Fatalf("%v after %v, %v ago", now, last, Since(now))
		}
		last = now
	}
}

// TestStepsAreShort: Windows' usual clock has a step in milliseconds.
func TestStepsAreShort(t *testing.T) {
	least := time.Hour
	for range 1000 {
		begun := Now()
		now := Now()
		for now == begun {
			now = Now()
		}
		least = min(least, now-begun)
	}
	if least > 100*time.Microsecond {
		t.Errorf("steps of %v", least)
	}
}

// TestClockKeepsTime compares with the usual clock.
func TestClockKeepsTime(t *testing.T) {
	begun, usual := Now(), time.Now()
	time.Sleep(50 * time.Millisecond)
	inside := time.Since(usual)
	passed := Since(begun)
	outside := time.Since(usual)
	const step = 16 * time.Millisecond
	if passed < inside-step || passed > outside+step {
		t.Errorf("%v, not %v to %v", passed, inside, outside)
	}
}
