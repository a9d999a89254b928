package bloom

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
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
			if got := numProbes(millibits); got != step[1] {
				t.Fatalf("%d millibits/key: %d probes, want %d", millibits, got, step[1])
			}
		}
	}
}

func TestSizesAreRocksDBs(t *testing.T) {
	for _, v := range vectors.Spaces("rocksdb_fastlocal") {
		body := bodyBytes(v.N, v.Millibits)
		want := v.TotalLen - trailerBytes
		if body > asm.MaxBodyBytes && want == asm.MaxBodyBytes {
			continue // too large: RocksDB cuts it off, which is an error here
		}
		if body != want {
			t.Errorf("%d keys at %d millibits: %d bytes, want %d", v.N, v.Millibits, body, want)
		}
	}
}

func TestNoNumberOfKeysIsTooLargeForALimit(t *testing.T) {
	for _, n := range []int{math.MaxInt, math.MaxInt - 1, math.MaxInt32, math.MaxInt32 - 70} {
		l := layout{millibits: 100_000, limit: building.AtMost(n)}
		want := min(uint64(n-trailerBytes), asm.MaxBodyBytes) / 64 * 64
		for _, keys := range []uint64{1 << 30, 1 << 40, math.MaxInt64} {
			f := l.format(keys)
			if f.BodyBytes() != want || f.BodyBytes() > f.MaxBodyBytes() || f.probes < 1 {
				t.Errorf("%d keys in %d bytes: %d bytes with %d probes, want %d", keys, n, f.BodyBytes(), f.probes, want)
			}
		}
	}
}
