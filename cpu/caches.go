package cpu

// Caches returns the sizes of the second-level and of the last cache in bytes, as
// the processor says or, where it does not, as most servers have them: 1 MiB and
// 32 MiB. A virtual machine shares the last one with others.
func Caches() (l2, last int) {
	l2, last = caches()
	if l2 <= 0 {
		l2 = 1 << 20
	}
	if last <= l2 {
		last = max(32<<20, 2*l2)
	}
	return l2, last
}
