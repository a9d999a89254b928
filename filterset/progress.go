package filterset

import "sync"

// reporter calls a function for progress, not too often.
type reporter struct {
	report func(Progress)
	mu     sync.Mutex
	phase  string
	last   int64
}

const leastStep = 1 << 20 // keys

// now reports that some keys of a phase are done, if it is time to, or the phase's end.
func (r *reporter) now(phase string, done, total int64, end bool) {
	if r.report == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if phase != r.phase {
		r.phase, r.last = phase, 0
	}
	step := max(total/1024, leastStep)
	if done-r.last >= step || end {
		r.last = done
		r.report(Progress{phase, done, total})
	}
}
