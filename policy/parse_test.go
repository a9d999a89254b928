package policy_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
)

func TestNamesThatAreNone(t *testing.T) {
	for _, text := range []string{
		":", ":10", "10", "bloom:10", "Bloomfilter:10", " bloomfilter:10", "bloomfilter 10", "rocksdb.Ribbon:10",
		"bloomfilter", "bloomfilter:", "rocksdb.BloomFilter", "rocksdb.BloomFilter:", "simdbloom.Paired",
		"bloomfilter:ten", "bloomfilter:10x", "bloomfilter:1e1", "bloomfilter:+10", "bloomfilter:0x10", "bloomfilter:.",
		"bloomfilter:-", "bloomfilter:1.2.3", "bloomfilter:NaN", "bloomfilter:inf", "bloomfilter:Infinity", "bloomfilter: 10",
		"bloomfilter:10 ", "bloomfilter:1_0", "bloomfilter:١", "bloomfilter:--1",
		"bloomfilter:10:", "bloomfilter:10:True", "bloomfilter:10:1", "bloomfilter::true", "bloomfilter::false", "bloomfilter:false", "bloomfilter:10:false:false", "bloomfilter:10:true:false",
		"simdbloom.FastLocal:10:false", "simdbloom.FastLocal.XX64:", "bloom\nfilter:10", "bloomfilter:1\n0", "bloomfilter:10:\x00", "speedb.PairedBloomFilter:10:false", "rocksdb.internal.FastLocalBloomFilter:10:false",
		"ribbonfilter", "ribbonfilter:", "ribbonfilter::2", "ribbonfilter:x:2", "ribbonfilter:10:", "ribbonfilter:10:false",
		"ribbonfilter:10:+1", "ribbonfilter:10:2.5", "ribbonfilter:10: 1", "ribbonfilter:10:-", "ribbonfilter:10:1k", "ribbonfilter:10:2:3",
		"ribbonfilter:10:2147483648", "ribbonfilter:10:-2147483649", "ribbonfilter:10:99999999999999999999999", "ribbonfilter:10:1_0",
		"rocksdb.internal.Standard128RibbonFilter:10:1",
	} {
		p, err := policy.Parse(text)
		if err == nil || p != nil {
			t.Errorf("%q was read as %v", text, p)
			continue
		}
		if said := err.Error(); !strings.HasPrefix(said, "policy: Could not load FilterPolicy: ") || strings.Contains(said, "\n") || len(said) > len(text)+300 {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestNearNames: the error for an unknown name lists three that are near.
func TestNearNames(t *testing.T) {
	for text, near := range map[string]string{
		"bloom:10":                            "simdbloom.Ribbon, bloomfilter, ",
		"linear:12":                           "simdbloom.Linear, ",
		"BLOOMFILTER:12":                      "bloomfilter, ",
		"simdbloom.fastlocl:10":               "simdbloom.FastLocal, ",
		"rocksdb.BlomFilter:10":               "rocksdb.BloomFilter, rocksdb.RibbonFilter, ",
		"simdbloom.Paired64.XXPH3":            "simdbloom.Paired32.XXPH3, ",
		"SimdBloom.Linear:7\n":                "simdbloom.Linear, ",
		strings.Repeat("bloomfilter", 1<<20):  "",
		"speedb_paired_bloom_filter_v2:23.4":  "speedb_paired_bloom_filter, ",
		"rocksdb.internal.LegacyBlomFiltr:10": "rocksdb.internal.LegacyBloomFilter, ",
	} {
		_, err := policy.Parse(text)
		if !errors.Is(err, simdbloom.ErrUnknown) || !strings.Contains(err.Error(), ": unknown name; the nearest are "+near) || strings.Contains(err.Error(), "\n") || strings.Count(err.Error(), ", ") != 2 {
			t.Errorf("%.50q: %.300v", text, err)
		}
	}
}

func TestUnusualNumbers(t *testing.T) {
	keys := vectors.Keys("le64", 0, 2000)
	for text, same := range map[string]string{
		"10.":                            "10",
		"010":                            "10",
		".75":                            "1",
		"99.9999":                        "100",
		"100.4":                          "100",
		"1" + strings.Repeat("0", 400):   "1000",
		"0." + strings.Repeat("0", 400):  "0",
		"10." + strings.Repeat("0", 400): "10",
	} {
		for _, n := range names {
			got := build(t, n.at(t, text).NewBuilder(), keys)
			want := build(t, n.at(t, same).NewBuilder(), keys)
			if !bytes.Equal(got, want) {
				t.Errorf(n.name+": not as %s", text, same)
			}
		}
	}
}

// constructors by the names and formats of what they return.
var constructors = []struct {
	name   string
	format simdbloom.Format
	of     func(bitsPerKey float64) *policy.Policy
}{
	{"simdbloom.FastLocal", simdbloom.FastLocal, policy.FastLocal},
	{"simdbloom.Paired", simdbloom.Paired, policy.Paired},
	{"simdbloom.Linear", simdbloom.Linear, policy.Linear},
	{"simdbloom.Ribbon", simdbloom.Ribbon, policy.Ribbon},
	{"simdbloom.SplitBlock", simdbloom.SplitBlock, policy.SplitBlock},
	{"rocksdb.internal.LegacyBloomFilter", simdbloom.Legacy, policy.Legacy},
	{"leveldb.BuiltinBloomFilter2", simdbloom.LevelDB, policy.LevelDB},
}

func TestConstructors(t *testing.T) {
	for _, c := range constructors {
		for _, bpk := range []float64{-1, 0, 0.5, 10, 23.4, 1.0 / 3, 1e-300, 1e300} {
			p := c.of(bpk)
			again := parse(t, p.String())
			if got, want := p.PredictedFPR(5000), again.PredictedFPR(5000); got != want || p.Name() != again.Name() || p.Format() != c.format || !strings.HasPrefix(p.String(), c.name+":") {
				t.Errorf("%v bits per key: %s, %v, rate %v; parsed again %v", bpk, p, p.Format(), got, want)
			}
		}
		for _, bpk := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			func() {
				defer func() {
					if said := fmt.Sprint(recover()); !strings.Contains(said, "bits per key must be a decimal number") {
						t.Errorf("%s, %v bits per key: %s", c.name, bpk, said)
					}
				}()
				c.of(bpk)
			}()
		}
	}
}

func TestReadersAreOfEveryName(t *testing.T) {
	readers := make(map[string]*policy.Policy)
	for _, p := range policy.Readers() {
		if readers[p.Name()] != nil {
			t.Errorf("%s twice", p.Name())
		}
		readers[p.Name()] = p
	}
	read := make(map[string]bool)
	for _, n := range names {
		if readers[n.recorded] == nil {
			t.Fatalf("none of %s", n.recorded)
		}
		read[n.recorded] = true
	}
	if len(readers) != len(read) {
		t.Errorf("%d readers of %d names", len(readers), len(read))
	}
}
