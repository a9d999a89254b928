package policy_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
)

// TestRocksDBsOptionStrings: what RocksDB reads builds what the plain name beside it builds, in each level.
func TestRocksDBsOptionStrings(t *testing.T) {
	keys := vectors.Keys("le64", 0, 2000)
	for text, same := range map[string]string{
		"bloomfilter:10:true":         "bloomfilter:10",
		"rocksdb.BloomFilter:10:true": "bloomfilter:10",
		"bloomfilter:-1:true":         "bloomfilter:-1",
		"":                            "bloomfilter:0",
		"nullptr":                     "bloomfilter:0",
		"rocksdb.BuiltinBloomFilter":  "bloomfilter:0",

		"id=bloomfilter:10":                   "bloomfilter:10",
		"id=bloomfilter:10:false;":            "bloomfilter:10",
		"{id=bloomfilter:10.5:true}":          "bloomfilter:10.5",
		"{{ id = {bloomfilter:10} ; } }":      "bloomfilter:10",
		"\t{id=\n{ bloomfilter:10 }\v};":      "",
		" \f\r{id=\n{ bloomfilter:10 }\v} ":   "bloomfilter:10",
		"id=rocksdb.BuiltinBloomFilter":       "bloomfilter:0",
		"id=ribbonfilter:7;id=bloomfilter:10": "bloomfilter:10",
		"id=speedb.PairedBloomFilter:23.4":    "speedb.PairedBloomFilter:23.4",
		"{id=simdbloom.Linear:17}":            "simdbloom.Linear:17",
		"id=simdbloom.Paired32.XXPH3:16":      "speedb.PairedBloomFilter:16",

		"{id=ribbonfilter:10:0;bloom_before_level=3;}":         "ribbonfilter:10:3",
		"bloom_before_level=-1;id=ribbonfilter:10:2":           "ribbonfilter:10:-1",
		"id=rocksdb.RibbonFilter:10;bloom_before_level={2}":    "ribbonfilter:10:2",
		"id=ribbonfilter:10;ribbonfilter.bloom_before_level=2": "ribbonfilter:10:2",
		"id=ribbonfilter:10;bloom_before_level= +2nd":          "ribbonfilter:10:2",
		"id=ribbonfilter:10;bloom_before_level={ 2.9 }":        "ribbonfilter:10:2",
		"id=ribbonfilter:10;bloom_before_level=2147483647":     "ribbonfilter:10:2147483647",
		"id=ribbonfilter:10;bloom_before_level=2k":             "ribbonfilter:10:2048",
		"id=ribbonfilter:10;bloom_before_level=-3M":            "ribbonfilter:10:-3145728",
		"id=ribbonfilter:10;bloom_before_level=4g":             "ribbonfilter:10:0",
		"id=ribbonfilter:10;bloom_before_level=\\2":            "ribbonfilter:10:2",
		"id=ribbonfilter:10;bloom_before_level=\\n2\\3":        "ribbonfilter:10:23",
		"id=ribbonfilter:10;bloom_before_level={2}3":           "",
		"id=rocksdb.internal.Standard128RibbonFilter:10":       "rocksdb.internal.Standard128RibbonFilter:10",

		"id=": "", "id": "", "=": "", "id=;": "", "id=nullptr": "", "{nullptr}": "", " nullptr": "", " ": "", "{}": "", "bloom_before_level=2": "",
		"{bloomfilter:10}": "", "id =bloomfilter:10 x=1": "", "=bloomfilter:10": "", "id=bloomfilter:10;;": "", ";id=bloomfilter:10": "",
		"{id=bloomfilter:10": "", "id=bloomfilter:10}": "", "id={bloomfilter:10": "", "id={bloomfilter:10}}": "", "id={{bloomfilter:10}}": "",
		"id={bloomfilter:10}x": "", "id=bloomfilter:10;x": "", "{id}=bloomfilter:10": "", "id=id=bloomfilter:10": "", "ID=bloomfilter:10": "",
		"id=bloomfilter": "", "id=bloomfilter: 10": "", "id=blomfilter:10": "", "id=\\bloomfilter:10": "", "id=bloomfilter:10\n;\x00=": "",
		"id=bloomfilter:10;bloom_before_level=0": "", "id=ribbonfilter:10;millibits=2": "", "id=rocksdb.internal.Standard128RibbonFilter:10;bloom_before_level=0": "",
		"id=simdbloom.Ribbon:10;bloom_before_level=0": "", "id=rocksdb.BuiltinBloomFilter;bloom_before_level=0": "",
		"id=ribbonfilter:10;bloom_before_level=": "", "id=ribbonfilter:10;bloom_before_level=x": "", "id=ribbonfilter:10;bloom_before_level=- 1": "",
		"id=ribbonfilter:10;bloom_before_level=2147483648": "", "id=ribbonfilter:10;rocksdb.RibbonFilter.bloom_before_level=2": "",
	} {
		p, err := policy.Parse(text)
		if same == "" {
			if err == nil || !strings.HasPrefix(err.Error(), "policy: Could not load FilterPolicy: ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: %v, %v", text, p, err)
			}
			continue
		}
		if err != nil || p.String() != text {
			t.Errorf("%q: %v, %v", text, p, err)
			continue
		}
		q := parse(t, same)
		for _, level := range []int{-1, 0, 1, 2, 3, 6, 30, 3000} {
			got, want := build(t, p.NewBuilder(policy.WithLevel(level)), keys), build(t, q.NewBuilder(policy.WithLevel(level)), keys)
			if !bytes.Equal(got, want) || p.Name() != q.Name() || p.BitsPerKey() != q.BitsPerKey() {
				t.Errorf("%q: not as %s in level %d", text, same, level)
			}
		}
	}
}
