package cpu

// Caches returns the sizes of the second and the last level's caches in bytes,
// as the processor says or, where it does not, as most servers have them: 1 MiB
// and 32 MiB. Virtual machines share the last one and may say what they like.
func Caches() (l2, l3 int) {
	l2, l3 = caches()
	if l2 <= 0 {
		l2 = 1 << 20
	}
	if l3 <= l2 {
		l3 = max(32<<20, 4*l2)
	}
	return l2, l3
}
