package policy_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ribbon"
)

// optionsOf returns the options for a table of RocksDB's. Where compaction is neither level nor
// universal, RocksDB does not look at the level.
func optionsOf(v vectors.RibbonLevel) []simdbloom.Option {
	switch {
	case v.Style > 1:
		return nil
	case v.Flush:
		return []simdbloom.Option{policy.WithLevel(-1)}
	case v.Level == -1:
		return nil
	}
	return []simdbloom.Option{policy.WithLevel(v.Level)}
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
		for level, format := range map[int]simdbloom.Format{first - 1: simdbloom.FastLocal, first: simdbloom.Ribbon} {
			b := parse(t, "ribbonfilter:10:"+text).NewBuilder(policy.WithLevel(level))
			b.AddHashes(hashes)
			data, err := b.Finish()
			if err != nil {
				t.Fatal(err)
			}
			if f, err := ribbon.Open(data, keyhash.XXPH3); err != nil || f.Format() != format {
				t.Errorf("%s, level %d: %v, %v", text, level, f.Format(), err)
			}
		}
	}
}

func TestLevelChangesNoOtherPolicy(t *testing.T) {
	keys := vectors.Keys("user8", 0, 3000)
	for _, n := range names {
		if strings.HasPrefix(n.name, "ribbonfilter") || strings.HasPrefix(n.name, "rocksdb.Ribbon") {
			continue
		}
		p := n.at(t, 10)
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

// TestKeysByLevel: a table of the policy's first level has a Ribbon filter, which has room for more
// keys than the FastLocal filter of a table below that level.
func TestKeysByLevel(t *testing.T) {
	const bytes = 3687
	fastLocal := parse(t, "bloomfilter:10").KeysFor(bytes)
	ribbon := parse(t, "rocksdb.internal.Standard128RibbonFilter:10").KeysFor(bytes)
	for _, first := range []int{-1, 0, 2, 6} {
		p := parse(t, fmt.Sprint("ribbonfilter:10:", first))
		for level, want := range map[int]int{first - 1: fastLocal, first: ribbon, first + 1: ribbon} {
			if got := p.KeysFor(bytes, policy.WithLevel(level)); got != want {
				t.Errorf("%v, level %d: room for %d keys, want %d", p, level, got, want)
			}
		}
	}
}
