package command

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// ErrInterrupted is the cause of a context that the user ended.
var ErrInterrupted = errors.New("interrupted")

// Interruptible returns a context that ends when the user, or the system, asks the process to
// end. Asking again, a second later or more, ends the process at once. (Some programs ask twice
// in a row, such as timeout, which asks the process and its group.) Call stop when the work is done.
func Interruptible() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			cancel(ErrInterrupted)
			time.Sleep(time.Second)
			signal.Stop(signals)
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}
