package policy_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ribbon"
)

// leastBytes are the sizes of the smallest filters, by the blocks of a batch.
var leastBytes = map[int]int{0: 69, 32: 2052, 128: 8196, inLines: 136, inLegacy: 69, inLevelDB: 9, inRibbon: 69}

// within returns the filter, in at most the given number of bytes, of the package's own builder,
// and its expected rate.
func within(t *testing.T, bitsPerKey float64, hash keyhash.Hash, batch, most int, keys [][]byte) ([]byte, float64) {
	t.Helper()
	if batch == 0 {
		b, err := bloom.NewBuilder(bitsPerKey, hash, bloom.WithMaxBytes(most))
		if err != nil {
			t.Fatal(err)
		}
		return build(t, b, keys), bloom.PredictedFPRWithin(len(keys), bitsPerKey, most)
	}
	if batch == inLines {
		b, err := linear.NewBuilder(bitsPerKey, hash, linear.WithMaxBytes(most))
		if err != nil {
			t.Fatal(err)
		}
		return build(t, b, keys), linear.PredictedFPRWithin(len(keys), bitsPerKey, most)
	}
	if batch == inRibbon {
		b, err := ribbon.NewBuilder(bitsPerKey, hash, ribbon.WithMaxBytes(most))
		if err != nil {
			t.Fatal(err)
		}
		return build(t, b, keys), ribbon.PredictedFPRWithin(len(keys), bitsPerKey, most)
	}
	if batch == inLevelDB {
		b, err := leveldb.NewBuilder(bitsPerKey, leveldb.WithMaxBytes(most))
		if err != nil {
			t.Fatal(err)
		}
		return build(t, b, keys), leveldb.PredictedFPR(len(keys), bitsPerKey, leveldb.WithMaxBytes(most))
	}
	if batch == inLegacy {
		b, err := legacy.NewBuilder(bitsPerKey, legacy.WithMaxBytes(most))
		if err != nil {
			t.Fatal(err)
		}
		return build(t, b, keys), legacy.PredictedFPR(len(keys), bitsPerKey, legacy.WithMaxBytes(most))
	}
	b, err := paired.NewBuilder(bitsPerKey, hash, paired.WithBatchBlocks(batch), paired.WithMaxBytes(most))
	if err != nil {
		t.Fatal(err)
	}
	return build(t, b, keys), paired.PredictedFPRWithin(len(keys), bitsPerKey, most, paired.WithBatchBlocks(batch))
}

func TestMaxBytes(t *testing.T) {
	keys := vectors.Keys("le64", 0, 6000)
	for _, n := range names {
		for _, bpk := range []float64{1, 10, 23.4} {
			p := parse(t, fmt.Sprintf(n.name, bpk))
			for _, most := range []int{leastBytes[n.batch], 10_005, math.MaxInt} {
				want, rate := within(t, bpk, n.hash, n.batch, most, keys)
				data := build(t, p.NewBuilder(policy.WithMaxBytes(most), policy.WithVerification()), keys)
				if !bytes.Equal(data, want) || len(data) > most {
					t.Errorf("%s within %d bytes: other bytes than its package's builder", p, most)
				}
				checkAnswers(t, p, data, keys)
				if got := p.PredictedFPR(len(keys), policy.WithMaxBytes(most)); got != rate || !(got > 0 && got <= 1) {
					t.Errorf("%s within %d bytes: predicted rate %v, its package says %v", p, most, got, rate)
				}
			}
		}
	}
}

func TestOptionsThatChangeNoByte(t *testing.T) {
	keys := vectors.Keys("le64", 0, 20_000)
	for _, name := range []string{"simdbloom.Bloom:23.4", "speedb.PairedBloomFilter:23.4", "simdbloom.Linear:23.4", "ribbonfilter:23.4", "rocksdb.internal.LegacyBloomFilter:23", "leveldb.BuiltinBloomFilter2:23"} {
		p := parse(t, name)
		want := build(t, p.NewBuilder(), keys)
		for what, options := range map[string][]policy.BuilderOption{
			"verified":                          {policy.WithVerification()},
			"by 3 goroutines":                   {policy.WithConcurrency(3)},
			"by 8, verified, in bytes enough":   {policy.WithConcurrency(8), policy.WithVerification(), policy.WithMaxBytes(len(want) + 100)},
			"where the last of an option rules": {policy.WithConcurrency(0), policy.WithMaxBytes(3), policy.WithMaxBytes(len(want) + 100), policy.WithConcurrency(1)},
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

func TestOptionsThatAreRefused(t *testing.T) {
	for _, n := range names {
		for _, bpk := range []float64{0, 10} {
			p := parse(t, fmt.Sprintf(n.name, bpk))
			p.NewBuilder(policy.WithMaxBytes(leastBytes[n.batch]), policy.WithConcurrency(1))
			for what, option := range map[string]policy.BuilderOption{
				"concurrency must be at least 1, not 0":  policy.WithConcurrency(0),
				"concurrency must be at least 1, not -1": policy.WithConcurrency(-1),
				fmt.Sprintf("MaxBytes must be at least %d, the size of the smallest filter, not 0", leastBytes[n.batch]): policy.WithMaxBytes(0),
				fmt.Sprintf("not %d", leastBytes[n.batch]-1):                                                             policy.WithMaxBytes(leastBytes[n.batch] - 1),
			} {
				func() {
					defer func() {
						said, _ := recover().(string)
						if !strings.HasPrefix(said, "policy: ") || !strings.Contains(said, what) {
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

// TestDeprecatedNames uses the options' names from before as they were used.
func TestDeprecatedNames(t *testing.T) {
	hashes := vectors.Hashes(1, 5000)
	p := parse(t, "speedb.PairedBloomFilter:10")
	for what, options := range map[string][2][]policy.BuilderOption{
		"RoundDown":             {{policy.RoundDown}, {policy.WithRoundDown()}},
		"RoundDown, MaxBytes":   {{policy.RoundDown, policy.MaxBytes(3000)}, {policy.WithRoundDown(), policy.WithMaxBytes(3000)}},
		"MaxBytes, Concurrency": {{policy.MaxBytes(3000), policy.Concurrency(2)}, {policy.WithMaxBytes(3000)}},
		"Verification":          {{policy.Verification}, nil},
	} {
		var built [2][]byte
		for i := range built {
			b := p.NewBuilder(options[i]...)
			b.AddHashes(hashes)
			var err error
			if built[i], err = b.Finish(); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(built[0], built[1]) {
			t.Errorf("%s: other bytes than with the new names", what)
		}
	}
	if rate := p.PredictedFPR(1000, policy.Concurrency(0)); !math.IsNaN(rate) {
		t.Errorf("Concurrency(0): rate %v", rate)
	}
}
