package timing

import "time"

// Stopwatch adds up the times of several things.
type Stopwatch struct{ total time.Duration }

// Time runs f, and adds its time.
func (w *Stopwatch) Time(f func()) {
	before, start := used(), Now()
	f()
	took := Since(start)
	note(took, used()-before)
	w.total += took
}

// PerKey returns the total time in nanoseconds for each of the given number of keys.
func (w *Stopwatch) PerKey(keys uint64) float64 {
	return float64(w.total.Nanoseconds()) / float64(keys)
}
