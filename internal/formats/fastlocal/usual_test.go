package fastlocal

import (
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
)

// TestUsualIsWhatBuildersWrite: package asm takes a filter as usual if it is whole blocks
// and a trailer that a builder writes, and no other. Every byte of every trailer is
// changed to every value.
func TestUsualIsWhatBuildersWrite(t *testing.T) {
	written := make(map[string]int) // the number of probes
	for probes := 1; probes <= asm.MaxProbes; probes++ {
		var trailer [rocksdb.TrailerBytes]byte
		PutTrailer(trailer[:], probes)
		written[string(trailer[:])] = probes
	}
	for trailer := range written {
		for at := range trailer {
			for value := range 256 {
				changed := []byte(trailer)
				changed[at] = byte(value)
				checkUsual(t, append(make([]byte, 2*asm.BlockBytes), changed...), written[string(changed)])
			}
		}
		for _, size := range []int{0, 1, asm.BlockBytes - 1} {
			checkUsual(t, append(make([]byte, size), trailer...), 0)
		}
		for n := range rocksdb.TrailerBytes {
			checkUsual(t, []byte(trailer[:n]), 0)
		}
	}
}

// checkUsual wants a filter without the hash 1 that has the given number of probes, or one that may
// contain every hash if that is 0.
func checkUsual(t *testing.T, data []byte, probes int) {
	t.Helper()
	if mayContain := asm.FastLocalMayContain(data, 1); mayContain != (probes == 0 && len(data) > 0) {
		t.Fatalf("%d bytes that end in %x: %v, want %d probes", len(data), data[max(0, len(data)-rocksdb.TrailerBytes):], mayContain, probes)
	}
}
