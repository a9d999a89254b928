package ribbon

import (
	"errors"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestWantedRateIsRocksDBs allows for the last places, in which Go's exp and pow differ from the
// C library's.
func TestWantedRateIsRocksDBs(t *testing.T) {
	for _, v := range vectors.RibbonPolicies() {
		p, err := newPlan(v.BitsPerKey)
		if v.Millibits == 0 {
			if err == nil {
				t.Errorf("%v bits/key are accepted", v.BitsPerKey)
			}
			continue
		}
		if err != nil && math.IsInf(v.BitsPerKey, 1) {
			continue // RocksDB takes it as 100
		}
		if err != nil || p.millibits != v.Millibits || math.Abs(p.oneIn/v.OneIn-1) > 3e-14 {
			t.Errorf("%v bits/key: %d millibits, one in %v, want %d, %v (%v)", v.BitsPerKey, p.millibits, p.oneIn, v.Millibits, v.OneIn, err)
		}
	}
}

func TestSizesAreRocksDBs(t *testing.T) {
	for _, v := range vectors.RibbonSpaces() {
		p, err := newPlan(v.BitsPerKey)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range v.Rows {
			n, entropy, raw, slots, size := row[0], row[1], row[2], row[3], row[4]
			if raw != 0 && uint64(rawSlots(n)) != raw {
				t.Errorf("%d keys: %d slots before rounding, want %d", n, rawSlots(n), raw)
			}
			s := p.size(n, entropy<<32)
			if !s.fits() && size == asm.MaxBodyBytes+rocksdb.TrailerBytes {
				continue // too large: RocksDB cuts it off, which is an error here
			}
			if body := size - rocksdb.TrailerBytes; uint64(s.blocks)*128 != slots || s.body != body {
				t.Errorf("%d keys at %v bits/key: %d blocks in %d bytes, want %d slots in %d", n, v.BitsPerKey, s.blocks, s.body, slots, body)
			}
		}
	}
}

func TestKeysAreRocksDBs(t *testing.T) {
	for _, v := range vectors.ApproximateEntries() {
		p, err := newPlan(v.BitsPerKey)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range v.Rows {
			var got int
			switch v.Kind {
			case "ribbon":
				got = KeysFor(row[0], v.BitsPerKey)
			case "fastlocal":
				got = int(fastlocal.Layout.KeysFor(uint64(row[0]), p.millibits))
			default:
				continue // package legacy's
			}
			if got != row[1] {
				t.Errorf("%s, %v bits/key, %d bytes: %d keys, want %d", v.Kind, v.BitsPerKey, row[0], got, row[1])
			}
		}
	}
	if got := KeysFor(math.MaxInt, 10); got < 900_000_000 || got > mostKeys { // 386's is 2 GiB
		t.Errorf("all bytes: %d keys", got)
	}
}

// TestWithoutMemory: its error is the builder's, of Ribbon filters and of the FastLocal ones of few keys.
func TestWithoutMemory(t *testing.T) {
	full := errors.New("no memory")
	for _, n := range []int{50, 5000} {
		s, err := NewScheme(10, &building.Options{Concurrency: 1})
		if err != nil {
			t.Fatal(err)
		}
		log := hashlog.New(math.MaxInt, 1)
		log.AddAll(vectors.Hashes(1, n))
		if data, err := s.Build(&log, 1, func(uint64, bool) ([]byte, error) { return nil, full }); data != nil || err != full {
			t.Errorf("%d keys: %v", n, err)
		}
	}
}
