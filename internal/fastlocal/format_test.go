package fastlocal

import (
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

func TestNumProbesIsRocksDBs(t *testing.T) {
	table := vectors.NumProbes("rocksdb_fastlocal")
	for i, step := range table {
		next := 100_001
		if i+1 < len(table) {
			next = table[i+1][0]
		}
		for millibits := step[0]; millibits < next; millibits++ {
			if got := NumProbes(millibits); got != step[1] {
				t.Fatalf("%d millibits/key: %d probes, want %d", millibits, got, step[1])
			}
		}
	}
}

func TestSizesAreRocksDBs(t *testing.T) {
	for _, v := range vectors.Spaces("rocksdb_fastlocal") {
		body := BodyBytes(v.N, v.Millibits)
		want := v.TotalLen - TrailerBytes
		if body > asm.MaxBodyBytes && want == asm.MaxBodyBytes {
			continue // too large: RocksDB cuts it off, which is an error here
		}
		if body != want {
			t.Errorf("%d keys at %d millibits: %d bytes, want %d", v.N, v.Millibits, body, want)
		}
	}
}

func TestLeastMillibits(t *testing.T) {
	for probes := 1; probes <= 24; probes++ {
		least := LeastMillibits(probes)
		if NumProbes(least) != probes {
			t.Errorf("%d probes: %d thousandths have %d", probes, least, NumProbes(least))
		}
		for millibits := 1000; millibits < least; millibits++ {
			if NumProbes(millibits) == probes {
				t.Fatalf("%d probes: %d thousandths have as many", probes, millibits)
			}
		}
	}
	if LeastMillibits(30) != LeastMillibits(24) {
		t.Error("more than 24 probes are no builder's choice")
	}
}
