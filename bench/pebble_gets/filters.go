package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/policy"
)

// filter is what a store's tables have.
type filter struct {
	name   string
	policy pebble.FilterPolicy // nil for none
}

// parseFilter reads a name such as Paired:23.4.
func parseFilter(text string) (filter, error) {
	if text == "none" {
		return filter{name: text}, nil
	}
	kind, bits, _ := strings.Cut(text, ":")
	bitsPerKey, err := strconv.ParseFloat(bits, 64)
	if err != nil || !(bitsPerKey >= 1 && bitsPerKey <= 100) {
		return filter{}, fmt.Errorf("%q: bits per key must be 1 to 100", text)
	}
	f := filter{name: text}
	switch kind {
	case "Pebble", "Legacy": // the same bytes
		if bitsPerKey != float64(int(bitsPerKey)) {
			return filter{}, fmt.Errorf("%q: Pebble's bits per key are whole", text)
		}
		f.policy = bloom.FilterPolicy(int(bitsPerKey))
		if kind == "Legacy" {
			f.policy = simdbloom.Legacy(int(bitsPerKey))
		}
	case "FastLocal":
		f.policy = simdbloom.FastLocal(bitsPerKey)
	case "Paired":
		f.policy = simdbloom.Paired(bitsPerKey)
	case "Linear":
		f.policy = simdbloom.Linear(bitsPerKey)
	case "Ribbon":
		p, err := policy.Parse("rocksdb.internal.Standard128RibbonFilter:" + strconv.FormatFloat(bitsPerKey, 'f', -1, 64))
		if err != nil {
			return filter{}, err
		}
		f.policy = simdbloom.FilterPolicy(p)
	default:
		return filter{}, fmt.Errorf("%q must be none, Pebble:B, Legacy:B, FastLocal:B, Paired:B, Linear:B or Ribbon:B", text)
	}
	return f, nil
}
