package policy

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/simdbloom/simdbloom/internal/building"
)

// known are the names that Parse reads, without their bits per key.
var known = []struct {
	name   string
	format *format
	suffix string // which may follow the bits per key
}{
	{"simdbloom.Bloom", fastLocalXX64, ""},
	{"simdbloom.Paired", paired128XX64, ""},
	{"rocksdb.BloomFilter", fastLocalXXPH3, ":false"},
	{"bloomfilter", fastLocalXXPH3, ":false"},
	{"rocksdb.internal.FastLocalBloomFilter", fastLocalXXPH3, ""},
	{"speedb.PairedBloomFilter", paired32XXPH3, ""},
	{"speedb_paired_bloom_filter", paired32XXPH3, ""},
}

// Parse returns the policy of a name with its bits per key behind a colon, such
// as "rocksdb.BloomFilter:10". Bits per key are digits with at most one decimal
// point, as RocksDB reads them; from 0.5 up to 1 they count as 1, above 100 as
// 100, and below 0.5 (a minus sign is read, too) there is no real filter. For
// anything else the error says what is wrong and lists the names.
func Parse(text string) (Policy, error) {
	name, bitsPerKey, _ := strings.Cut(text, ":")
	for _, k := range known {
		if name != k.name {
			continue
		}
		if bitsPerKey == "" {
			return nil, loadError(text, "bits per key are missing, as in "+name+":10")
		}
		value, ok := parseDecimal(strings.TrimSuffix(bitsPerKey, k.suffix))
		if !ok {
			return nil, loadError(text, strconv.Quote(bitsPerKey)+" is no number of bits per key")
		}
		return &parsed{k.format, text, value}, nil
	}
	return nil, loadError(text, "unknown name")
}

// FastLocal returns the policy "simdbloom.Bloom:B" for B bits per key. It panics on NaN and
// infinities.
func FastLocal(bitsPerKey float64) Policy { return must("simdbloom.Bloom", bitsPerKey) }

// Paired returns the policy "simdbloom.Paired:B" for B bits per key: the fewest false
// positives, in tables of some thousands of keys or more (a batch takes 8 KiB). It panics
// on NaN and infinities.
func Paired(bitsPerKey float64) Policy { return must("simdbloom.Paired", bitsPerKey) }

// Readers returns a policy for each Name that there is: together they read every filter
// that this package ever built. Their bits per key are 10.
func Readers() []Policy {
	var readers []Policy
	seen := make(map[*format]bool)
	for _, k := range known {
		if !seen[k.format] {
			seen[k.format] = true
			readers = append(readers, must(k.name, 10))
		}
	}
	return readers
}

func must(name string, bitsPerKey float64) Policy {
	p, err := Parse(name + ":" + strconv.FormatFloat(bitsPerKey, 'f', -1, 64))
	if err != nil {
		panic(err)
	}
	return p
}

// loadError has RocksDB's words.
func loadError(text, reason string) error {
	var names []string
	for _, k := range known {
		names = append(names, k.name+":B")
	}
	return fmt.Errorf("policy: Could not load FilterPolicy: %s: %s (known are %s, where B is bits per key)",
		text, reason, strings.Join(names, ", "))
}

// parseDecimal reads digits with at most one decimal point, as RocksDB matches
// names with numbers in them (utilities/object_registry.cc, MatchesDecimal).
func parseDecimal(text string) (value float64, ok bool) {
	digits := strings.Replace(strings.TrimPrefix(text, "-"), ".", "", 1)
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	value, _ = strconv.ParseFloat(text, 64) // infinite if no float holds it
	return min(value, building.MostBitsPerKey), true
}
