package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2"

	root "github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bench/internal/filteruri"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
)

// levelPolicy is what a level's tables get their filters from.
type levelPolicy struct {
	Text string // what filteruri.Pebble reads
	// Options of the builder, for policies of this library.
	Verification, RoundDown bool `json:",omitempty"`
	Concurrency, MaxBytes   int  `json:",omitempty"`
}

func (p levelPolicy) String() string {
	text := p.Text
	for _, option := range []struct {
		on   bool
		name string
	}{
		{p.Verification, "verification"},
		{p.RoundDown, "round down"},
		{p.Concurrency > 0, "concurrency " + strconv.Itoa(p.Concurrency)},
		{p.MaxBytes > 0, fmt.Sprintf("max %d bytes", p.MaxBytes)},
	} {
		if option.on {
			text += "+" + option.name
		}
	}
	return text
}

const (
	noPolicy  = "none"
	ownPolicy = "Pebble" // Pebble's own filters, by its code
	ownLegacy = "Legacy" // the same bytes, by simdbloom's
)

// parse returns the policy for a level's tables, nil for none.
func (p levelPolicy) parse(level int) (pebble.FilterPolicy, error) {
	options := []root.Option{policy.WithLevel(level)}
	if p.Verification {
		options = append(options, root.WithVerification())
	}
	if p.RoundDown {
		options = append(options, paired.WithRoundDown())
	}
	if p.Concurrency > 0 {
		options = append(options, root.WithConcurrency(p.Concurrency))
	}
	if p.MaxBytes > 0 {
		options = append(options, root.WithMaxBytes(p.MaxBytes))
	}
	return filteruri.Pebble(p.Text, options...)
}

// kinds are the names that random policies have: one for each format of the library, and Pebble's
// own filters. %s is the bits per key.
var kinds = func() []string {
	kinds := []string{noPolicy, ownPolicy + ":%s", ownLegacy + ":%s", "ribbonfilter:%s:3"}
	for _, p := range policy.Readers() {
		name, _, _ := strings.Cut(p.String(), ":")
		kinds = append(kinds, name+":%s")
	}
	return kinds
}()

// Below 0.5 bits per key filters may contain everything, and formats have limits of their own.
var someBitsPerKey = []string{"0.4", "1", "3.58", "5", "7", "10", "10", "14.3", "16", "16", "20", "23.4", "23.4", "28", "40", "100"}

// randomPolicy chooses a policy. For -1 it also chooses the bits per key.
func randomPolicy(r *rand.Rand, bloomBits float64) levelPolicy {
	bits := someBitsPerKey[r.IntN(len(someBitsPerKey))]
	if bloomBits != -1 {
		bits = strconv.FormatFloat(bloomBits, 'f', -1, 64)
	}
	kind := kinds[r.IntN(len(kinds))]
	if strings.HasPrefix(kind, ownPolicy) || strings.HasPrefix(kind, ownLegacy) {
		value, _ := strconv.ParseFloat(bits, 64)
		bits = strconv.Itoa(min(max(int(value), 1), 100))
	}
	p := levelPolicy{Text: strings.Replace(kind, "%s", bits, 1)}
	if kind == noPolicy || strings.HasPrefix(kind, ownPolicy) || strings.HasPrefix(kind, ownLegacy) {
		return p
	}
	p.Verification, p.RoundDown = r.IntN(4) == 0, r.IntN(4) == 0
	if r.IntN(4) == 0 {
		p.Concurrency = 2
	}
	if r.IntN(8) == 0 {
		p.MaxBytes = 10_000 // most tables' filters are smaller, and no format's least is larger
	}
	return p
}
