package ribbon_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/ribbon"
)

// TestEveryLimit goes from the least to the size without a limit, and beyond. A filter that does
// not fit has the same slots and fewer columns.
func TestEveryLimit(t *testing.T) {
	for _, keys := range []int{0, 1, 52, 200, 1000} {
		hashes := vectors.Hashes(uint64(keys), keys)
		for _, bpk := range []float64{1, 10, 100} {
			plain := contract.Ribbon.Build(t, bpk, hashes)
			for n := 69; n <= len(plain)+66; n += 1 + len(plain)/97 {
				data := contract.Ribbon.Build(t, bpk, hashes, simdbloom.WithMaxBytes(n), simdbloom.WithVerification())
				f := contract.Ribbon.Opened(t, data)
				name := fmt.Sprintf("%d keys at %v bits/key in %d bytes", keys, bpk, n)
				switch {
				case n >= len(plain):
					if !bytes.Equal(data, plain) {
						t.Fatalf("%s: other bytes than without a limit", name)
					}
				case len(data) > n || n-len(data) >= 64:
					t.Fatalf("%s: %d bytes", name, len(data))
				case f.Format() == simdbloom.Ribbon:
					blocks := plain[len(plain)-3]
					want, ok := naive.Ribbon(hashes, 128*int(blocks), (n-5)/16*16, byte(hashes[0]))
					if !ok || !bytes.Equal(data, want) {
						t.Fatalf("%s: other bytes than the naive builder's", name)
					}
				}
				if hits := f.AppendHits(nil, hashes); len(hits) != keys {
					t.Fatalf("%s: %d found", name, len(hits))
				}
				predicted, estimated := ribbon.PredictedFPR(keys, bpk, simdbloom.WithMaxBytes(n)), f.EstimatedFPR()
				if f.Format() == simdbloom.Ribbon && math.Abs(predicted/estimated-1) > 0.1 {
					t.Errorf("%s: predicted rate %.4g, estimated %.4g", name, predicted, estimated)
				}
			}
		}
	}
}

// TestGivingUp has hashes that no seed makes solvable: the filter is FastLocal, within the limit.
func TestGivingUp(t *testing.T) {
	for _, v := range vectors.RibbonRaw() {
		if v.Set != "cluster:111803" {
			continue
		}
		hashes := v.Hashes()
		for _, limit := range []int{69, 1029, 1<<18 + 5} {
			for exactly, option := range []simdbloom.Option{simdbloom.WithMaxBytes(limit), simdbloom.WithSizeBytes(limit)} {
				b := contract.Ribbon.Builder(t, v.BitsPerKey, option, simdbloom.WithVerification())
				b.AddHashes(hashes)
				data, err := b.AppendFinish([]byte("before"))
				if err != nil || !bytes.HasPrefix(data, []byte("before")) {
					t.Fatal(err)
				}
				f := contract.Ribbon.Opened(t, data[6:])
				fits := f.SizeBytes() <= limit && (exactly == 0 || f.SizeBytes() == limit)
				if f.Format() != simdbloom.FastLocal || !fits || len(f.AppendHits(nil, hashes)) != len(hashes) {
					t.Errorf("%d bytes: %s of %d bytes, or hashes are missing", limit, f.Format(), f.SizeBytes())
				}
			}
		}
		return
	}
	t.Error("no vector that gives up")
}

// TestExactSizes: a filter has the rate that is predicted, and no higher one than a FastLocal filter of the same
// size, from columns that are missing in most blocks to more slots than the keys need.
func TestExactSizes(t *testing.T) {
	for _, size := range []int{69, 133, 581, 1029, 4101, 65541} {
		option := simdbloom.WithSizeBytes(size)
		for _, keys := range []int{1, 20, 100, 300, 700, 1000, 3000, 40_000} {
			f := contract.Ribbon.Opened(t, contract.Ribbon.Build(t, 10, vectors.Hashes(uint64(keys), keys), option))
			predicted := ribbon.PredictedFPR(keys, 10, option)
			if f.SizeBytes() != size || f.Format() == simdbloom.Ribbon && math.Abs(predicted/f.EstimatedFPR()-1) > 0.05 {
				t.Errorf("%d keys in %d bytes: %d bytes, predicted rate %.4g, estimated %.4g", keys, size, f.SizeBytes(), predicted, f.EstimatedFPR())
			}
			if other := bloom.PredictedFPR(keys, 10, option); predicted > other {
				t.Errorf("%d keys in %d bytes: a rate of %.4g, FastLocal's is %.4g", keys, size, predicted, other)
			}
		}
	}
	if rate := ribbon.PredictedFPR(1000, 10, simdbloom.WithSizeBytes(1024)); !math.IsNaN(rate) {
		t.Errorf("a size that no filter has: a rate of %v", rate)
	}
}

// TestMostKeys: RocksDB builds Ribbon filters of up to 950 million keys, and FastLocal ones of more, which may be too
// large.
func TestMostKeys(t *testing.T) {
	const most = 950_000_000
	if got := ribbon.BitsPerKeyFor(most, 1e-9); math.IsNaN(got) || ribbon.PredictedFPR(most, got) > 1e-9 {
		t.Errorf("%d keys: %v bits per key", most, got)
	}
	if got := ribbon.BitsPerKeyFor(most+1, 1e-9); !math.IsNaN(got) {
		t.Errorf("%d keys: %v bits per key", most+1, got)
	}
	for n, built := range map[int]bool{most: true, most + 1: false} {
		if got := ribbon.PredictedFPR(n, 60); math.IsNaN(got) == built {
			t.Errorf("%d keys at 60 bits per key: %v", n, got)
		}
	}
	half := simdbloom.WithSizeBytes(1<<30 + 5)
	if few, more := ribbon.PredictedFPR(most, 10, half), ribbon.PredictedFPR(most+1, 10, half); !(few < more/1.2) {
		t.Errorf("%d keys in a GiB: a rate of %v, one more %v", most, few, more)
	}
	if largest := uint64(1<<32 - 64 + 5); largest < math.MaxInt {
		if got := ribbon.PredictedFPR(most+1, 10, simdbloom.WithSizeBytes(int(largest))); !(got < 1e-5) {
			t.Errorf("the largest FastLocal filter: a rate of %v", got)
		}
	}
}
