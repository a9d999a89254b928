package policy_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
)

func TestNamesThatAreNone(t *testing.T) {
	for _, text := range []string{
		"", ":", ":10", "10", "bloom:10", "Bloomfilter:10", " bloomfilter:10", "bloomfilter 10", "rocksdb.Ribbon:10",
		"bloomfilter", "bloomfilter:", "rocksdb.BloomFilter", "rocksdb.BloomFilter:", "simdbloom.Paired",
		"bloomfilter:ten", "bloomfilter:10x", "bloomfilter:1e1", "bloomfilter:+10", "bloomfilter:0x10", "bloomfilter:.",
		"bloomfilter:-", "bloomfilter:1.2.3", "bloomfilter:NaN", "bloomfilter:inf", "bloomfilter:Infinity", "bloomfilter: 10",
		"bloomfilter:10 ", "bloomfilter:1_0", "bloomfilter:١", "bloomfilter:--1",
		"bloomfilter:10:", "bloomfilter:10:true", "bloomfilter::false", "bloomfilter:false", "bloomfilter:10:false:false",
		"simdbloom.Bloom:10:false", "speedb.PairedBloomFilter:10:false", "rocksdb.internal.FastLocalBloomFilter:10:false",
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
		if !strings.Contains(err.Error(), "Could not load FilterPolicy") {
			t.Errorf("%q: %v", text, err)
		}
		for _, n := range names {
			if name, _, _ := strings.Cut(n.name, ":"); !strings.Contains(err.Error(), name) {
				t.Errorf("%q: the error does not list %s: %v", text, name, err)
			}
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
			got := build(t, parse(t, fmt.Sprintf(n.name, text)).NewBuilder(), keys)
			want := build(t, parse(t, fmt.Sprintf(n.name, same)).NewBuilder(), keys)
			if !bytes.Equal(got, want) {
				t.Errorf(n.name+": not as %s", text, same)
			}
		}
	}
}

func TestPoliciesByNumber(t *testing.T) {
	for _, bpk := range []float64{-1, 0, 0.5, 10, 23.4, 1.0 / 3, 1e-300, 1e300} {
		for name, p := range map[string]policy.Policy{"simdbloom.Bloom": policy.FastLocal(bpk), "simdbloom.Paired": policy.Paired(bpk), "simdbloom.Linear": policy.Linear(bpk)} {
			again := parse(t, p.String())
			if got, want := p.PredictedFPR(5000), again.PredictedFPR(5000); got != want || p.Name() != again.Name() || !strings.HasPrefix(p.String(), name+":") {
				t.Errorf("%v bits per key: %s, rate %v; parsed again %v", bpk, p, got, want)
			}
		}
	}
	for _, bpk := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, of := range []func(float64) policy.Policy{policy.FastLocal, policy.Paired, policy.Linear} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("no panic at %v bits per key", bpk)
					}
				}()
				of(bpk)
			}()
		}
	}
}

func TestReadersAreOfEveryName(t *testing.T) {
	readers := make(map[string]policy.Policy)
	for _, p := range policy.Readers() {
		if readers[p.Name()] != nil {
			t.Errorf("%s twice", p.Name())
		}
		readers[p.Name()] = p
	}
	read := make(map[string]bool)
	for _, n := range names {
		p := readers[n.recorded]
		if p == nil {
			t.Fatalf("none of %s", n.recorded)
		}
		keys := vectors.Keys("le64", 0, 1000)
		checkAnswers(t, p, build(t, parse(t, fmt.Sprintf(n.name, 23.4)).NewBuilder(), keys), keys)
		read[n.recorded] = true
	}
	if len(readers) != len(read) {
		t.Errorf("%d readers of %d names", len(readers), len(read))
	}
}
