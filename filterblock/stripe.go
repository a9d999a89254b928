package filterblock

import "unsafe"

// Stripes keep goroutines that count at once off each other's cache lines.
const numStripes = 64

// hereStripe returns a stripe's number, below numStripes, for the goroutine that calls it: mostly the
// same one, and mostly another one than other goroutines get. It costs under a nanosecond.
//
// The number is a hash of the address of the goroutine's stack. Stacks take at least 2 KiB,
// and processors keep free ones for goroutines that they start, so a stripe's cache line
// stays where it is even if a goroutine counts once. A goroutine gets another number if its
// stack moves, or if it calls from a frame in another 2 KiB.
func hereStripe() uint {
	var here struct{}
	return stripeOf(uintptr(unsafe.Pointer(&here))) // only a number: here does not escape
}

// stripeOf multiplies by 2^64 divided by the golden ratio, which spreads addresses at any regular
// distance, and returns the highest bits.
func stripeOf(address uintptr) uint {
	return uint(uint64(address>>11) * 0x9e3779b97f4a7c15 >> (64 - 6))
}
