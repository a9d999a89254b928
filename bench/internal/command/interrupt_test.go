//go:build unix

package command

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
	"time"
)

// TestInterruptsInARowAreOne: timeout sends SIGTERM to the process, and to its group.
func TestInterruptsInARowAreOne(t *testing.T) {
	ctx, stop := Interruptible()
	defer stop()
	for range 2 {
		if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Minute):
			t.Fatal("no end")
		}
	}
	time.Sleep(50 * time.Millisecond) // the second is delivered before stop
	if err := context.Cause(ctx); !errors.Is(err, ErrInterrupted) {
		t.Error(err)
	}
}
