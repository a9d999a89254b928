//go:build !linux

package aligned

import "math"

// Memory returns the machine's memory and swap space, or math.MaxInt if that is unknown or more.
func Memory() int { return math.MaxInt }
