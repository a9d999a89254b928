package main

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/simdbloom/simdbloom/bench/internal/timing"
)

// stats count the operations of a thread, or of all threads of a benchmark.
type stats struct {
	begun, finished time.Duration // by timing.Now
	working         time.Duration // of all threads together
	operations      int64
	bytes           int64
	looked, found   int64 // keys

	histogram *hdrhistogram.Histogram // of calls, in nanoseconds; nil if it is not wanted
	last      time.Duration           // when the last call ended
}

func (s *stats) start() {
	s.begun = timing.Now()
	s.last = s.begun
}

func (s *stats) stop() {
	s.working = timing.Since(s.begun)
	s.finished = s.begun + s.working
}

// add counts the operations of a call that has just ended.
func (s *stats) add(operations, bytes int64) {
	s.operations += operations
	s.bytes += bytes
	if s.histogram == nil {
		return
	}
	now := timing.Now()
	// The error is of a value above the highest, which counts as that.
	_ = s.histogram.RecordValue(min(int64(now-s.last), s.histogram.HighestTrackableValue()))
	s.last = now
}

// merge adds another thread's.
func (s *stats) merge(other *stats) {
	s.begun = min(s.begun, other.begun)
	s.finished = max(s.finished, other.finished)
	s.working += other.working
	s.operations += other.operations
	s.bytes += other.bytes
	s.looked += other.looked
	s.found += other.found
	if s.histogram != nil {
		s.histogram.Merge(other.histogram)
	}
}
