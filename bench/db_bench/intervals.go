package main

import (
	"fmt"
	"time"
)

// interval is a thread's last report on itself.
type interval struct {
	operations int64
	at         time.Time
	look       int64 // number of operations at which to look whether the next one is due
}

// reportsIntervals returns whether -stats_interval or -stats_interval_seconds is given.
func (s *settings) reportsIntervals() bool { return s.statsInterval > 0 || s.statsIntervalSeconds > 0 }

// lookInterval returns the number of operations between looks whether a report is due.
func (s *settings) lookInterval() int64 {
	if s.statsIntervalSeconds > 0 {
		return 1000
	}
	return s.statsInterval
}

// reportInterval reports on the thread if it is time to, as RocksDB does.
func (t *thread) reportInterval() {
	s, done := t.settings, t.stats.operations
	if done < t.reported.look {
		return
	}
	t.reported.look += s.lookInterval()
	now := time.Now()
	lasted, total := now.Sub(t.reported.at).Seconds(), now.Sub(t.stats.begun).Seconds()
	if lasted < float64(s.statsIntervalSeconds) {
		return
	}
	fmt.Fprintf(s.stderr, "%s ... thread %d: (%d,%d) ops and (%.1f,%.1f) ops/second in (%.6f,%.6f) seconds\n",
		now.Format("2006/01/02-15:04:05"), t.number, done-t.reported.operations, done,
		float64(done-t.reported.operations)/lasted, float64(done)/total, lasted, total)
	t.reported.operations, t.reported.at = done, now
}
