package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ribbon"
	"github.com/simdbloom/simdbloom/splitblock"
)

// formatNames are the short names of -format.
func formatNames() []string {
	return []string{"fastlocal", "paired", "linear", "ribbon", "splitblock"}
}

var policyNames = map[string]string{
	"fastlocal": "simdbloom.FastLocal", "paired": "simdbloom.Paired", "linear": "simdbloom.Linear",
	"ribbon": "simdbloom.Ribbon", "splitblock": "simdbloom.SplitBlock",
}

var bitsPerKeyFor = map[simdbloom.Format]func(n int, fpr float64) float64{
	simdbloom.FastLocal:  bloom.BitsPerKeyFor,
	simdbloom.Paired:     func(n int, fpr float64) float64 { return paired.BitsPerKeyFor(n, fpr) },
	simdbloom.Linear:     linear.BitsPerKeyFor,
	simdbloom.Ribbon:     ribbon.BitsPerKeyFor,
	simdbloom.SplitBlock: splitblock.BitsPerKeyFor,
}

// policyFor returns the policy of a short name, or of one that package policy knows.
func policyFor(name string, bitsPerKey float64) (*policy.Policy, error) {
	long, short := policyNames[strings.ToLower(name)]
	if !short {
		long = name
	}
	p, err := policy.Parse(long + ":" + strconv.FormatFloat(bitsPerKey, 'f', -1, 64))
	switch {
	case err != nil:
		return nil, badUsage("-format=%s%s: take %s, or a name that package policy lists (%v)", name, didYouMean(name, "", formatNames()),
			strings.Join(formatNames(), ", "), err)
	case bitsPerKeyFor[p.Format()] == nil:
		return nil, badUsage("-format=%s: the format needs a key hash of 64 bits: take %s", name, strings.Join(formatNames(), ", "))
	}
	return p, nil
}

// policyForRate returns the policy with the fewest bits per key that has at most the given rate with all of these
// numbers of keys.
func policyForRate(name string, fpr float64, numbers ...int) (*policy.Policy, error) {
	p, err := policyFor(name, 10)
	if err != nil {
		return nil, err
	}
	most := 0.0
	for _, n := range numbers {
		setting := bitsPerKeyFor[p.Format()](max(n, 1), fpr)
		if math.IsNaN(setting) {
			return nil, badUsage("-format=%s cannot have the rate %v: \"simdbloom size -keys=%d -fpr=%v\" lists the formats that can", name, fpr, max(n, 1), fpr)
		}
		most = max(most, setting)
	}
	// Speedb's batches have another rate than those that the setting is for.
	for range 1000 {
		if p, err = policyFor(name, most); err != nil {
			return nil, err
		}
		enough := true
		for _, n := range numbers {
			enough = enough && p.PredictedFPR(max(n, 1)) <= fpr
		}
		if enough {
			return p, nil
		}
		most += 0.02
	}
	return nil, fmt.Errorf("-format=%s: no bits per key for the rate %v were found", name, fpr)
}
