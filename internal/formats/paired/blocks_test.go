package paired

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

var vectorsOf = map[int]string{32: "speedb_paired_b32", 128: "speedb_paired_b128"}

func TestNumProbesIsSpeedbs(t *testing.T) {
	for batch, name := range vectorsOf {
		table := vectors.NumProbes(name)
		for i, step := range table {
			next := 100_001
			if i+1 < len(table) {
				next = table[i+1][0]
			}
			want := max(step[1], 2) // where Speedb takes 0, every key would match
			for millibits := step[0]; millibits < next; millibits++ {
				if got := NumProbes(millibits, batch); got != want {
					t.Fatalf("batches of %d, %d millibits/key: %d probes, want %d", batch, millibits, got, want)
				}
			}
		}
	}
}

// TestWhereBatchesChange: without a given batch, a key more decides at 4 KiB and at 256 KiB of bits.
func TestWhereBatchesChange(t *testing.T) {
	p, err := chosen(10, &building.Options{Concurrency: 1})
	if err != nil {
		t.Fatal(err)
	}
	for keys, want := range map[uint64]int{3225: 0, 3226: 32, 209_715: 32, 209_716: 128} {
		if f := p.format(keys); f.batchBlocks != want {
			t.Errorf("%d keys: batches of %d blocks, want %d", keys, f.batchBlocks, want)
		}
	}
}

// TestWhereALimitChangesBatches: below some bits per key, a 160th more blocks in batches of 32 is better.
func TestWhereALimitChangesBatches(t *testing.T) {
	const body = 40 * PublishedBlocks * asm.BlockBytes
	p, err := chosen(60, &building.Options{Concurrency: 1, Limit: building.AtMost(body + SpeedbBlocks*asm.BlockBytes + TrailerBytes)})
	if err != nil {
		t.Fatal(err)
	}
	for bitsPerKey, want := range map[uint64]int{10: SpeedbBlocks, 26: SpeedbBlocks, 28: PublishedBlocks, 40: PublishedBlocks} {
		if f := p.format(8 * body / bitsPerKey); f.batchBlocks != want {
			t.Errorf("%d bits per key: batches of %d blocks, want %d", bitsPerKey, f.batchBlocks, want)
		}
	}
}

// TestReadsFilterOfFewKeys: a filter of few keys is FastLocal's. One that is cut off at its beginning has a flaw.
func TestReadsFilterOfFewKeys(t *testing.T) {
	data := append(make([]byte, 64), 0xff, 0, 6, 0, 0)
	if c, flaw := Read(data); c.Format != asm.FastLocal || c.Probes != 6 || len(c.Body) != 64 || flaw != "" {
		t.Errorf("%v, %d probes, %d bytes, %q", c.Format, c.Probes, len(c.Body), flaw)
	}
	for n := 1; n < len(data); n++ {
		if c, flaw := Read(data[len(data)-n:]); flaw == "" && n >= 5 {
			t.Errorf("the last %d bytes: %v", n, c.Format)
		}
	}
}

func TestSizesAreSpeedbs(t *testing.T) {
	for batch, name := range vectorsOf {
		for _, v := range vectors.Spaces(name) {
			f := plan{millibits: v.Millibits, batchBlocks: batch, roundDown: v.IsBottommost == 1}.format(v.N)
			body := f.body
			want := v.TotalLen - TrailerBytes
			if body > maxBodyBytes(f.batchBlocks) && want == asm.MaxBodyBytes {
				continue // too large: Speedb cuts it off, which is an error here
			}
			if body != want {
				t.Errorf("batches of %d, %d keys at %d millibits: %d bytes, want %d", batch, v.N, v.Millibits, body, want)
			}
		}
	}
}

func TestNoNumberOfKeysIsTooLargeForALimit(t *testing.T) {
	for _, n := range []int{math.MaxInt, math.MaxInt - 1, math.MaxInt32, math.MaxInt32 - 3000} {
		p := plan{millibits: 100_000, batchBlocks: PublishedBlocks, anyBatch: true, limit: building.AtMost(n)}
		for _, keys := range []uint64{1 << 30, 1 << 40, math.MaxInt64} {
			f := p.format(keys)
			unit := uint64(f.batchBlocks) * 64
			want := min(uint64(n-TrailerBytes), asm.MaxBodyBytes) / unit * unit
			if f.body != want || f.body > maxBodyBytes(f.batchBlocks) || f.probes < 2 {
				t.Errorf("%d keys in %d bytes: %d bytes with %d probes, want %d", keys, n, f.body, f.probes, want)
			}
		}
	}
}

// TestRateOfBestProbes tries others at one size.
func TestRateOfBestProbes(t *testing.T) {
	const body = 64 << 10
	for _, batch := range []int{SpeedbBlocks, PublishedBlocks} {
		for millibits := 700; millibits < 100_000; millibits += 10 + millibits/7 {
			n := uint64(body * 8000 / millibits)
			rate := func(k int) float64 {
				f := format{body, batch, k}
				return f.predictedFPR(n)
			}
			k := bestProbes(building.RealMillibits(body, n))
			own, most := rate(k), 1.01
			switch {
			case millibits > 40_000: // less than 3e-8
				most = 1.1
			case millibits > 25_000:
				most = 1.05
			}
			for _, more := range []int{-6, -2, 2, 6} {
				other := k + more
				if other < 2 || other > asm.MaxProbes {
					continue
				}
				if rate := rate(other); own > most*rate {
					t.Errorf("batches of %d, %d millibits/key: %d probes err %.4g, %d probes %.4g", batch, millibits, k, own, other, rate)
				}
			}
		}
	}
}
