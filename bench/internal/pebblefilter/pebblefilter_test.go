package pebblefilter

import (
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"

	root "github.com/simdbloom/simdbloom"
	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/policy"
)

// TestOptionsAreTheBuilders: RocksDB's Ribbon policy has FastLocal filters in flushed tables.
func TestOptionsAreTheBuilders(t *testing.T) {
	levels := make(map[byte]int) // by the filters' markers
	for _, level := range []int{-1, 3} {
		p, err := Parse("ribbonfilter:10", policy.WithLevel(level))
		if err != nil {
			t.Fatal(err)
		}
		w := p.NewWriter(pebble.TableFilter)
		for i := range 1000 {
			w.AddKey([]byte{byte(i), byte(i >> 8)})
		}
		filter := w.Finish(nil)
		levels[filter[len(filter)-5]] = level
	}
	if levels[0xff] != -1 || levels[0xfe] != 3 {
		t.Errorf("%v", levels)
	}
}

// TestNames: each of the help's names is read, and has the adapter's name.
func TestNames(t *testing.T) {
	for name, of := range map[string]func(float64, ...root.Option) pebble.FilterPolicy{
		"FastLocal": simdbloom.FastLocal, "Paired": simdbloom.Paired, "Linear": simdbloom.Linear,
		"Ribbon": simdbloom.Ribbon, "SplitBlock": simdbloom.SplitBlock, "LevelDB": simdbloom.LevelDB,
		"Legacy": func(b float64, _ ...root.Option) pebble.FilterPolicy { return simdbloom.Legacy(int(b)) },
		"Pebble": func(b float64, _ ...root.Option) pebble.FilterPolicy { return bloom.FilterPolicy(int(b)) },
	} {
		if !strings.Contains(Names, name+":B") {
			t.Errorf("the help does not have %s", name)
		}
		if p, err := Parse(name + ":10"); err != nil || p.Name() != of(10).Name() {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
}

func TestNamesThatAreRefused(t *testing.T) {
	for _, none := range []string{"none", "nullptr", ""} {
		if p, err := Parse(none); p != nil || err != nil {
			t.Errorf("%q: %v, %v", none, p, err)
		}
	}
	for _, name := range []string{":", "none:", "nullptr:", "none:10", "Pebble", "Pebble:9.5", "Pebble:0", "Legacy:101", "Paired", "Paired:NaN", "Bloom:10"} {
		if p, err := Parse(name); p != nil || err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, %v", name, p, err)
		}
	}
}

func TestNeedsBits(t *testing.T) {
	for name, needs := range map[string]bool{
		"speedb.PairedBloomFilter": true, "speedb_paired_bloom_filter": true, "rocksdb.BloomFilter": true, "bloomfilter": true, "ribbonfilter": true,
		"id=bloomfilter": true, "simdbloom.Linear": true, "Paired": true, "Pebble": true, "Legacy": true,
		"": false, "none": false, "nullptr": false, "random": false, "speedb.PairedBlomFilter": false,
		"speedb.PairedBloomFilter:23.4": false, "bloomfilter:": false, "ribbonfilter:10:0": false, "Pebble:10": false, "Pebble:9.5": false,
	} {
		if NeedsBits(name) != needs {
			t.Errorf("%q: %v, want %v", name, !needs, needs)
		}
	}
}

func TestWithBits(t *testing.T) {
	for _, c := range []struct {
		name string
		bits float64
		want string // or nothing for an error
	}{
		{"speedb.PairedBloomFilter", 23.4, "speedb.PairedBloomFilter:23.4"},
		{"ribbonfilter", 10, "ribbonfilter:10"},
		{"Pebble", 10, "Pebble:10"},
		{"", 9.5, "bloomfilter:9.5"},
		{"bloomfilter:10", 0, "bloomfilter:10"},
		{"none", -1, "none"},
		{"ribbonfilter:10", 10, ""},
		{"id=bloomfilter:10", 10, ""},
	} {
		if got, err := WithBits(c.name, c.bits); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s and %v bits: %q, %v", c.name, c.bits, got, err)
		}
	}
}
