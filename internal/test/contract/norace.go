//go:build !race

package contract

// Race says that the race detector makes everything take many times as long, and pools drop memory.
const Race = false
