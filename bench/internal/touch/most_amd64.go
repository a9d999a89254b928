//go:build !purego

package touch

import "github.com/simdbloom/simdbloom/cpu"

const (
	octet     = 8
	mostInOne = 1024 // hashes in a call: assembly cannot be preempted
	fewest    = 32   // hashes that linesVector takes
)

// most does all but the last hashes in assembly and returns those.
func most(body []byte, hashes []uint64, hint Hint, distance int) (all uint64, rest []uint64) {
	lines := linesNone
	switch hint {
	case None:
		distance = 0
		if cpu.Machine() == cpu.AVX512 {
			lines = func(body *byte, size uint64, hashes *uint64, octets, _ int) uint64 {
				return linesVector(body, size, hashes, octets)
			}
		}
	case T0:
		lines = linesT0
	case T1:
		lines = linesT1
	case T2:
		lines = linesT2
	case NTA:
		lines = linesNTA
	}
	for len(hashes) >= distance+fewest {
		n := min(mostInOne, (len(hashes)-distance)&^(octet-1))
		all |= lines(&body[0], uint64(len(body)), &hashes[0], n/octet, distance)
		hashes = hashes[n:]
	}
	return all, hashes
}
