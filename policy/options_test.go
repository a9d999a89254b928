package policy_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/paired"
)

func TestOptionsThatChangeNoByte(t *testing.T) {
	keys := vectors.Keys("le64", 0, 20_000)
	for _, name := range []string{"simdbloom.FastLocal:23.4", "speedb.PairedBloomFilter:23.4", "simdbloom.Linear:23.4", "ribbonfilter:23.4", "rocksdb.internal.LegacyBloomFilter:23", "leveldb.BuiltinBloomFilter2:23"} {
		p := parse(t, name)
		want := build(t, p.NewBuilder(), keys)
		for what, options := range map[string][]simdbloom.Option{
			"verified":                          {simdbloom.WithVerification()},
			"by 3 goroutines":                   {simdbloom.WithConcurrency(3)},
			"by 8, verified, in bytes enough":   {simdbloom.WithConcurrency(8), simdbloom.WithVerification(), simdbloom.WithMaxBytes(len(want) + 200)},
			"where the last of an option rules": {simdbloom.WithConcurrency(0), nil, simdbloom.WithMaxBytes(3), simdbloom.WithMaxBytes(len(want) + 200), simdbloom.WithConcurrency(1)},
		} {
			if !bytes.Equal(build(t, p.NewBuilder(options...), keys), want) {
				t.Errorf("%s, %s: other bytes", p, what)
			}
			if got, want := p.PredictedFPR(len(keys), options...), p.PredictedFPR(len(keys)); got != want {
				t.Errorf("%s, %s: predicted rate %v, not %v", p, what, got, want)
			}
		}
	}
}

// TestBatchesAreThePolicys: an option changes none of them.
func TestBatchesAreThePolicys(t *testing.T) {
	for name, want := range map[string]int{"simdbloom.Paired:10": 133, "simdbloom.Paired128.XX64:10": 8196, "speedb.PairedBloomFilter:10": 2052} {
		for _, batch := range []int{32, 128} {
			if size := parse(t, name).SizeBytes(100, paired.WithBatchBlocks(batch)); size != want {
				t.Errorf("%s with batches of %d: %d bytes, want %d", name, batch, size, want)
			}
		}
	}
}

func TestOptionsThatAreRefused(t *testing.T) {
	for _, n := range names {
		for _, bpk := range []float64{0, 10} {
			p := n.at(t, bpk)
			p.NewBuilder(simdbloom.WithMaxBytes(n.leastBytes()), simdbloom.WithConcurrency(1))
			for what, option := range map[string]simdbloom.Option{
				"WithConcurrency must be at least 1, not 0":                                                             simdbloom.WithConcurrency(0),
				"WithConcurrency must be at least 1, not -1":                                                            simdbloom.WithConcurrency(-1),
				fmt.Sprintf("WithMaxBytes must be at least %d, the size of the smallest filter, not 0", n.leastBytes()): simdbloom.WithMaxBytes(0),
				fmt.Sprintf("not %d", n.leastBytes()-1):                                                                 simdbloom.WithMaxBytes(n.leastBytes() - 1),
			} {
				func() {
					defer func() {
						said, _ := recover().(string)
						if !strings.HasPrefix(said, "simdbloom: ") || !strings.Contains(said, what) {
							t.Errorf("%s, %s: panic %q", p, what, said)
						}
					}()
					p.NewBuilder(option)
				}()
				if rate := p.PredictedFPR(1000, option); !math.IsNaN(rate) {
					t.Errorf("%s, %s: rate %v", p, what, rate)
				}
			}
		}
	}
}

// TestExactSizes: filters of the given size, whose rate is predicted, also with far fewer keys than
// they have room for.
func TestExactSizes(t *testing.T) {
	for name, size := range map[string]int{
		"simdbloom.FastLocal:10": 1<<16 + 5, "simdbloom.Paired:10": 1<<16 + 4, "rocksdb.RibbonFilter:10": 1<<16 + 5, "rocksdb.internal.LegacyBloomFilter:10": 1<<16 - 64 + 5,
		"simdbloom.SplitBlock:10": 1 << 16,
	} {
		for _, n := range []int{7000, 50_000, 150_000} {
			p, option := parse(t, name), simdbloom.WithSizeBytes(size)
			b := p.NewBuilder(option)
			b.AddHashes(vectors.Hashes(1, n))
			f, err := b.Filter()
			if err != nil || f.SizeBytes() != size {
				t.Fatal(f, err)
			}
			if predicted, estimated := p.PredictedFPR(n, option), f.EstimatedFPR(); !(math.Abs(predicted/estimated-1) < 0.1) {
				t.Errorf("%s of %d keys: predicted rate %v, estimated %v", name, n, predicted, estimated)
			}
		}
	}
}
