package aligned

import (
	"math"
	"sync"

	"golang.org/x/sys/unix"
)

// Memory returns the machine's memory and swap space, or math.MaxInt if that is unknown or more.
var Memory = sync.OnceValue(func() int {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return math.MaxInt
	}
	bytes := (float64(info.Totalram) + float64(info.Totalswap)) * float64(info.Unit)
	if bytes >= math.MaxInt {
		return math.MaxInt
	}
	return int(bytes)
})
