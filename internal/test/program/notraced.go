//go:build !race

package program

// Raced reports whether the race detector is part of this program, which makes everything many times slower.
const Raced = false
