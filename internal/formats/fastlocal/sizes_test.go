package fastlocal

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
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
		body := Layout.BodyBytes(v.N, v.Millibits)
		want := v.TotalLen - rocksdb.TrailerBytes
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

// TestSizesWithinLimits has limits below, at and above what 1,000 keys at 10 bits per key need.
func TestSizesWithinLimits(t *testing.T) {
	const keys, millibits, whole = 1000, 10_000, 1280
	for _, c := range []struct {
		limit  building.Limit
		body   uint64
		probes int
	}{
		{building.Limit{}, whole, 6},
		{building.AtMost(whole + 5), whole, 6},
		{building.AtMost(whole + 6400), whole, 6},
		{building.AtMost(whole + 4), whole - 64, 6},
		{building.AtMost(645), 640, NumProbes(5120)},
		{building.AtMost(69), 64, 1},
		{building.Exactly(69), 64, 1},
		{building.Exactly(whole + 5), whole, NumProbes(10_240)},
		{building.Exactly(2*whole + 5), 2 * whole, NumProbes(20_480)},
		{building.Exactly(100*whole + 5), 100 * whole, 24},
	} {
		if body, probes := Layout.Size(keys, millibits, c.limit); body != c.body || probes != c.probes {
			t.Errorf("%+v: %d bytes, %d probes, want %d and %d", c.limit, body, probes, c.body, c.probes)
		}
	}
}

func TestNoNumberOfKeysIsTooLargeForALimit(t *testing.T) {
	for _, n := range []int{math.MaxInt, math.MaxInt - 1, math.MaxInt32, math.MaxInt32 - 70} {
		want := min(uint64(n-rocksdb.TrailerBytes), asm.MaxBodyBytes) / 64 * 64
		for _, keys := range []uint64{1 << 30, 1 << 40, math.MaxInt64} {
			if body, probes := Layout.Size(keys, 100_000, building.AtMost(n)); body != want || probes < 1 {
				t.Errorf("%d keys in %d bytes: %d bytes with %d probes, want %d", keys, n, body, probes, want)
			}
		}
	}
}
