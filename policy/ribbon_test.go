package policy_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ribbon"
)

// optionsOf returns the options for a table of RocksDB's. Where compaction is neither level nor
// universal, RocksDB does not look at the level.
func optionsOf(v vectors.RibbonLevel) []policy.BuilderOption {
	switch {
	case v.Style > 1:
		return nil
	case v.Flush:
		return []policy.BuilderOption{policy.WithLevel(-1)}
	case v.Level == -1:
		return nil
	}
	return []policy.BuilderOption{policy.WithLevel(v.Level)}
}

func TestLevelsAreRocksDBs(t *testing.T) {
	keys := vectors.Keys("user8", 0, 3000)
	kinds := map[string][]byte{}
	rates := map[string]float64{}
	for kind, name := range map[string]string{"fastlocal": "bloomfilter:10", "ribbon": "rocksdb.internal.Standard128RibbonFilter:10"} {
		p := parse(t, name)
		kinds[kind], rates[kind] = build(t, p.NewBuilder(), keys), p.PredictedFPR(len(keys))
	}
	for _, v := range vectors.RibbonLevels() {
		for _, name := range []string{"ribbonfilter", "rocksdb.RibbonFilter"} {
			p, options := parse(t, fmt.Sprintf("%s:10:%d", name, v.BloomBeforeLevel)), optionsOf(v)
			if data := build(t, p.NewBuilder(options...), keys); !bytes.Equal(data, kinds[v.Kind]) {
				t.Errorf("%s, %+v: other bytes", p, v)
			}
			if rate := p.PredictedFPR(len(keys), options...); rate != rates[v.Kind] {
				t.Errorf("%s, %+v: predicted rate %v, want %v", p, v, rate, rates[v.Kind])
			}
			if v.BloomBeforeLevel != 0 {
				continue
			}
			if data := build(t, parse(t, name+":10").NewBuilder(options...), keys); !bytes.Equal(data, kinds[v.Kind]) {
				t.Errorf("%s:10, %+v: other bytes", name, v)
			}
		}
	}
}

// TestLevelsInDigits has levels in other digits than usual.
func TestLevelsInDigits(t *testing.T) {
	hashes := vectors.Hashes(1, 2000)
	for text, first := range map[string]int{"010": 10, "-0": 0, "0000000000000000000000000002": 2, "-012": -12} {
		for level, kind := range map[int]ribbon.Kind{first - 1: ribbon.FastLocal, first: ribbon.Ribbon} {
			b := parse(t, "ribbonfilter:10:"+text).NewBuilder(policy.WithLevel(level))
			b.AddHashes(hashes)
			data, err := b.Finish()
			if err != nil {
				t.Fatal(err)
			}
			if f, err := ribbon.Open(data, keyhash.XXPH3); err != nil || f.Kind() != kind {
				t.Errorf("%s, level %d: %v, %v", text, level, f.Kind(), err)
			}
		}
	}
}

func TestLevelChangesNoOtherPolicy(t *testing.T) {
	keys := vectors.Keys("user8", 0, 3000)
	for _, n := range names {
		if n.recorded == "simdbloom.Ribbon.XXPH3" && n.name != "rocksdb.internal.Standard128RibbonFilter:%v" {
			continue
		}
		p := parse(t, fmt.Sprintf(n.name, 10))
		want := build(t, p.NewBuilder(), keys)
		for _, level := range []int{-1, 0, 6, 1<<31 - 1, -1 << 31} {
			if !bytes.Equal(build(t, p.NewBuilder(policy.WithLevel(level)), keys), want) {
				t.Errorf("%s, level %d: other bytes", p, level)
			}
		}
	}
}

// TestRibbonPolicies has the number of thousandths of a bit that RocksDB rounds bits per key to.
func TestRibbonPolicies(t *testing.T) {
	keys := vectors.Keys("user8", 0, 300)
	for _, v := range vectors.RibbonPolicies() {
		p := parse(t, fmt.Sprintf("ribbonfilter:%v", v.BitsPerKey))
		data := build(t, p.NewBuilder(), keys)
		if none := bytes.Equal(data, make([]byte, 6)); none != (v.Millibits == 0) {
			t.Errorf("%s: no filter: %v", p, none)
		}
		if v.Millibits == 0 {
			continue
		}
		b, err := ribbon.NewBuilder(v.BitsPerKey, keyhash.XXPH3)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(data, build(t, b, keys)) {
			t.Errorf("%s: other bytes than package ribbon's", p)
		}
	}
}

// TestTruncatedRibbonFilters are refused by every policy of RocksDB's.
func TestTruncatedRibbonFilters(t *testing.T) {
	data := build(t, parse(t, "ribbonfilter:10").NewBuilder(), vectors.Keys("user8", 0, 2000))
	key := []byte("key")
	for _, name := range []string{"ribbonfilter:10", "bloomfilter:10", "rocksdb.internal.LegacyBloomFilter:10"} {
		p := parse(t, name)
		for _, from := range []int{1, 8, 17, len(data) - 6} {
			if f, err := p.Open(data[from:]); f != nil || err == nil || !p.MayContain(data[from:], key) {
				t.Errorf("%s: from byte %d on: %v, %v", p, from, f, err)
			}
		}
	}
}
