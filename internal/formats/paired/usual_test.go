package paired

import (
	"testing"

	"github.com/simdbloom/simdbloom/asm"
)

// TestUsualIsWhatBuildersWrite: package asm takes a filter as usual if it is whole
// batches and a trailer that a builder writes, and no other. Every byte of every trailer
// is changed to every value.
func TestUsualIsWhatBuildersWrite(t *testing.T) {
	const body = 2 * PublishedBlocks * asm.BlockBytes
	type written struct{ batchBlocks, probes int }
	trailers := make(map[string]written)
	for _, batchBlocks := range []int{SpeedbBlocks, PublishedBlocks} {
		for probes := 2; probes <= asm.MaxProbes; probes++ {
			var trailer [TrailerBytes]byte
			PutTrailer(trailer[:], batchBlocks, probes)
			trailers[string(trailer[:])] = written{batchBlocks, probes}
		}
	}
	data := make([]byte, body+TrailerBytes) // without keys
	check := func(data []byte, want written) {
		t.Helper()
		if mayContain := asm.PairedMayContain(data, 1); mayContain != (want.probes == 0 && len(data) > 0) {
			t.Fatalf("%d bytes that end in %x: %v, want %v", len(data), data[max(0, len(data)-TrailerBytes):], mayContain, want)
		}
	}
	for trailer, w := range trailers {
		for at := range trailer {
			for value := range 256 {
				copy(data[body:], trailer)
				data[body+at] = byte(value)
				check(data, trailers[string(data[body:])])
			}
		}
		copy(data[body:], trailer)
		batch := w.batchBlocks * asm.BlockBytes
		check(data[body-batch:], w)
		for _, size := range []int{0, 1, asm.BlockBytes, batch - asm.BlockBytes, batch + asm.BlockBytes} {
			check(data[body-size:], written{})
		}
		for n := range TrailerBytes {
			check([]byte(trailer[:n]), written{})
		}
	}
}
