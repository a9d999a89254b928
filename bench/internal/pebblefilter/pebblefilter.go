// Package pebblefilter reads the name of a filter for the tables of a Pebble store.
package pebblefilter

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"

	root "github.com/simdbloom/simdbloom"
	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/policy"
)

// functions are the adapter's functions of bits per key, whose names stand for these policies.
var functions = []struct{ name, policy string }{
	{"FastLocal", "simdbloom.FastLocal"},
	{"Paired", "simdbloom.Paired"},
	{"Linear", "simdbloom.Linear"},
	{"Ribbon", "simdbloom.Ribbon"},
	{"SplitBlock", "simdbloom.SplitBlock"},
	{"LevelDB", "leveldb.BuiltinBloomFilter2"},
}

// own are the names that package policy does not have, with bits per key.
var own = func() string {
	var names strings.Builder
	for _, f := range functions {
		names.WriteString(f.name + ":B, ")
	}
	return names.String() + "Legacy:B"
}()

// Names lists the names that Parse reads, for the help of flags.
var Names = "a name of package policy, such as speedb.PairedBloomFilter:23.4 or ribbonfilter:10; " + own +
	", as the adapter's functions are called, for B bits per key; Pebble:B, Pebble's own filter, which has the bytes of " +
	"Legacy:B; or none"

// WithBits returns the name of a policy and the bits per key of another flag, as Speedb's programs put
// them together: the bits are appended. Without a name it is RocksDB's default filter. No bits, 0 or less,
// leave the name as it is.
func WithBits(name string, bitsPerKey float64) (string, error) {
	switch {
	case !(bitsPerKey > 0):
		return name, nil
	case name == "":
		name = "bloomfilter"
	case strings.Contains(name, ":"):
		return "", errors.New("give bits per key in -filter_uri or in -bloom_bits, not both")
	}
	return name + ":" + strconv.FormatFloat(bitsPerKey, 'f', -1, 64), nil
}

// NeedsBits reports whether a name is one that Parse reads only with bits per key, and has none.
func NeedsBits(name string) bool {
	_, without := Parse(name)
	_, with := Parse(name + ":10")
	return without != nil && with == nil
}

// Parse returns the filter policy that a text names: nil for none. Names lists the names. The options are for builders
// of this library; Pebble:B and Legacy:B have none.
func Parse(text string, options ...root.Option) (pebble.FilterPolicy, error) {
	name, rest, _ := strings.Cut(text, ":")
	switch name {
	case "", "none", "nullptr":
		if text == name {
			return nil, nil
		}
	case "Pebble", "Legacy":
		bitsPerKey, err := strconv.Atoi(rest)
		if err != nil || bitsPerKey < 1 || bitsPerKey > 100 {
			return nil, fmt.Errorf("%q: bits per key of Pebble's filters must be whole numbers from 1 to 100", text)
		}
		if name == "Pebble" {
			return bloom.FilterPolicy(bitsPerKey), nil
		}
		return simdbloom.Legacy(bitsPerKey), nil
	}
	p, err := Policy(text)
	if err != nil {
		return nil, err
	}
	return simdbloom.FilterPolicy(p, options...), nil
}

// Policy returns the policy of this library that a text names, but Legacy:B.
func Policy(text string) (*policy.Policy, error) {
	name, _, _ := strings.Cut(text, ":")
	for _, f := range functions {
		if name == f.name {
			text = f.policy + strings.TrimPrefix(text, name)
		}
	}
	p, err := policy.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%w; also %s, Pebble:B and none", err, own)
	}
	return p, nil
}
