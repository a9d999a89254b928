//go:build !linux || 386 || arm || mips || mipsle

package aligned

import "math"

// Other systems let no program choose its pages, and with 32 bits addresses are
// too few to align so much.
const (
	hugeBytes = Alignment
	hugeFrom  = math.MaxInt
)

func hugePages() bool { return false }

func collapse([]byte) {}
