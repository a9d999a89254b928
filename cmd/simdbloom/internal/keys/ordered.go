package keys

import (
	"context"
	"io"
	"sync"
)

// InOrder calls work with everything that next returns, until io.EOF, in the given number of goroutines, and then
// done with what work returned, in order, in this one. Next is called by another goroutine, with a function that
// tells whether work waits for it. The first error ends it. If ctx is done, it returns its error at once, also
// while next waits. When it returns, no work is going on.
func InOrder[T, R any](ctx context.Context, goroutines int, next func(hurry func() bool) (T, error), work func(T) (R, error), done func(R) error) error {
	type outcome struct {
		result R
		err    error
	}
	type job struct {
		input T
		done  chan outcome
	}
	ctx, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	jobs, pending := make(chan job, goroutines), make(chan chan outcome, 2*goroutines)
	for range goroutines {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for {
				select {
				case <-ctx.Done():
					return
				case j := <-jobs:
					result, err := work(j.input)
					j.done <- outcome{result, err}
				}
			}
		}()
	}
	go func() {
		defer close(pending)
		for {
			input, err := next(func() bool { return len(pending) == 0 })
			if err == io.EOF {
				return
			}
			j := job{input, make(chan outcome, 1)}
			if err != nil {
				j.done <- outcome{err: err}
			}
			select {
			case pending <- j.done:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
			select {
			case jobs <- j:
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case finished, more := <-pending:
			if !more {
				return ctx.Err() // next has ended, or was stopped by ctx
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case o := <-finished:
				if o.err == nil {
					o.err = done(o.result)
				}
				if o.err != nil {
					return o.err
				}
			}
		}
	}
}
