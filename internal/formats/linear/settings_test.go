package linear

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/internal/building"
)

func TestMillibits(t *testing.T) {
	for bitsPerKey, want := range map[float64]uint64{
		0.5: 500, 2.0625: 2063, 1: 1000, 23.4: 23_400, 10.00049: 10_000, 999.9994: 999_999, 1000: 1_000_000, 1001: 1_000_000,
		math.MaxFloat64: 1_000_000,
	} {
		if got, err := millibitsOf(bitsPerKey); got != want || err != nil {
			t.Errorf("%v bits/key: %d, %v; want %d", bitsPerKey, got, err, want)
		}
	}
}

// TestMoreLinesThanFit needs no keys: no machine has memory for enough.
func TestMoreLinesThanFit(t *testing.T) {
	if lines := (setting{millibits: 10_000, load: UsualLoad}).lines(1 << 40); lines <= MaxLines {
		t.Errorf("%d lines of 2^40 keys", lines)
	}
	if lines := (setting{millibits: 10_000}).lines(0); lines != 0 {
		t.Errorf("%d lines of no keys", lines)
	}
	if size := mostBytes(MaxLines); size != math.MaxUint32*65+136 {
		t.Errorf("the largest filter has %d bytes", size)
	}
	const most = math.MaxInt32
	o := building.Options{Concurrency: 1}
	if rate := PredictedFPR(most, 10, &o); math.Abs(rate-1.38e-3) > 1e-5 {
		t.Errorf("%d keys at 10 bits/key: %v", most, rate)
	}
	if n := math.MaxInt; n > most {
		if rate := PredictedFPR(n, 10, &o); !math.IsNaN(rate) {
			t.Errorf("%d keys: %v", n, rate)
		}
		if bits := BitsPerKeyFor(n, 0.5, &o); !math.IsNaN(bits) {
			t.Errorf("%d keys: %v bits per key", n, bits)
		}
	}
}
