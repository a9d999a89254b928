package linear_test

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestShards: the rate of a shard that the hash has chosen is what the filter's headers say, and near to the
// prediction, whichever bits it was chosen by.
func TestShards(t *testing.T) {
	for _, bitsPerKey := range []float64{8.3, 10.4, 16} {
		predicted := contract.Linear.PredictedFPR(15_000, bitsPerKey)
		for _, shard := range vectors.Shards {
			rate, estimated := shardRate(t, contract.Linear, bitsPerKey, shard)
			t.Logf("%v bits/key, %s: %.4g, from headers %.4g, predicted %.4g", bitsPerKey, shard.Rule, rate, estimated, predicted)
			noise := 4 * math.Sqrt(estimated/shardQueries)
			if math.Abs(rate-estimated) > noise || math.Abs(estimated/predicted-1) > 0.3 { // a few are below their plan
				t.Errorf("%v bits/key, a shard by %s: rate %.4g, from headers %.4g, predicted %.4g", bitsPerKey, shard.Rule, rate, estimated, predicted)
			}
		}
	}
}

// TestShardsOfBloomFilters: those of FastLocal and Paired that take the bits which choose a line leave most lines
// empty, as docs/accuracy.md says.
func TestShardsOfBloomFilters(t *testing.T) {
	for format, bitsPerKey := range map[*contract.Format]float64{&contract.FastLocal: 10, &contract.Paired128: 16} {
		predicted := format.PredictedFPR(15_000, bitsPerKey)
		for _, shard := range vectors.Shards {
			low, high := 0.8*predicted, 1.6*predicted
			if shard.Rule == "the top 10 bits of the lower half" {
				low, high = 0.999, 1
			}
			if rate, _ := shardRate(t, *format, bitsPerKey, shard); !(rate >= low && rate <= high) {
				t.Errorf("%s, a shard by %s: rate %.4g, predicted %.4g", format.Name, shard.Rule, rate, predicted)
			}
		}
	}
}

const shardQueries = 400_000

// shardRate returns the measured rate of a shard of 15,000 keys, and that which the filter says.
func shardRate(t *testing.T, format contract.Format, bitsPerKey float64, shard vectors.Shard) (measured, estimated float64) {
	hashes, absent := vectors.Hashes(11, 15_000), vectors.Hashes(12, shardQueries)
	for _, some := range [][]uint64{hashes, absent} {
		for i, random := range some {
			some[i] = shard.Hash(random)
		}
	}
	f := format.Opened(t, format.Build(t, bitsPerKey, hashes))
	return float64(len(f.AppendHits(nil, absent))) / shardQueries, f.EstimatedFPR()
}
