package policy_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/policy"
)

// TestKeysAreRocksDBs: ApproximateNumEntries of its three kinds.
func TestKeysAreRocksDBs(t *testing.T) {
	names := map[string]string{
		"fastlocal": "bloomfilter:%v", "legacy": "rocksdb.internal.LegacyBloomFilter:%v", "ribbon": "ribbonfilter:%v",
	}
	for _, v := range vectors.ApproximateEntries() {
		p := parse(t, fmt.Sprintf(names[v.Kind], v.BitsPerKey))
		for _, row := range v.Rows {
			if got := p.KeysFor(row[0]); got != row[1] {
				t.Errorf("%v, %d bytes: %d keys, want %d", p, row[0], got, row[1])
			}
		}
	}
}

// TestMostKeys: where it is not an estimate, the number is the largest whose filter fits.
func TestMostKeys(t *testing.T) {
	for _, name := range []string{"simdbloom.Paired:", "speedb.PairedBloomFilter:", "simdbloom.Linear:", "leveldb.BuiltinBloomFilter2:", "rocksdb.internal.LegacyBloomFilter:"} {
		for _, bitsPerKey := range []float64{1, 5, 7.3, 10, 23.4, 100} {
			p := parse(t, fmt.Sprint(name, bitsPerKey))
			for _, bytes := range []int{9, 69, 201, 512, 2051, 2052, 3687, 8195, 8196, 20_000, 100_000} {
				all := [][]simdbloom.Option{nil, {building.WithRoundDown}}
				if p.Format() == simdbloom.Linear {
					all[1] = []simdbloom.Option{linear.WithFasterLookups()}
				}
				for _, options := range all {
					n := p.KeysFor(bytes, options...)
					if n > 0 && mostBytes(p, n, options) > bytes || mostBytes(p, n+1, options) <= bytes {
						t.Errorf("%v, %d bytes: %d keys take %d, one more %d", p, bytes, n, mostBytes(p, n, options), mostBytes(p, n+1, options))
					}
				}
			}
		}
	}
}

// mostBytes is the size of a filter of n keys: the largest if that depends on the keys.
func mostBytes(p *policy.Policy, n int, options []simdbloom.Option) int {
	b := p.NewBuilder(options...)
	b.AddHashes(vectors.Hashes(1, n))
	return b.SizeBytes()
}

func TestKeysAtTheEdges(t *testing.T) {
	for _, p := range policy.Readers() {
		for _, bytes := range []int{math.MinInt, -1, 0, 4, 5, 8} {
			if n := p.KeysFor(bytes); n != 0 {
				t.Errorf("%v: %d keys in %d bytes", p, n, bytes)
			}
		}
		if n := p.KeysFor(math.MaxInt); n < 1<<25 {
			t.Errorf("%v: %d keys in all bytes", p, n)
		}
		if n := p.KeysFor(1<<20, simdbloom.WithConcurrency(0)); n != 0 {
			t.Errorf("%v: %d keys for an invalid option", p, n)
		}
		if limited := p.KeysFor(1<<20, simdbloom.WithMaxBytes(1<<16)); limited != p.KeysFor(1<<16) {
			t.Errorf("%v: %d keys within a limit", p, limited)
		}
	}
	p := policy.FastLocal(10)
	if small, exact := p.KeysFor(1<<10, simdbloom.WithSizeBytes(1<<16+5)), p.KeysFor(1<<20, simdbloom.WithSizeBytes(1<<16+5)); small != 0 || exact != p.KeysFor(1<<16+5) {
		t.Errorf("of an exact size: %d keys in fewer bytes, %d in more", small, exact)
	}
	if p.SizeBytes(0) != 0 || p.SizeBytes(-1) != 0 {
		t.Errorf("%d bytes without keys", p.SizeBytes(0))
	}
	none := parse(t, "bloomfilter:0")
	if none.KeysFor(5) != 0 || none.KeysFor(6) != math.MaxInt {
		t.Error("six bytes are for any number of keys")
	}
	p = parse(t, "ribbonfilter:10")
	if got, want := p.KeysFor(3687, policy.WithLevel(-1)), parse(t, "bloomfilter:10").KeysFor(3687); got != want {
		t.Errorf("flushed: %d keys, want FastLocal's %d", got, want)
	}
}
