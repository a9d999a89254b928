//go:build !linux || 386 || arm || mips || mipsle

package aligned

import "math"

// Other systems let no program choose its pages, and 32-bit systems have too few addresses
// to align to huge pages.
const (
	hugeBytes = Alignment
	hugeFrom  = math.MaxInt
)

func hugePages() bool { return false }

func collapse([]byte) {}
