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

// TestFilters: the keys are in one filter as long as it has at most 4 GiB, and otherwise in parts of at most 2^22, the
// number of which is a power of two. Sets have no filters of hashes of 32 bits.
func TestFilters(t *testing.T) {
	for _, f := range Formats() {
		for keys, filters := range map[int64]int64{1000: 1, 2e9: 1, 3e9: 1024, 1 << 33: 2048, 1<<33 + 1: 4096} {
			if f.Narrow && keys == 2e9 {
				continue // its rate takes long
			}
			r := f.ForBits(keys, 8)
			if f.Narrow && filters > 1 {
				if r != nil {
					t.Errorf("%s, %d keys: %+v", f.Name, keys, r)
				}
				continue
			}
			if r == nil || r.Filters != filters || r.Format != f || r.Setting != 8 || r.BitsPerKey(keys) != 8*float64(r.Bytes)/float64(keys) {
				t.Errorf("%s, %d keys: %+v", f.Name, keys, r)
				continue
			}
			each := int((keys + filters - 1) / filters)
			if p := f.Policy(8); r.Bytes != filters*int64(p.SizeBytes(each)) || r.FPR != p.PredictedFPR(each) {
				t.Errorf("%s, %d keys: %+v", f.Name, keys, r)
			}
		}
		if f.Narrow {
			continue
		}
		if r := f.ForBits(1<<62, 32); r != nil {
			t.Errorf("%s, 2^64 bytes: %+v", f.Name, r)
		}
		if r := f.ForRate(2e9, 1e-6); r == nil || r.Filters != 512 || r.FPR > 1e-6 {
			t.Errorf("%s, more than 4 GiB: %+v", f.Name, r)
		}
	}
}

// TestSettingsAreTheLargest: the next one takes more memory than the given one. Of the older formats, they are whole.
func TestSettingsAreTheLargest(t *testing.T) {
	for _, f := range Formats() {
		step := 0.001
		if f.Narrow {
			step = 1
			if r := f.ForBits(100, 10.9); r == nil || r.Setting != 10 {
				t.Errorf("%s: %+v", f.Name, r)
			}
		}
		const keys = 100
		for _, bytes := range []int64{90, 300, 1000} {
			r := f.ForBytes(keys, bytes)
			if r == nil && f.Name == "linear" && bytes == 90 {
				continue // its smallest filter is larger
			}
			if r == nil || r.Bytes > bytes {
				t.Errorf("%s in %d bytes: %+v", f.Name, bytes, r)
			} else if next := f.ForBits(keys, r.Setting+step); next != nil && next.Bytes <= bytes {
				t.Errorf("%s in %d bytes: %+v, but %+v", f.Name, bytes, r, next)
			}
		}
		if r := f.ForBytes(keys, 1); r != nil {
			t.Errorf("%s in a byte: %+v", f.Name, r)
		}
	}
	for bits, is := range map[float64]bool{0.5: true, 0.499: false, math.NaN(): false} {
		if r := Formats()[0].ForBits(100, bits); (r != nil) != is {
			t.Errorf("%v bits: %+v", bits, r)
		}
	}
}
