package timing

import (
	"strings"
	"testing"
	"time"
)

// TestBusy: who waits a tenth of the time is told so.
func TestBusy(t *testing.T) {
	Begin()
	defer Begin()
	note(time.Second/2, time.Second/4) // short
	if s := Busy(); s != "" {
		t.Error(s)
	}
	Begin()
	note(time.Second, 0) // unknown
	note(time.Second, 3*time.Second)
	if s := Busy(); s != "" {
		t.Error(s)
	}
	note(time.Second, 800*time.Millisecond)
	if s := Busy(); !strings.Contains(s, " 10 %") {
		t.Errorf("%q", s)
	}
}

// TestUsed: a program that works uses a processor.
func TestUsed(t *testing.T) {
	before := used()
	for begun := Now(); Since(begun) < 20*time.Millisecond; {
	}
	if after := used(); before > 0 && after <= before {
		t.Errorf("%v, then %v", before, after)
	}
}
