package cpu

// Caches returns the sizes in bytes of the second-level cache and of the last one. If
// the processor does not report them, they are 1 MiB and 32 MiB, as in most servers.
// Virtual machines share the last one with others.
func Caches() (l2, last int) { return secondCache, lastCache }

var secondCache, lastCache = cachesOr()

// cachesOr is Caches, once.
func cachesOr() (l2, last int) {
	l2, last = caches()
	if l2 <= 0 {
		l2 = 1 << 20
	}
	if last <= l2 {
		last = max(32<<20, 2*l2)
	}
	return l2, last
}
