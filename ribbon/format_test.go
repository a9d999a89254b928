package ribbon

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/fastlocal"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestWantedRateIsRocksDBs allows for the last places, in which Go's exp and pow differ from the
// C library's.
func TestWantedRateIsRocksDBs(t *testing.T) {
	for _, v := range vectors.RibbonPolicies() {
		l, err := newLayout(v.BitsPerKey)
		if v.Millibits == 0 {
			if err == nil {
				t.Errorf("%v bits/key are accepted", v.BitsPerKey)
			}
			continue
		}
		if err != nil && math.IsInf(v.BitsPerKey, 1) {
			continue // RocksDB takes it as 100
		}
		if err != nil || l.millibits != v.Millibits || math.Abs(l.oneIn/v.OneIn-1) > 3e-14 {
			t.Errorf("%v bits/key: %d millibits, one in %v, want %d, %v (%v)", v.BitsPerKey, l.millibits, l.oneIn, v.Millibits, v.OneIn, err)
		}
	}
}

func TestSizesAreRocksDBs(t *testing.T) {
	for _, v := range vectors.RibbonSpaces() {
		l, err := newLayout(v.BitsPerKey)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range v.Rows {
			n, entropy, raw, slots, size := row[0], row[1], row[2], row[3], row[4]
			if raw != 0 && uint64(rawSlots(n)) != raw {
				t.Errorf("%d keys: %d slots before rounding, want %d", n, rawSlots(n), raw)
			}
			p := l.plan(n, entropy<<32)
			if !p.fits() && size == asm.MaxBodyBytes+trailerBytes {
				continue // too large: RocksDB cuts it off, which is an error here
			}
			if body := size - trailerBytes; uint64(p.blocks)*128 != slots || p.body != body {
				t.Errorf("%d keys at %v bits/key: %d blocks in %d bytes, want %d slots in %d", n, v.BitsPerKey, p.blocks, p.body, slots, body)
			}
		}
	}
}

func TestEntriesAreRocksDBs(t *testing.T) {
	for _, v := range vectors.ApproximateEntries() {
		l, err := newLayout(v.BitsPerKey)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range v.Rows {
			var got int
			switch v.Kind {
			case "ribbon":
				got = EntriesFor(row[0], v.BitsPerKey)
			case "fastlocal":
				got = int(fastlocal.EntriesFor(uint64(row[0]), l.millibits))
			default:
				continue // package legacy's
			}
			if got != row[1] {
				t.Errorf("%s, %v bits/key, %d bytes: %d keys, want %d", v.Kind, v.BitsPerKey, row[0], got, row[1])
			}
		}
	}
	for _, bpk := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if EntriesFor(1000, bpk) != 0 {
			t.Errorf("%v bits/key: some keys", bpk)
		}
	}
	for _, bytes := range []int{math.MinInt, -1, 0, 4, 5} {
		if EntriesFor(bytes, 10) != 0 {
			t.Errorf("%d bytes: some keys", bytes)
		}
	}
	if got := EntriesFor(math.MaxInt, 10); got < 900_000_000 || got > mostKeys { // 386's is 2 GiB
		t.Errorf("all bytes: %d keys", got)
	}
}
