package policy_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
)

// leastBytes are the sizes of the smallest filters, by the blocks of a batch.
var leastBytes = map[int]int{0: 69, 32: 2052, 128: 8196}

// within returns the filter, in at most so many bytes, of the package's own builder,
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
				data := build(t, p.NewBuilder(policy.MaxBytes(most), policy.Verification), keys)
				if !bytes.Equal(data, want) || len(data) > most {
					t.Errorf("%s within %d bytes: other bytes than its package's builder", p, most)
				}
				checkAnswers(t, p, data, keys)
				if got := p.PredictedFPR(len(keys), policy.MaxBytes(most)); got != rate || !(got > 0 && got <= 1) {
					t.Errorf("%s within %d bytes: predicted rate %v, its package says %v", p, most, got, rate)
				}
			}
		}
	}
}

func TestOptionsThatChangeNoByte(t *testing.T) {
	keys := vectors.Keys("le64", 0, 20_000)
	for _, name := range []string{"simdbloom.Bloom:23.4", "speedb.PairedBloomFilter:23.4"} {
		p := parse(t, name)
		want := build(t, p.NewBuilder(), keys)
		for what, options := range map[string][]policy.BuilderOption{
			"verified":                          {policy.Verification},
			"by 3 goroutines":                   {policy.Concurrency(3)},
			"by 8, verified, in bytes enough":   {policy.Concurrency(8), policy.Verification, policy.MaxBytes(len(want))},
			"where the last of an option rules": {policy.Concurrency(0), policy.MaxBytes(3), policy.MaxBytes(len(want)), policy.Concurrency(1)},
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
			p.NewBuilder(policy.MaxBytes(leastBytes[n.batch]), policy.Concurrency(1))
			for what, option := range map[string]policy.BuilderOption{
				"concurrency 0":  policy.Concurrency(0),
				"concurrency -1": policy.Concurrency(-1),
				"at most 0 ":     policy.MaxBytes(0),
				fmt.Sprintf("at most %d ", leastBytes[n.batch]-1): policy.MaxBytes(leastBytes[n.batch] - 1),
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
