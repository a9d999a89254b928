// Package timing takes the times of work, and notices if the machine is too busy for it.
package timing

// PerKey returns the time of f in nanoseconds, divided by the given number of keys.
func PerKey(keys int, f func()) float64 {
	var watch Stopwatch
	watch.Time(f)
	return watch.PerKey(uint64(keys))
}
