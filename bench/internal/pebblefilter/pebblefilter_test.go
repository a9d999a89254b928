package pebblefilter

import (
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"

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
