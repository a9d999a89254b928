package pebblefilter

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"

	"github.com/simdbloom/simdbloom/policy"
)

func TestParse(t *testing.T) {
	keys := make([][]byte, 10_000)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "%08d", i)
	}
	build := func(p pebble.FilterPolicy) string {
		w := p.NewWriter(pebble.TableFilter)
		for _, key := range keys {
			w.AddKey(key)
		}
		return string(w.Finish(nil))
	}
	filters := make(map[string]string)
	for name, recorded := range map[string]string{
		"Pebble:10": "rocksdb.BuiltinBloomFilter", "Legacy:10": "rocksdb.BuiltinBloomFilter",
		"FastLocal:10": "simdbloom.FastLocal.XX64", "simdbloom.FastLocal:10": "simdbloom.FastLocal.XX64",
		"Paired:23.4": "simdbloom.Paired128.XX64", "Linear:16": "simdbloom.Linear.XX64", "Ribbon:10": "simdbloom.Ribbon.XX64",
		"ribbonfilter:10": "simdbloom.Ribbon.XXPH3", "speedb.PairedBloomFilter:23.4": "simdbloom.Paired32.XXPH3",
	} {
		p, err := Parse(name)
		if err != nil || p.Name() != recorded {
			t.Fatalf("%s: %v, %v", name, p, err)
		}
		filters[name] = build(p)
		for _, key := range keys {
			if !p.MayContain(pebble.TableFilter, []byte(filters[name]), key) {
				t.Fatalf("%s lost a key", name)
			}
		}
	}
	for a, b := range map[string]string{"Pebble:10": "Legacy:10", "FastLocal:10": "simdbloom.FastLocal:10"} {
		if filters[a] != filters[b] {
			t.Errorf("the filters of %s and %s differ", a, b)
		}
	}
	// The options are those of the builder.
	flushed, err := Parse("ribbonfilter:10", policy.WithLevel(-1))
	if err != nil || build(flushed) == filters["ribbonfilter:10"] {
		t.Errorf("the filter of a flushed table is a Ribbon filter, too (%v)", err)
	}
	if p, err := Parse("none"); p != nil || err != nil {
		t.Errorf("none: %v, %v", p, err)
	}
	for _, name := range []string{"", "none:", "none:10", "Pebble", "Pebble:9.5", "Pebble:0", "Legacy:101", "Paired", "Paired:NaN", "Bloom:10"} {
		if p, err := Parse(name); p != nil || err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, %v", name, p, err)
		}
	}
}
