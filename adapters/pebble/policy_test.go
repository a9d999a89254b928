package pebble_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/policy"
)

// texts are a policy of each format.
var texts = []string{
	"simdbloom.Bloom:10", "simdbloom.Paired:23.4", "simdbloom.Linear:20", "rocksdb.BloomFilter:16", "speedb.PairedBloomFilter:20",
	"ribbonfilter:12", "rocksdb.internal.LegacyBloomFilter:12", "leveldb.BuiltinBloomFilter2:12",
}

func parse(t testing.TB, text string) policy.Policy {
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

func TestNamesAreWithoutBitsPerKey(t *testing.T) {
	if a, b := simdbloom.FastLocal(10).Name(), simdbloom.FastLocal(16).Name(); a != b || a != "simdbloom.FastLocal.XX64" {
		t.Errorf("FastLocal: %q, %q", a, b)
	}
	if a, b := simdbloom.Paired(10).Name(), simdbloom.Paired(23.4).Name(); a != b || a != "simdbloom.Paired128.XX64" {
		t.Errorf("Paired: %q, %q", a, b)
	}
}

func TestWrongBytesMayContainEverything(t *testing.T) {
	keys, absent := numbered(0, 3000), numbered(1_000_000, 300)
	random := rand.New(rand.NewPCG(1, 2))
	all := func(f pebble.FilterPolicy, data []byte, keys [][]byte) bool {
		for _, key := range keys {
			if !f.MayContain(pebble.TableFilter, data, key) {
				return false
			}
		}
		return true
	}
	// What filters of each policy are: RocksDB's policies read all of its formats, and any bytes
	// are one of LevelDB's.
	const (
		fastLocal = iota
		paired
		linear
		rocksDBs
		ribbon
		legacy
		levelDBs
	)
	formats := []int{fastLocal, paired, linear, rocksDBs, paired, ribbon, legacy, levelDBs}
	isRocksDBs := func(i int) bool { return formats[i] >= rocksDBs && formats[i] <= legacy }
	for i, text := range texts {
		f := simdbloom.FilterPolicy(parse(t, text))
		data := write(f, nil, keys)
		for n := range data {
			if formats[i] == levelDBs {
				break
			}
			// Of FastLocal's, whole blocks and what looks like a trailer are a filter; in bits that
			// are nearly half ones, nothing looks like one here.
			if !all(f, data[:n:n], absent[:3]) {
				t.Errorf("%s: says no when truncated to %d of %d bytes", text, n, len(data))
			}
		}
		for j, other := range texts {
			same := formats[i] == formats[j] || formats[i] == levelDBs || isRocksDBs(i) && (isRocksDBs(j) || formats[j] == fastLocal) ||
				formats[i] == fastLocal && formats[j] == rocksDBs
			if !same && !all(f, write(simdbloom.FilterPolicy(parse(t, other)), nil, keys), absent) {
				t.Errorf("%s: says no for bytes of %s", text, other)
			}
		}
		if !isRocksDBs(i) && formats[i] != levelDBs && !all(f, write(bloom.FilterPolicy(10), nil, keys), absent) {
			t.Errorf("%s: says no for Pebble's own bytes", text)
		}
		for range 20_000 { // nothing panics
			hostile := make([]byte, random.IntN(300))
			for i := range hostile {
				hostile[i] = byte(random.Uint32() & random.Uint32())
			}
			if random.IntN(2) == 0 {
				hostile = append(hostile, data[len(data)-5:]...)
			}
			f.MayContain(pebble.TableFilter, hostile, absent[0])
		}
		if !f.MayContain(pebble.TableFilter+1, data, absent[0]) {
			t.Errorf("%s: knows another kind of filter", text)
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

// TestOthersPolicies is about policies that package policy did not make: their own
// MayContain is called.
func TestOthersPolicies(t *testing.T) {
	f := simdbloom.FilterPolicy(refusing{policy.FastLocal(10)})
	data := write(f, nil, numbered(0, 100))
	if f.MayContain(pebble.TableFilter, data, numbered(0, 1)[0]) {
		t.Error("MayContain of another policy was called")
	}
	if !f.MayContain(pebble.TableFilter, nil, nil) || !f.MayContain(pebble.TableFilter+1, data, nil) {
		t.Error("no bytes, or another kind of filter, do not contain every key")
	}
}

// refusing is a policy that says no to every key.
type refusing struct{ policy.Policy }

func (refusing) MayContain([]byte, []byte) bool { return false }

func TestBuilderOptions(t *testing.T) {
	keys := numbered(0, 20_000)
	limited := simdbloom.FastLocal(10, policy.WithMaxBytes(10_005), policy.WithVerification())
	if data := write(limited, nil, keys); len(data) > 10_005 || len(data) < 9_941 {
		t.Errorf("%d bytes", len(data))
	}
	for _, refused := range []func(){
		func() { simdbloom.FastLocal(10, policy.WithMaxBytes(1)) },
		func() { simdbloom.Paired(math.NaN()) },
		func() { simdbloom.Linear(math.NaN()) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			refused()
		}()
	}
	if data := write(simdbloom.Paired(0), nil, keys); !bytes.Equal(data, make([]byte, 6)) {
		t.Errorf("without bits: % x", data)
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
	if len(filters) != len(texts)+1 {
		t.Errorf("%d filters", len(filters))
	}
}
