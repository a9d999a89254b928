package layout

import "github.com/simdbloom/simdbloom/asm"

// LevelDBTrailerBytes is the size of what follows a LevelDB filter's bits: the number of probes.
const LevelDBTrailerBytes = 1

// LevelDB reads bytes as LevelDB reads its filters.
func LevelDB(data []byte) (c Contents, flaw string) {
	switch body, probes := LevelDBBody(data); {
	case body != nil:
		return Contents{Format: asm.LevelDB, Body: body, Probes: probes}, ""
	case len(data) == 0:
		return Contents{Format: asm.Empty}, ""
	}
	return c, "too short for a body and the number of probes, 2 bytes"
}

// LevelDBBody returns the bits and the number of probes of a filter, or nil for fewer than two bytes.
// A filter of more than 30 probes, which LevelDB reserves for other formats, or of none, may contain
// every key: it has no probes.
func LevelDBBody(data []byte) (body []byte, probes int) {
	n := len(data) - LevelDBTrailerBytes
	if n <= 0 {
		return nil, 0
	}
	if probes = int(data[n]); probes > asm.MaxProbes {
		probes = 0
	}
	return data[:n], probes
}
