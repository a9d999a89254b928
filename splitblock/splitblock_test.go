package splitblock_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

func TestContract(t *testing.T) { contract.Test(t, contract.SplitBlock) }

func TestArguments(t *testing.T) { contract.TestArguments(t, contract.SplitBlock) }

func TestFigures(t *testing.T) { contract.TestFigures(t, contract.SplitBlock) }

// TestParquetsBytes builds what other programs wrote, by builders and by filters that accept keys.
func TestParquetsBytes(t *testing.T) {
	v := vectors.SplitBlocks()
	b := contract.SplitBlock.Builder(t, 10, simdbloom.WithSizeBytes(32*v.File.Blocks))
	for _, value := range v.File.Values {
		b.AddString(value.Value)
	}
	data := contract.SplitBlock.Finish(t, b)
	if !bytes.Equal(data, v.Bits()) {
		t.Error("other bytes than parquet-testing's")
	}
	f := contract.SplitBlock.Opened(t, data)
	for _, absent := range []string{"", "Hello", "this", "xyz"} {
		if f.ContainsString(absent) {
			t.Errorf("%q is in it", absent)
		}
	}
	if f.NumProbes() != 8 || !f.ContainsString("parquet") {
		t.Errorf("%d probes, or a value is missing", f.NumProbes())
	}
	for _, whole := range v.Whole {
		hashes := vectors.Hashes(uint64(whole.Z), whole.N)
		built := contract.SplitBlock.Build(t, 10, hashes, simdbloom.WithSizeBytes(32*whole.Z), simdbloom.WithVerification())
		m := contract.Must(simdbloom.OpenMutable(simdbloom.SplitBlock, make([]byte, 32*whole.Z), keyhash.XX64))
		m.AddHashes(hashes)
		if got := xxhash.Sum64(built); got != uint64(whole.XXH64) || !bytes.Equal(m.Bytes(), built) {
			t.Errorf("%d blocks: XXH64 %#x, want %#x; or a Mutable has other bytes", whole.Z, got, whole.XXH64)
		}
	}
	for _, hashed := range v.Hashes {
		if got := keyhash.XX64.Sum64(hashed.Bytes); got != uint64(hashed.Hash) {
			t.Errorf("%s: hash %#x", hashed.Type, got)
		}
		if len(hashed.Bytes) == 8 && keyhash.XX64.SumUint64(binary.LittleEndian.Uint64(hashed.Bytes)) != uint64(hashed.Hash) {
			t.Errorf("%s: another hash as a word", hashed.Type)
		}
	}
}

// TestBytesAreTheNaiveFilters has sizes that are no powers of two, and filters whose hashes are put into
// lists.
func TestBytesAreTheNaiveFilters(t *testing.T) {
	for _, n := range []int{1, 25, 26, 1000, 54_321, 7_000_000} {
		if n > 1_000_000 && (testing.Short() || contract.Slow) {
			continue
		}
		hashes := vectors.Hashes(uint64(n), n)
		for _, concurrency := range []int{1, 3} {
			data := contract.SplitBlock.Build(t, 9.7, hashes, simdbloom.WithConcurrency(concurrency), simdbloom.WithVerification())
			if size := (97*n/10/8 + 1 + 31) / 32 * 32; len(data) > size || !bytes.Equal(data, naive.SplitBlock(len(data)/32, hashes)) {
				t.Errorf("%d keys: %d bytes, or others", n, len(data))
			}
		}
	}
}

// TestSizeFor has what Arrow's writers choose.
func TestSizeFor(t *testing.T) {
	for _, c := range []struct {
		n    int
		fpr  float64
		want int
	}{
		{1, 0.01, 32},
		{1000, 0.01, 2048},
		{1_000_000, 0.01, 2_097_152},
		{1_000_000, 0.001, 2_097_152},
		{0, 0.01, 32},
		{-5, 0.01, 32},
		{math.MaxInt, 0.01, 128 << 20},
		{1000, 1, 32},
		{1000, 0, 128 << 20},
		{1000, -1, 128 << 20},
		{1000, math.NaN(), 0},
		{27, 0.01, 64},   // 261.4 bits
		{149, 0.05, 128}, // 1,023.98 bits
		{150, 0.05, 256},
	} {
		if got := splitblock.SizeFor(c.n, c.fpr); got != c.want {
			t.Errorf("%d keys, rate %v: %d bytes, want %d", c.n, c.fpr, got, c.want)
		}
	}
}

// TestRates has the rates that were measured, and those of Parquet's usual settings.
func TestRates(t *testing.T) {
	for _, c := range []struct{ bpk, fpr float64 }{{10, 0.0126}, {10.5, 0.0101}, {16.9, 0.000997}, {26.4, 0.0000988}, {41, 0.00000998}} {
		if got := splitblock.PredictedFPR(1_000_000, c.bpk); math.Abs(got/c.fpr-1) > 0.01 {
			t.Errorf("%v bits/key: %v, want %v", c.bpk, got, c.fpr)
		}
	}
	for fpr, want := range map[float64]float64{0.01: 10.53, 0.001: 16.9} {
		if got := splitblock.BitsPerKeyFor(1_000_000, fpr); math.Abs(got-want) > 0.05 {
			t.Errorf("rate %v: %v bits/key, want %v", fpr, got, want)
		}
	}
}

// TestAtOnce: a builder of an exact size adds hashes as they arrive, and one that verifies collects them. Both
// write the same bytes, count the same keys, and can be used again.
func TestAtOnce(t *testing.T) {
	for _, blocks := range []int{1, 3, 512, 5000} {
		size := simdbloom.WithSizeBytes(32 * blocks)
		b, collecting := contract.SplitBlock.Builder(t, 10, size), contract.SplitBlock.Builder(t, 10, size, simdbloom.WithVerification())
		for round, n := range []int{0, 1, 5, 63, 1023, 1024, 1025, 3000, 25 * blocks} {
			hashes := vectors.Hashes(uint64(n), n)
			for _, b := range []*simdbloom.Builder{b, collecting} {
				b.AddHashes(vectors.Hashes(99, 2000))
				b.Reset()
				for _, hash := range hashes[:n/3] {
					b.AddHash(hash)
					b.AddHash(hash) // not kept
				}
				b.AddHashes(hashes[n/3 : n/2])
				b.AddHashes(hashes[n/2:])
			}
			if b.Len() != collecting.Len() || b.SizeBytes() != 32*blocks {
				t.Errorf("%d blocks: %d of %d keys, %d bytes", blocks, b.Len(), n, b.SizeBytes())
			}
			want := contract.Must(collecting.Finish())
			got := []byte("before")
			if round%2 == 0 {
				got = append(got, contract.Must(b.Finish())...)
			} else {
				got = contract.Must(b.AppendFinish(got))
			}
			if string(got[:6]) != "before" || !bytes.Equal(got[6:], want) || !bytes.Equal(want, naive.SplitBlock(blocks, hashes)) || b.Len() != 0 {
				t.Errorf("%d blocks, %d keys: other bytes than of a builder that collects hashes", blocks, n)
			}
		}
	}
}

// TestAtOnceKeepsNothing: it takes the filter's memory and no more, whatever the number of keys.
func TestAtOnceKeepsNothing(t *testing.T) {
	b := contract.SplitBlock.Builder(t, 10, simdbloom.WithSizeBytes(1<<14))
	hashes, memory := vectors.Hashes(1, 10_000), make([]byte, 0, 1<<14)
	if allocs := testing.AllocsPerRun(20, func() {
		b.AddHashes(hashes)
		memory = contract.Must(b.AppendFinish(memory[:0]))
	}); allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}
