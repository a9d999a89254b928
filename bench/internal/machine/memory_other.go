//go:build !linux

package machine

import "os"

// Peak returns 0: the system does not say.
func Peak() int { return 0 }

// Resident returns 0: the system does not say.
func Resident() int { return 0 }

// PeakOf returns 0: the system does not say.
func PeakOf(*os.ProcessState) int { return 0 }
