package sizes

import (
	"fmt"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
)

var policies = map[string]string{
	"fastlocal": "simdbloom.FastLocal", "paired": "simdbloom.Paired", "linear": "simdbloom.Linear",
	"ribbon": "simdbloom.Ribbon", "splitblock": "simdbloom.SplitBlock",
	"legacy": "rocksdb.internal.LegacyBloomFilter", "leveldb": "leveldb.BuiltinBloomFilter2",
}

// TestSizesAreBuilders: what is printed is what a builder says.
func TestSizesAreBuilders(t *testing.T) {
	for _, f := range Formats() {
		numbers := []int{1, 10, 1000, 12_345, 200_000}
		if f.Narrow {
			numbers = numbers[1:3] // their rates take long
		}
		for _, n := range numbers {
			hashes := vectors.Hashes(1, n)
			for _, bits := range []float64{8, 10, 23} {
				p, err := policy.Parse(fmt.Sprintf("%s:%v", policies[f.Name], bits))
				if err != nil {
					t.Fatal(err)
				}
				b := p.NewBuilder()
				b.AddHashes(hashes)
				r := f.ForBits(int64(n), bits)
				if r == nil || r.Bytes != int64(b.SizeBytes()) || r.FPR != p.PredictedFPR(n) || r.Filters != 1 {
					t.Errorf("%s, %d keys, %v bits: %+v, but %d bytes", f.Name, n, bits, r, b.SizeBytes())
				}
			}
		}
	}
}

// TestRatesAndMemoryAreKept, also of sets.
func TestRatesAndMemoryAreKept(t *testing.T) {
	for _, f := range Formats()[:5] {
		for _, keys := range []int64{1, 5000, 1e7, 3e10, math.MaxInt64 >> 8} {
			if r := f.ForRate(keys, 0.001); r == nil || r.FPR > 0.001 {
				t.Errorf("%s, %d keys: %+v", f.Name, keys, r)
			} else if single := int64(1) << 32; r.Bytes/r.Filters > single {
				t.Errorf("%s, %d keys: %+v", f.Name, keys, r)
			}
		}
		for _, keys := range []int64{5000, 1e7, 3e10} {
			r := f.ForBytes(keys, 2*keys)
			if r == nil || r.Bytes > 2*keys || f.Name != "paired" && r.Bytes < 2*keys*99/100-500 {
				t.Errorf("%s, %d keys in %d bytes: %+v", f.Name, keys, 2*keys, r)
			}
		}
	}
	for _, f := range Formats()[:5] {
		if r := f.ForRate(1e12, 1e-300); r != nil {
			t.Errorf("%s: %+v", f.Name, r)
		}
		if r := f.ForBits(100, 0.1); r != nil {
			t.Errorf("%s: %+v", f.Name, r)
		}
	}
}
