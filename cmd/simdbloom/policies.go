package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/sizes"
	"github.com/simdbloom/simdbloom/policy"
)

// wide returns the formats whose key hashes have 64 bits.
func wide() (all []*sizes.Format) {
	for _, f := range sizes.Formats() {
		if !f.Narrow {
			all = append(all, f)
		}
	}
	return all
}

// formatNames are the short names of -format.
func formatNames() (names []string) {
	for _, f := range wide() {
		names = append(names, f.Name)
	}
	return names
}

// bitsPerKeyFor returns that function of a format, or nil if the format has key hashes of 32 bits.
func bitsPerKeyFor(format simdbloom.Format) func(n int, fpr float64) float64 {
	for _, f := range wide() {
		if f.Format == format {
			return f.BitsPerKeyFor
		}
	}
	return nil
}

// policyFor returns the policy of a short name, or of one that package policy knows.
func policyFor(name string, bitsPerKey float64) (*policy.Policy, error) {
	long := name
	for _, f := range wide() {
		if strings.EqualFold(name, f.Name) {
			long = "simdbloom." + f.Format.String()
		}
	}
	p, err := policy.Parse(long + ":" + strconv.FormatFloat(bitsPerKey, 'f', -1, 64))
	switch {
	case err != nil:
		return nil, badUsage("-format=%s%s: the formats are %s, and the names that package policy lists, without bits per key", name,
			didYouMean(name, "", formatNames()), strings.Join(formatNames(), ", "))
	case bitsPerKeyFor(p.Format()) == nil:
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
		setting := bitsPerKeyFor(p.Format())(max(n, 1), fpr)
		if math.IsNaN(setting) {
			return nil, cannotHave(name, fpr, max(n, 1))
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

// cannotHave returns the error for a rate that a format cannot have. Advice that lists no format would not help.
func cannotHave(name string, fpr float64, n int) error {
	for _, f := range wide() {
		if !math.IsNaN(f.BitsPerKeyFor(n, fpr)) {
			return badUsage("-format=%s cannot have the rate %v: \"simdbloom size -keys=%d -fpr=%v\" lists the formats that can", name, fpr, n, fpr)
		}
	}
	return badUsage("no format can have the rate %v: give a higher -fpr, such as 1e-9", fpr)
}
