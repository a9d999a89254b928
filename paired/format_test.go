package paired

import (
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/vectors"
)

var vectorsOf = map[int]string{32: "speedb_paired_b32", 128: "speedb_paired_b128"}

func TestNumProbesIsSpeedbs(t *testing.T) {
	for batch, name := range vectorsOf {
		table := vectors.NumProbes(name)
		for i, step := range table {
			next := 100_001
			if i+1 < len(table) {
				next = table[i+1][0]
			}
			want := max(step[1], 2) // where Speedb takes 0, every key would match
			for millibits := step[0]; millibits < next; millibits++ {
				if got := numProbes(millibits, batch); got != want {
					t.Fatalf("batches of %d, %d millibits/key: %d probes, want %d", batch, millibits, got, want)
				}
			}
		}
	}
}

func TestSizesAreSpeedbs(t *testing.T) {
	for batch, name := range vectorsOf {
		for _, v := range vectors.Spaces(name) {
			f := newFormat(v.Millibits, layout{batch, v.IsBottommost == 1})
			body := f.BodyBytes(v.N)
			want := v.TotalLen - trailerBytes
			if body > f.MaxBodyBytes() && want == asm.MaxBodyBytes {
				continue // too large: Speedb cuts it off, which is an error here
			}
			if body != want {
				t.Errorf("batches of %d, %d keys at %d millibits: %d bytes, want %d", batch, v.N, v.Millibits, body, want)
			}
		}
	}
}
