package cpu

// L2 returns the size of the second-level cache in bytes, as the processor says
// or, where it does not, as most servers have it: 1 MiB.
func L2() int {
	if size := l2(); size > 0 {
		return size
	}
	return 1 << 20
}
