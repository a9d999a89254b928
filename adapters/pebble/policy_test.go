package pebble_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"

	root "github.com/simdbloom/simdbloom"
	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/internal/test/opened"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// texts are a policy of each name that is recorded.
var texts = []string{
	"simdbloom.FastLocal:10", "simdbloom.Paired:23.4", "simdbloom.Linear:20", "simdbloom.Ribbon:12", "simdbloom.SplitBlock:12",
	"rocksdb.BloomFilter:16", "speedb.PairedBloomFilter:20", "ribbonfilter:12",
	"rocksdb.internal.LegacyBloomFilter:12", "leveldb.BuiltinBloomFilter2:12",
}

// constructors are by the name that their filters have in tables.
var constructors = map[string]func(float64, ...root.Option) pebble.FilterPolicy{
	"simdbloom.FastLocal.XX64":    simdbloom.FastLocal,
	"simdbloom.Paired128.XX64":    simdbloom.Paired,
	"simdbloom.Linear.XX64":       simdbloom.Linear,
	"simdbloom.Ribbon.XX64":       simdbloom.Ribbon,
	"simdbloom.SplitBlock.XX64":   simdbloom.SplitBlock,
	"simdbloom.LevelDB.LevelDB32": simdbloom.LevelDB,
}

func parse(t testing.TB, text string) *policy.Policy {
	t.Helper()
	p, err := policy.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func numbered(from, n int) [][]byte {
	keys := make([][]byte, n)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "key %d", from+i)
	}
	return keys
}

// write returns the filter of keys that p's writer makes.
func write(p pebble.FilterPolicy, dst []byte, keys [][]byte) []byte {
	w := p.NewWriter(pebble.TableFilter)
	var reused []byte
	for _, key := range keys {
		reused = append(reused[:0], key...) // as Pebble does
		w.AddKey(reused)
	}
	return w.Finish(dst)
}

func TestWriterHasThePolicysBytes(t *testing.T) {
	keys := numbered(0, 20_000)
	for _, text := range texts {
		p := parse(t, text)
		f := simdbloom.FilterPolicy(p)
		b := p.NewBuilder()
		for _, key := range keys {
			b.Add(key)
		}
		want, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := bytes.CutPrefix(write(f, []byte("before"), keys), []byte("before")); !ok || !bytes.Equal(got, want) {
			t.Errorf("%s: other bytes", text)
		}
		if f.Name() != p.Name() || fmt.Sprint(f) != text {
			t.Errorf("%s: named %q, %v", text, f.Name(), f)
		}
		// Pebble puts filters at any address.
		for shift := range 65 {
			data := append(make([]byte, shift), want...)[shift:]
			for _, key := range keys[:200] {
				if !f.MayContain(pebble.TableFilter, data, key) {
					t.Fatalf("%s, shifted by %d: %q is missing", text, shift, key)
				}
			}
		}
	}
}

func TestWriterIsReused(t *testing.T) {
	for _, p := range []pebble.FilterPolicy{simdbloom.FastLocal(10), simdbloom.Legacy(10)} {
		w := p.NewWriter(pebble.TableFilter)
		for round := range 3 {
			keys := numbered(1000*round, 1000)
			for _, key := range keys {
				w.AddKey(key)
			}
			if got := w.Finish(nil); !bytes.Equal(got, write(p, nil, keys)) {
				t.Errorf("%s, round %d: other bytes", p.Name(), round)
			}
		}
	}
}

// TestLevels: a policy's options say which level it is for.
func TestLevels(t *testing.T) {
	keys, p := numbered(0, 5000), parse(t, "ribbonfilter:10:2")
	fastLocal := write(simdbloom.FilterPolicy(parse(t, "bloomfilter:10")), nil, keys)
	unknown := write(simdbloom.FilterPolicy(p), nil, keys)
	if len(unknown) > 3*len(fastLocal)/4 {
		t.Errorf("level unknown: %d bytes, FastLocal %d", len(unknown), len(fastLocal))
	}
	for level, want := range [][]byte{fastLocal, fastLocal, unknown, unknown} {
		if !bytes.Equal(write(simdbloom.FilterPolicy(p, policy.WithLevel(level)), nil, keys), want) {
			t.Errorf("level %d: other bytes", level)
		}
	}
}

func TestConstructors(t *testing.T) {
	keys := numbered(0, 100)
	for name, of := range constructors {
		p, err := policy.ForName(name)
		if name == "simdbloom.Paired128.XX64" { // which is of larger batches than of few keys
			p, err = policy.Parse("simdbloom.Paired:10")
		}
		if err != nil {
			t.Fatal(err)
		}
		if a, b := of(10), of(23.4); a.Name() != name || b.Name() != name {
			t.Errorf("%s: named %q, %q", name, a.Name(), b.Name())
		}
		if !bytes.Equal(write(of(10), nil, keys), write(simdbloom.FilterPolicy(p), nil, keys)) {
			t.Errorf("%s: other bytes than the policy's", name)
		}
		data := write(of(10), nil, keys)
		for _, key := range keys {
			if !of(10).MayContain(pebble.TableFilter, data, key) || !p.MayContain(data, key) {
				t.Errorf("%s: %q is missing", name, key)
			}
		}
		if data := write(of(0), nil, keys); !bytes.Equal(data, make([]byte, 6)) {
			t.Errorf("%s without bits: % x", name, data)
		}
		for _, bitsPerKey := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			mustPanic(t, "", func() { of(bitsPerKey) })
		}
		mustPanic(t, "MaxBytes must be at least", func() { of(10, root.WithMaxBytes(1)) })
	}
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

func TestMisuse(t *testing.T) {
	fastLocal := simdbloom.FastLocal(10)
	mustPanic(t, "pebble: FilterPolicy: the policy is nil", func() { simdbloom.FilterPolicy(nil) })
	mustPanic(t, "pebble: Filters: policy 1 of 1 is nil", func() { simdbloom.Filters(nil) })
	mustPanic(t, "pebble: Filters: policy 2 of 3 is nil", func() { simdbloom.Filters(fastLocal, nil, fastLocal) })
	mustPanic(t, "pebble: ForRocksDB: the policy is nil", func() { simdbloom.ForRocksDB(nil, nil) })
	mustPanic(t, "pebble: ForSpeedb: the policy is nil", func() { simdbloom.ForSpeedb(nil, nil) })
	mustPanic(t, "pebble: Counted: the policy is nil", func() { simdbloom.Counted(nil, nil) })
	mustPanic(t, "pebble: Counted: the policy is nil", func() { simdbloom.Counted(nil, new(simdbloom.Counters)) })
	mustPanic(t, "pebble: CountedPrefixes: the policy is nil", func() { simdbloom.CountedPrefixes(nil, nil) })
	data := write(fastLocal, nil, numbered(0, 100))
	if !simdbloom.CountedPrefixes(fastLocal, nil).MayContain(pebble.TableFilter, data, numbered(7, 1)[0]) {
		t.Error("a false negative without counters of prefixes")
	}
	if !simdbloom.Counted(fastLocal, nil).MayContain(pebble.TableFilter, data, numbered(7, 1)[0]) {
		t.Error("a false negative without counters")
	}
}

func TestWrongBytesMayContainEverything(t *testing.T) {
	keys, absent := numbered(0, 3000), numbered(1_000_000, 300)
	all := func(f pebble.FilterPolicy, data []byte, keys [][]byte) bool {
		for _, key := range keys {
			if !f.MayContain(pebble.TableFilter, data, key) {
				return false
			}
		}
		return true
	}
	for _, text := range texts {
		p := parse(t, text)
		f := simdbloom.FilterPolicy(p)
		data := write(f, nil, keys)
		for n := range data {
			if p.Format() == root.LevelDB || p.Format() == root.SplitBlock {
				break // any bytes are such a filter, or any whole blocks
			}
			// Of FastLocal's, whole blocks and what looks like a trailer are a filter; in bits that
			// are nearly half ones, nothing looks like one here.
			if !all(f, data[:n:n], absent[:3]) {
				t.Errorf("%s: says no when truncated to %d of %d bytes", text, n, len(data))
			}
		}
		for _, other := range texts {
			written := parse(t, other)
			if !reads(p, written.Format()) && !all(f, write(simdbloom.FilterPolicy(written), nil, keys), absent) {
				t.Errorf("%s: says no for bytes of %s", text, other)
			}
		}
		if !reads(p, root.Legacy) && !all(f, write(bloom.FilterPolicy(10), nil, keys), absent) {
			t.Errorf("%s: says no for Pebble's own bytes", text)
		}
		if !f.MayContain(pebble.TableFilter+1, data, absent[0]) {
			t.Errorf("%s: knows another kind of filter", text)
		}
	}
}

// reads reports whether a policy takes bytes of a format for a filter of its own: any bytes are one of
// LevelDB's, RocksDB's policies read all of its formats, and some Ribbon filters are FastLocal ones.
func reads(p *policy.Policy, format root.Format) bool {
	rocksDBs := p.Hash() == keyhash.RocksDB32 || p.Hash() == keyhash.XXPH3 && p.Format() != root.Paired
	switch {
	case p.Format() == format || p.Format() == root.LevelDB:
		return true
	case format == root.FastLocal:
		return rocksDBs || p.Format() == root.Ribbon || p.Format() == root.Paired && p.Hash() == keyhash.XX64
	}
	return rocksDBs && (format == root.Ribbon || format == root.Legacy)
}

// TestMayContainInAnyBytes: every policy answers as the reader of its name, whatever the bytes are.
func TestMayContainInAnyBytes(t *testing.T) {
	all := opened.Bytes(t)
	for name, f := range simdbloom.Filters() {
		reader, err := policy.ForName(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, data := range all {
			what := name + ", " + opened.Describe(data)
			opened.NotPanicking(t, what, func() {
				for _, key := range opened.Keys[:4] {
					if got := f.MayContain(pebble.TableFilter, data, key); got != (len(data) == 0 || reader.MayContain(data, key)) {
						t.Errorf("%s: %s: %v", what, key, got)
					}
				}
			})
		}
	}
}

func TestMayContainAllocatesNothing(t *testing.T) {
	keys := numbered(0, 2000)
	var counters simdbloom.Counters
	for _, text := range texts {
		f := simdbloom.Counted(simdbloom.FilterPolicy(parse(t, text)), &counters)
		data := write(f, nil, keys)
		if n := testing.AllocsPerRun(100, func() {
			f.MayContain(pebble.TableFilter, data, keys[7])
			f.MayContain(pebble.TableFilter, data[1:], keys[7])
		}); n != 0 {
			t.Errorf("%s: %v allocations", text, n)
		}
	}
}

func TestBuilderOptions(t *testing.T) {
	keys := numbered(0, 20_000)
	for name, of := range constructors {
		free := write(of(23.4), nil, keys)
		if same := write(of(23.4, root.WithVerification(), root.WithConcurrency(2)), nil, keys); !bytes.Equal(same, free) {
			t.Errorf("%s, verified: other bytes", name)
		}
		most := 3 * len(free) / 4
		if data := write(of(23.4, root.WithMaxBytes(most)), nil, keys); len(data) > most || len(data) < most-8192-64 {
			t.Errorf("%s: %d bytes of at most %d", name, len(data), most)
		}
	}
}

func TestFiltersReadAll(t *testing.T) {
	keys := numbered(0, 1000)
	var counters simdbloom.Counters
	given := simdbloom.Counted(simdbloom.Paired(23.4), &counters)
	filters := simdbloom.Filters(given)
	for _, text := range texts {
		p := parse(t, text)
		f := filters[p.Name()]
		if f == nil {
			t.Fatalf("%s is missing", p.Name())
		}
		data := write(simdbloom.FilterPolicy(p), nil, keys)
		for _, key := range keys {
			if !f.MayContain(pebble.TableFilter, data, key) {
				t.Fatalf("%s: %q is missing", text, key)
			}
		}
	}
	if own := bloom.FilterPolicy(10).Name(); filters[own].Name() != own {
		t.Error("Pebble's own is missing")
	}
	if filters[given.Name()] != given {
		t.Error("the given policy was replaced")
	}
	if len(filters) != len(texts)+2 { // Pebble's own, and what ForSpeedb records
		t.Errorf("%d filters", len(filters))
	}
}
