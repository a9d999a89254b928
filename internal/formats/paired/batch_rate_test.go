package paired

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/internal/rates"
)

// TestBatchRateAgainstThrows throws keys into batches, pairs their lines by the
// counts, and compares: from a key in the whole batch to lines that overflow, for
// few and many probes, which share the throws.
func TestBatchRateAgainstThrows(t *testing.T) {
	const rounds = 1000
	r := rand.New(rand.NewPCG(1, 2))
	for _, batch := range []int{32, 128} {
		for _, keys := range []int{1, 2, 5, 20, 52, 128, 333, 704, 2816, 6500} {
			var thrown [rounds]map[int]int // how many pairs have a number of keys
			counts := make([]int, batch)
			for i := range thrown {
				clear(counts)
				for range keys {
					counts[r.IntN(batch)]++
				}
				slices.Sort(counts)
				thrown[i] = make(map[int]int)
				for j := range batch / 2 {
					thrown[i][counts[j]+counts[batch-1-j]]++
				}
			}
			for _, half := range []int{1, 2, 4, 8, 13} {
				f := &format{batchBlocks: batch, probes: 2 * half}
				rateOf := make(map[int]float64)
				sums, squares := 0.0, 0.0
				for _, pairs := range thrown {
					sum := 0.0
					for pair, times := range pairs {
						if _, ok := rateOf[pair]; !ok {
							rateOf[pair] = PairOf(float64(pair), f.batchBlocks, f.probes)
						}
						sum += float64(times) * rateOf[pair]
					}
					sums += sum / float64(batch/2)
					squares += math.Pow(sum/float64(batch/2), 2)
				}
				mean := sums / rounds
				deviation := math.Sqrt(math.Max(0, squares/rounds-mean*mean)/rounds) / mean
				if got := f.batchRate(float64(keys)); math.Abs(got/mean-1) > 0.01+3*deviation {
					t.Errorf("batches of %d, %d keys, %d probes a line: %.4g, thrown %.4g ±%.1g %%",
						batch, keys, half, got, mean, 100*deviation)
				}
			}
		}
	}
}

// TestEstimateOfUnequalLines has bits set by hand: what counts is the product of the
// two fills, not their mean.
func TestEstimateOfUnequalLines(t *testing.T) {
	const half = 4
	data := make([]byte, SpeedbBlocks*64, SpeedbBlocks*64+4)
	for line := range SpeedbBlocks {
		block := data[64*line : 64*line+64]
		block[0] = byte(line ^ 1)
		for i := 1; i < 8+48*(line&1); i++ {
			block[i] = 0xff
		}
	}
	data = append(data, 1, 2*half, 0, 0)
	c, flaw := Read(data)
	if flaw != "" {
		t.Fatal(flaw)
	}
	kernel := c.Kernel()
	index := IndexBits(SpeedbBlocks)
	emptier, fuller := rates.Fill(data[:64], index), rates.Fill(data[64:128], index)
	if got, want := EstimatedFPR(&kernel), rates.Power(emptier*fuller, half); math.Abs(got/want-1) > 0.05 {
		t.Errorf("%.4g, want %.4g", got, want)
	}
}
