package goleveldb_test

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/util"

	"github.com/simdbloom/simdbloom/adapters/goleveldb"
	"github.com/simdbloom/simdbloom/filterblock"
	kinds "github.com/simdbloom/simdbloom/internal/test/opened"
	"github.com/simdbloom/simdbloom/policy"
)

// policies are of every format, at usual numbers of bits per key and at none.
func policies(t *testing.T) []*policy.Policy {
	all := append(policy.Readers(), policy.FastLocal(0), policy.FastLocal(16), policy.Paired(23.4), policy.Linear(20))
	for _, text := range []string{"speedb.PairedBloomFilter:23.4", "rocksdb.BloomFilter:6.5", "ribbonfilter:16:2"} {
		p, err := policy.Parse(text)
		check(t, err)
		all = append(all, p)
	}
	return all
}

func TestFiltersAreThePolicys(t *testing.T) {
	for _, p := range policies(t) {
		f := goleveldb.Filter(p)
		if f.Name() != p.Name() {
			t.Errorf("%s: its name is %s", p, f.Name())
		}
		g := f.NewGenerator() // one for all, as for the filters of a table
		for i, n := range []int{1, 2, 36, 164, 1, 5000, 30_000, 3} {
			present := presentKeys(digests, n)
			b := p.NewBuilder()
			for _, key := range present {
				b.Add(key)
			}
			want, err := b.Finish()
			check(t, err)

			buffer := newDirtyBuffer(len(want)+200, 1+i*7)
			generate(g, buffer, present)
			data, alone := buffer.filter()
			copied := 0
			if strings.HasPrefix(p.Name(), "simdbloom.Linear") || strings.HasPrefix(p.Name(), "simdbloom.Ribbon") {
				copied = len(want)
			}
			if !bytes.Equal(data, want) || !alone || buffer.copied != copied {
				t.Fatalf("%s, %d keys: %d bytes, alone %v, %d copied; want the policy's %d", p, n, len(data), alone, buffer.copied, len(want))
			}
			for _, key := range present {
				if !f.Contains(data, key) {
					t.Fatalf("%s, %d keys: lost %s", p, n, key)
				}
			}
			for i := range 1000 {
				if key := keys(digests).absent(i); f.Contains(data, key) != p.MayContain(want, key) {
					t.Fatalf("%s, %d keys: another answer than the policy's for %s", p, n, key)
				}
			}
		}
	}
}

// TestOtherBytesMayContainEverything is about bytes that the name does not promise: what a
// table has them from is gone, but no key may be with it.
func TestOtherBytesMayContainEverything(t *testing.T) {
	present := presentKeys(digests, 164)
	formats := make(map[string][]byte) // by what a filter's bytes are like, whatever the hash
	format := func(f filter.Filter) string {
		return map[string]string{
			"leveldb.BuiltinBloomFilter": "LevelDB",
			"simdbloom.FastLocal.XX64":   "FastLocal", "simdbloom.FastLocal.XXPH3": "FastLocal",
			"simdbloom.Paired128.XX64": "Paired", "simdbloom.Paired32.XXPH3": "Paired",
			"simdbloom.Linear.XX64": "Linear", "simdbloom.Legacy.RocksDB32": "legacy", "simdbloom.LevelDB.LevelDB32": "LevelDB",
			"simdbloom.Ribbon.XXPH3": "Ribbon", "simdbloom.Ribbon.XX64": "Ribbon", "simdbloom.SplitBlock.XX64": "SplitBlock",
		}[f.Name()]
	}
	for _, f := range goleveldb.AltFilters() {
		var buffer util.Buffer
		generate(f.NewGenerator(), &buffer, present)
		formats[format(f)] = buffer.Bytes()
	}
	if len(formats) != 7 || formats[""] != nil {
		t.Fatalf("%d formats", len(formats))
	}
	// RocksDB's filters are read by their bytes, which say the format and not the key hash. Ribbon and Paired
	// filters of few keys are FastLocal ones.
	others := map[string]bool{"simdbloom.Ribbon.XX64 FastLocal": true, "simdbloom.Paired128.XX64 FastLocal": true}
	for _, name := range []string{"FastLocal.XXPH3", "Ribbon.XXPH3", "Legacy.RocksDB32"} {
		for _, format := range []string{"FastLocal", "Ribbon", "legacy"} {
			others["simdbloom."+name+" "+format] = true
		}
	}
	for _, f := range goleveldb.AltFilters() {
		if format(f) == "LevelDB" || format(f) == "SplitBlock" {
			continue // any bytes are a filter of LevelDB's, and any whole blocks are split ones
		}
		for name, data := range formats {
			for n := range len(data) + 1 {
				if n == len(data) && (name == format(f) || others[f.Name()+" "+name]) {
					continue // its own, whole
				}
				for i := range 20 {
					if !f.Contains(data[:n:n], keys(digests).absent(i)) {
						t.Fatalf("%s, %d of the %d bytes of a filter of %s: no", f.Name(), n, len(data), name)
					}
				}
			}
		}
	}
}

// TestContainsInAnyBytes: every filter answers as the reader of its name, counted or not, whatever the bytes are.
func TestContainsInAnyBytes(t *testing.T) {
	all := kinds.Bytes(t)
	for _, f := range append(goleveldb.AltFilters(), goleveldb.BuiltIn(10)) {
		reader, err := policy.ForName(f.Name())
		if f.Name() == goleveldb.BuiltIn(10).Name() { // goleveldb's own
			reader, err = policy.LevelDB(10), nil
		}
		check(t, err)
		for _, f := range []filter.Filter{f, goleveldb.Counted(f, new(filterblock.Counters))} {
			for _, data := range all {
				what := f.Name() + ", " + kinds.Describe(data)
				kinds.NotPanicking(t, what, func() {
					for _, key := range kinds.Keys[:4] {
						if got := f.Contains(data, key); got != (len(data) == 0 || reader.MayContain(data, key)) {
							t.Errorf("%s: %s: %v", what, key, got)
						}
					}
				})
			}
		}
	}
}

// constructors are by the name that their filters have in tables.
var constructors = map[string]func(float64) filter.Filter{
	"simdbloom.FastLocal.XX64":    goleveldb.FastLocal,
	"simdbloom.Paired32.XXPH3":    goleveldb.Paired,
	"simdbloom.Linear.XX64":       goleveldb.Linear,
	"simdbloom.Ribbon.XX64":       goleveldb.Ribbon,
	"simdbloom.SplitBlock.XX64":   goleveldb.SplitBlock,
	"simdbloom.Legacy.RocksDB32":  goleveldb.Legacy,
	"simdbloom.LevelDB.LevelDB32": goleveldb.LevelDB,
}

func TestConstructors(t *testing.T) {
	present := presentKeys(digests, 1000)
	for name, of := range constructors {
		if a, b := of(10), of(23.4); a.Name() != name || b.Name() != name {
			t.Errorf("%s: named %q, %q", name, a.Name(), b.Name())
		}
		p, err := policy.ForName(name)
		check(t, err)
		var got, want util.Buffer
		generate(of(10).NewGenerator(), &got, present)
		generate(goleveldb.Filter(p).NewGenerator(), &want, present)
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%s: other bytes than the policy's", name)
		}
		for _, key := range present {
			if !of(10).Contains(got.Bytes(), key) || !p.MayContain(got.Bytes(), key) {
				t.Fatalf("%s: lost %s", name, key)
			}
		}
		for _, bitsPerKey := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			mustPanic(t, "", func() { of(bitsPerKey) })
		}
	}
}

func TestMisuse(t *testing.T) {
	mustPanic(t, "goleveldb: Filter: the policy is nil", func() { goleveldb.Filter(nil) })
	mustPanic(t, "goleveldb: AltFilters: filter 2 of 2 is nil", func() { goleveldb.AltFilters(goleveldb.FastLocal(10), nil) })
	mustPanic(t, "goleveldb: Counted: the filter is nil", func() { goleveldb.Counted(nil, nil) })
	mustPanic(t, "goleveldb: Counted: the filter is nil", func() { goleveldb.Counted(nil, new(filterblock.Counters)) })
}

// mustPanic calls misuse, whose panic must say what is wrong.
func mustPanic(t *testing.T, says string, misuse func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if said := fmt.Sprint(recover()); said == "<nil>" || !strings.Contains(said, says) {
			t.Errorf("panic %q does not say %q", said, says)
		}
	}()
	misuse()
}

func TestAltFiltersHaveEveryName(t *testing.T) {
	alternative := make(map[string]bool)
	for _, f := range goleveldb.AltFilters(goleveldb.Linear(7), filter.NewBloomFilter(7)) { // which are in place of two
		if alternative[f.Name()] {
			t.Errorf("%s twice", f.Name())
		}
		alternative[f.Name()] = true
	}
	all := append(slices.Collect(maps.Keys(constructors)), filter.NewBloomFilter(7).Name(), goleveldb.BuiltIn(12).Name())
	for _, p := range policy.Readers() {
		all = append(all, p.Name())
	}
	for _, name := range all {
		if !alternative[name] {
			t.Errorf("%s is missing", name)
		}
	}
	if want := len(policy.Readers()) + 1; len(alternative) != want {
		t.Errorf("%d names, want %d", len(alternative), want)
	}
}
