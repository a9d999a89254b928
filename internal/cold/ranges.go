// Package cold looks up hashes in filter files, and in sets of them, of which it reads ranges, for filterfile.OpenAt
// and filterset.OpenAt. It keeps the ranges in a cache of a given size, and answers "no" only by bytes
// whose checksums it has compared.
package cold

import (
	"context"
	"fmt"
	"sync/atomic"
)

// Ranges reads ranges of named files.
type Ranges interface {
	// ReadRange reads len(p) bytes of the file with this name, from off on, into p. If the file ends before that, it
	// reads what is there, and returns an error, such as io.ErrUnexpectedEOF. Any number of goroutines may call it at
	// once. It must return soon after ctx is done.
	ReadRange(ctx context.Context, name string, p []byte, off int64) error
}

// Counters count the reads since a filter was opened.
type Counters struct {
	Requests  int64 // calls of ReadRange
	Bytes     int64 // that were requested
	CacheHits int64 // headers and pieces that a lookup found in the cache
	Errors    int64 // requests that failed, and wrong checksums
}

// reader makes requests, at most some at a time, and counts them.
type reader struct {
	ranges                              Ranges
	slots                               chan struct{}
	requestsMade, bytes, hits, failures atomic.Int64
}

// read is ReadRange. It returns when ctx is done, even if that does not: p must not be used after an error, except for
// a file that ended.
func (r *reader) read(ctx context.Context, name string, p []byte, off int64) error {
	select {
	case r.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	r.requestsMade.Add(1)
	r.bytes.Add(int64(len(p)))
	done := make(chan error, 1)
	go func() {
		defer func() {
			if failed := recover(); failed != nil {
				done <- fmt.Errorf("reading %s: panic: %v", name, failed)
			}
			<-r.slots
		}()
		done <- r.ranges.ReadRange(ctx, name, p, off)
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		r.failures.Add(1)
		return fmt.Errorf("%s, %d bytes from %d on: %w", name, len(p), off, err)
	}
	return nil
}

// readUpTo is read where the file may end before, which is no failure.
func (r *reader) readUpTo(ctx context.Context, name string, p []byte, off int64) error {
	err := r.read(ctx, name, p, off)
	if isEOF(err) {
		r.failures.Add(-1)
	}
	return err
}
