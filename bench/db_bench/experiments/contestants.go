package experiments

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/simdbloom/simdbloom/bench/internal/results"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ribbon"
)

const (
	// The bits per key, and about the rate, of what Speedb published.
	published     = 23.4
	publishedRate = 1. / 55_000

	// tableKeys is less than the keys of most tables, which are some 25,000. Filters need a little more for
	// the same rate of fewer keys.
	tableKeys = 10_000
)

// Formats by the names of their policies that Speedb and RocksDB have, or this library. Ribbon is
// in every level, as the others are; RocksDB's own policy has FastLocal filters in L0.
const (
	fastLocal   = "rocksdb.BloomFilter"
	pairedBloom = "speedb.PairedBloomFilter"
	linearOwn   = "simdbloom.Linear"
	ribbonAll   = "rocksdb.internal.Standard128RibbonFilter"
)

// speedbs is how Speedb's policy builds paired filters.
var speedbs = paired.WithBatchBlocks(32)

// sameRate are filters with about the published rate. FastLocal has the 28 bits/key that were
// published, which is about what BitsPerKeyFor returns, too.
func sameRate() []*results.Contestant {
	return []*results.Contestant{
		named("FastLocal", fastLocal, 28),
		named("Paired", pairedBloom, published),
		named("Linear", linearOwn, linear.BitsPerKeyFor(tableKeys, publishedRate)),
		named("Ribbon", ribbonAll, ribbon.BitsPerKeyFor(tableKeys, publishedRate)),
	}
}

// sameMemory are filters of the same bytes, of two sizes: at the published bits per key
// hardly any read is saved any more, at RocksDB's usual 10 many are.
func sameMemory() (all []*results.Contestant) {
	for _, bitsPerKey := range []float64{10, published} {
		for _, c := range []struct {
			name, policy string
			setting      float64
		}{
			{"FastLocal", fastLocal, bitsPerKey},
			{"Paired", pairedBloom, bitsPerKey},
			{"Linear", linearOwn, bitsPerKey},
			{"Ribbon", ribbonAll, settingFor(ribbonAll, bitsPerKey)},
		} {
			all = append(all, named(fmt.Sprintf("%s, %v bits/key", c.name, bitsPerKey), c.policy, c.setting))
		}
	}
	return all
}

// manyReads are filters at the setting that was published, and at the rate.
func manyReads() (all []*results.Contestant) {
	for _, c := range []struct {
		name, policy  string
		bitsPerKeyFor func(n int, fpr float64) float64
	}{
		{"FastLocal", fastLocal, bloom.BitsPerKeyFor},
		{"Paired", pairedBloom, func(n int, fpr float64) float64 { return paired.BitsPerKeyFor(n, fpr, speedbs) }},
		{"Linear", linearOwn, func(n int, fpr float64) float64 { return linear.BitsPerKeyFor(n, fpr) }},
		{"Ribbon", ribbonAll, ribbon.BitsPerKeyFor},
	} {
		all = append(all,
			named(fmt.Sprintf("%s, %v bits/key", c.name, published), c.policy, published),
			named(c.name+", 1 in 55,000", c.policy, c.bitsPerKeyFor(tableKeys, publishedRate)))
	}
	return all
}

// written are the filters of sameRate and RocksDB's default, and a store without filters, whose
// time is subtracted to have what building costs.
func written() []*results.Contestant {
	return append([]*results.Contestant{{Name: "none"}, named("FastLocal, 10 bits/key", fastLocal, 10)}, sameRate()...)
}

// gets are filters in stores whose Gets are Pebble's own, or iterators.
func gets() []*results.Contestant {
	all := []*results.Contestant{{Name: "none, DB.Get"}, {Name: "none, Get"}}
	for _, c := range []*results.Contestant{
		{Name: "Pebble", Filter: "Pebble:10"}, named("FastLocal", fastLocal, 10), named("Paired", pairedBloom, published), named("Linear", linearOwn, 16.6),
	} {
		all = append(all, &results.Contestant{Name: c.Name + ", DB.Get", Filter: c.Filter}, &results.Contestant{Name: c.Name + ", Get", Filter: c.Filter})
	}
	for _, c := range all {
		c.Plain = strings.HasSuffix(c.Name, ", DB.Get")
	}
	return all
}

// byLevel are filters of the same bytes, with the same bits per key in every level and by level.
func byLevel() (all []*results.Contestant) {
	for _, levels := range []bool{false, true} {
		for _, c := range []struct{ name, policy string }{{"FastLocal", fastLocal}, {"Paired", "simdbloom.Paired"}, {"Linear", linearOwn}} {
			how := "10 in every level"
			if levels {
				how = "by level"
			}
			contestant := named(c.name+", "+how, c.policy, 10)
			contestant.Levels = levels
			all = append(all, contestant)
		}
	}
	return all
}

// named has bits per key that are rounded up to a hundredth.
func named(name, policy string, bitsPerKey float64) *results.Contestant {
	const (
		unit    = 100
		inexact = 1e-6 // of floating-point numbers
	)
	return &results.Contestant{Name: name, Filter: fmt.Sprintf("%s:%.4g", policy, math.Ceil(unit*bitsPerKey-inexact)/unit)}
}

// settingFor returns the largest bits per key of a policy whose filters take at most the given
// ones, to a tenth. RocksDB's bits per key of a Ribbon filter are those of the Bloom filter with
// the same rate, and it takes fewer.
func settingFor(name string, bitsPerKey float64) float64 {
	const most = 1000 // tenths
	bytes := int(tableKeys * bitsPerKey / 8)
	tooMany := sort.Search(most, func(tenths int) bool {
		if tenths < 10 {
			return false
		}
		p, err := policy.Parse(fmt.Sprintf("%s:%.1f", name, float64(tenths)/10))
		if err != nil {
			panic(err) // the names are this program's own
		}
		const rounding = 0.005 // of a filter to whole blocks
		return float64(p.KeysFor(bytes)) < tableKeys*(1-rounding)
	})
	return float64(tooMany-1) / 10
}
