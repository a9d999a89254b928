package pebble_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

// TestLegacyIsPebblesOwn compares what both policies write, and what both read in it.
func TestLegacyIsPebblesOwn(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, bitsPerKey := range []int{0, 1, 2, 5, 10, 14, 16, 23, 31, 44, 50, 100, 101, 250} {
		pebbles, ours := pebble.FilterPolicy(bloom.FilterPolicy(bitsPerKey)), simdbloom.Legacy(bitsPerKey)
		if ours.Name() != pebbles.Name() {
			t.Fatalf("named %q", ours.Name())
		}
		for _, n := range []int{0, 1, 2, 3, 50, 51, 52, 1000, 20_000} {
			var keys, absent [][]byte
			for i := range n {
				key := binary.LittleEndian.AppendUint64(nil, random.Uint64())[:i%9]
				keys = append(keys, key)
				if i%3 == 0 { // equal keys follow each other, and come again
					keys = append(keys, key, keys[random.IntN(len(keys))])
				}
				absent = append(absent, binary.LittleEndian.AppendUint64(nil, random.Uint64()))
			}
			data := write(ours, []byte("before"), keys)
			if want := write(pebbles, []byte("before"), keys); !bytes.Equal(data, want) {
				t.Fatalf("%d bits/key, %d keys: other bytes than Pebble's", bitsPerKey, n)
			}
			data = data[len("before"):]
			for i, key := range append(keys, absent...) {
				got, want := ours.MayContain(pebble.TableFilter, data, key), pebbles.MayContain(pebble.TableFilter, data, key)
				if got != want || i < len(keys) && !got {
					t.Fatalf("%d bits/key, %d keys, key %x: %v, Pebble says %v", bitsPerKey, n, key, got, want)
				}
			}
		}
	}
}

// TestTablesAreTheSame writes a store with each policy: all tables are equal, byte for byte.
func TestTablesAreTheSame(t *testing.T) {
	files := func(p pebble.FilterPolicy) map[string][]byte {
		fs := vfs.NewMem()
		s := open(t, fs, onAllLevels(p))
		keys := numbered(0, 6000)
		s.flush(keys[:3000])
		s.compact()
		s.flush(keys[2000:])
		s.must(s.Close())
		names, err := fs.List("store")
		s.must(err)
		found := make(map[string][]byte)
		for _, name := range names {
			if strings.HasSuffix(name, ".sst") {
				f, err := fs.Open("store/" + name)
				s.must(err)
				found[name], err = io.ReadAll(f)
				s.must(err)
				s.must(f.Close())
			}
		}
		return found
	}
	ours, pebbles := files(simdbloom.Legacy(10)), files(bloom.FilterPolicy(10))
	if len(ours) != len(pebbles) || len(ours) < 2 {
		t.Fatalf("%d tables, with Pebble's policy %d", len(ours), len(pebbles))
	}
	for name, table := range pebbles {
		if !bytes.Equal(ours[name], table) {
			t.Errorf("%s differs", name)
		}
		if !bytes.Contains(table, []byte(bloom.FilterPolicy(10).Name())) {
			t.Errorf("%s names no filter of Pebble's", name)
		}
	}
}

// TestLegacyWritersTogether has several tables written at once.
func TestLegacyWritersTogether(t *testing.T) {
	p := simdbloom.Legacy(10)
	var writers sync.WaitGroup
	for from := range 8 {
		writers.Add(1)
		go func() {
			defer writers.Done()
			for n := range 20 {
				keys := numbered(10_000*from, 50*n)
				if got, want := write(p, nil, keys), write(bloom.FilterPolicy(10), nil, keys); !bytes.Equal(got, want) {
					t.Errorf("keys from %d, %d of them: other bytes", from, len(keys))
				}
			}
		}()
	}
	writers.Wait()
}

// TestLegacyReadsNewerFilters has a filter that RocksDB wrote under the same name.
func TestLegacyReadsNewerFilters(t *testing.T) {
	keys, absent := numbered(0, 2000), numbered(5000, 2000)
	data := write(simdbloom.FilterPolicy(parse(t, "rocksdb.BloomFilter:10")), nil, keys)
	found := 0
	for i, key := range append(keys, absent...) {
		if simdbloom.Legacy(10).MayContain(pebble.TableFilter, data, key) {
			found++
		} else if i < len(keys) {
			t.Fatalf("key %q is missing", key)
		}
	}
	if found > len(keys)+60 {
		t.Errorf("%d of %d absent keys were found", found-len(keys), len(absent))
	}
}

// TestLegacyTakesAnyBytes has those on which Pebble's own reader panics, and truncated ones.
func TestLegacyTakesAnyBytes(t *testing.T) {
	p := simdbloom.Legacy(10)
	whole := write(p, nil, numbered(0, 100))
	for _, data := range [][]byte{
		{},
		whole[:1], whole[:4], append(make([]byte, 64), 6, 0, 0, 0, 0), append(make([]byte, 64), 6, 0xff, 0xff, 0xff, 0xff),
		append(make([]byte, 64), 6, 1, 0, 0, 4), append(make([]byte, 64), 0, 1, 0, 0, 0), make([]byte, 6),
	} {
		for _, key := range append(numbered(0, 100), nil) {
			if !p.MayContain(pebble.TableFilter, data, key) {
				t.Errorf("%d bytes ending in %x do not contain %q", len(data), data[max(0, len(data)-5):], key)
			}
		}
	}
	if p.MayContain(pebble.TableFilter, make([]byte, 5), []byte("key")) {
		t.Error("Pebble's filter without keys contains one")
	}
	if !p.MayContain(pebble.TableFilter+1, make([]byte, 5), []byte("key")) {
		t.Error("a filter of another type does not contain a key")
	}
	key := []byte("key")
	if allocated := testing.AllocsPerRun(100, func() { p.MayContain(pebble.TableFilter, whole, key) }); allocated > 0 {
		t.Errorf("MayContain allocates %v times", allocated)
	}
	mustPanic(t, "bits per key", func() { simdbloom.Legacy(-1) })
	w, other := p.NewWriter(pebble.TableFilter), p.NewWriter(pebble.TableFilter)
	for range 2 { // a writer that has ended a table gives its memory away
		w.AddKey([]byte("first"))
		first := w.Finish(nil)
		other.AddKey(key)
		w.AddKey([]byte("second"))
		if got, want := other.Finish(nil), write(p, nil, [][]byte{key}); !bytes.Equal(got, want) {
			t.Errorf("%x, want %x", got, want)
		}
		if got, want := append(first, w.Finish(nil)...), append(write(p, nil, [][]byte{[]byte("first")}), write(p, nil, [][]byte{[]byte("second")})...); !bytes.Equal(got, want) {
			t.Errorf("%x, want %x", got, want)
		}
	}
}
