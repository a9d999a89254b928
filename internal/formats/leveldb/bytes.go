package leveldb

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
)

// TrailerBytes is the size of the number of probes, which follows a filter's bits.
const TrailerBytes = 1

// Read reads bytes as LevelDB reads its filters.
func Read(data []byte) (c contents.Contents, flaw string) {
	switch body, probes := Body(data); {
	case body != nil:
		return contents.Contents{Format: asm.LevelDB, Body: body, Probes: probes, Prepare: prepare}, ""
	case len(data) == 0:
		return contents.Contents{Format: asm.Empty}, ""
	}
	return c, "too short for a body and the number of probes, 2 bytes"
}

func prepare(c contents.Contents) asm.Kernel { return asm.NewLevelDB(c.Body, c.Probes) }

// Body returns the bits and the number of probes of a filter, or nil for fewer than two bytes.
// A filter of more than 30 probes, which LevelDB reserves for other formats, or of none, may contain
// every key: it has no probes.
func Body(data []byte) (body []byte, probes int) {
	n := len(data) - TrailerBytes
	if n <= 0 {
		return nil, 0
	}
	if probes = int(data[n]); probes > asm.MaxProbes {
		probes = 0
	}
	return data[:n], probes
}
