//go:build !linux

package machine

// Peak returns 0: the system does not say.
func Peak() int { return 0 }

// Resident returns 0: the system does not say.
func Resident() int { return 0 }
