package policy

import (
	"fmt"
	"strconv"
	"strings"
)

// mostBitsPerKey is the most that any format tells from more.
const mostBitsPerKey = 1000

// known are the names that Parse reads, without the bits per key.
var known = []struct {
	name   string
	format *format
	may    ending
}{
	{"simdbloom.Bloom", fastLocalXX64, nothing},
	{"simdbloom.Paired", paired128XX64, nothing},
	{"simdbloom.Linear", linearXX64, nothing},
	{"rocksdb.BloomFilter", fastLocalXXPH3, colonFalse},
	{"bloomfilter", fastLocalXXPH3, colonFalse},
	{"rocksdb.internal.FastLocalBloomFilter", fastLocalXXPH3, nothing},
	{"rocksdb.RibbonFilter", ribbonXXPH3, level},
	{"ribbonfilter", ribbonXXPH3, level},
	{"rocksdb.internal.Standard128RibbonFilter", ribbonOnlyXXPH3, nothing},
	{"rocksdb.internal.LegacyBloomFilter", legacyRocksDB32, nothing},
	{"leveldb.BuiltinBloomFilter2", levelDBLevelDB32, nothing},
	{"speedb.PairedBloomFilter", paired32XXPH3, nothing},
	{"speedb_paired_bloom_filter", paired32XXPH3, nothing},
}

// ending is what may follow the bits per key.
type ending int

const (
	nothing    ending = iota
	colonFalse        // ":false"
	level             // a colon and a level
)

// Parse returns the policy of a name and its bits per key, separated by a colon, such
// as "rocksdb.BloomFilter:10". The package's overview lists the names. Bits per key are
// digits with at most one decimal point, as RocksDB reads them. From 0.5 to 1 they
// count as 1, above 100 as 100 (linear filters: fewer than about 7.3 as that; linear and
// LevelDB's: above 1000 as 1000). Legacy and LevelDB's filters have whole bits per key. Below
// 0.5, and with a minus sign, every filter may contain every key.
//
// A level is a whole number of 32 bits, which may be negative. For any other text the error says
// what is wrong and lists the names.
func Parse(text string) (Policy, error) {
	name, rest, _ := strings.Cut(text, ":")
	for _, k := range known {
		if name != k.name {
			continue
		}
		if rest == "" {
			return nil, loadError(text, "bits per key are missing: write, for example, "+name+":10")
		}
		bitsPerKey, format := rest, k.format
		switch before, first, given := strings.Cut(rest, ":"); {
		case k.may == colonFalse:
			bitsPerKey = strings.TrimSuffix(rest, ":false")
		case k.may == level && given:
			n, ok := parseInteger(first)
			if !ok {
				return nil, loadError(text, "the level must be a whole number of 32 bits such as 2 or -1, not "+strconv.Quote(first))
			}
			bitsPerKey, format = before, ribbonFrom(n)
		}
		value, ok := parseDecimal(bitsPerKey)
		if !ok {
			return nil, loadError(text, "bits per key must be a decimal number such as 10 or 23.4, not "+strconv.Quote(bitsPerKey))
		}
		return &parsed{format, text, value}, nil
	}
	return nil, loadError(text, "unknown name")
}

// FastLocal returns the policy "simdbloom.Bloom:B" for B bits per key: the fastest
// lookups. It panics on NaN and infinities.
func FastLocal(bitsPerKey float64) Policy { return must("simdbloom.Bloom", bitsPerKey) }

// Paired returns the policy "simdbloom.Paired:B" for B bits per key: the fewest false
// positives, in tables of several thousand keys or more (a batch takes 8 KiB). It panics
// on NaN and infinities.
func Paired(bitsPerKey float64) Policy { return must("simdbloom.Paired", bitsPerKey) }

// Linear returns the policy "simdbloom.Linear:B" for B bits per key: the least memory for a
// false-positive rate, and more time to build, some tens of nanoseconds a key. It panics
// on NaN and infinities.
func Linear(bitsPerKey float64) Policy { return must("simdbloom.Linear", bitsPerKey) }

// Readers returns a policy for every [Policy.Name]: together they read every filter that
// this package ever built. Use it to find a reader by a recorded name. Their bits per key
// are 10, which makes no difference to a reader.
func Readers() []Policy {
	var readers []Policy
	seen := make(map[string]bool)
	for _, k := range known {
		if !seen[k.format.recorded] {
			seen[k.format.recorded] = true
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
		name := k.name + ":B"
		if k.may == level {
			name += "[:level]"
		}
		names = append(names, name)
	}
	return fmt.Errorf("policy: Could not load FilterPolicy: %s: %s (known names: %s, where B is bits per key)",
		text, reason, strings.Join(names, ", "))
}

// parseDecimal reads digits with at most one decimal point, as RocksDB matches
// names with numbers in them (utilities/object_registry.cc, MatchesDecimal).
func parseDecimal(text string) (value float64, ok bool) {
	digits := strings.Replace(strings.TrimPrefix(text, "-"), ".", "", 1)
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	value, _ = strconv.ParseFloat(text, 64) // infinite if it is too large for a float
	return min(value, mostBitsPerKey), true
}

// parseInteger reads digits, with a minus sign in front or none, as RocksDB matches names with
// integers in them (likewise, MatchesInteger).
func parseInteger(text string) (value int, ok bool) {
	if strings.HasPrefix(text, "+") {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 32)
	return int(n), err == nil
}
