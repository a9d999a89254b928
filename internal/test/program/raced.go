//go:build race

package program

// Raced reports whether the race detector is part of this program, which makes everything take many times as long.
const Raced = true
