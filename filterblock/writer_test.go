package filterblock_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
)

func noStore([]byte) (filterblock.Handle, error) { return filterblock.Handle{}, nil }

func TestOptionsThatAreRefused(t *testing.T) {
	p := parse(t, "bloomfilter:10")
	for want, o := range map[string]filterblock.Options{
		"PartitionBytes must":     {PartitionBytes: -1},
		"requires Store":          {PartitionBytes: 1},
		"RestartInterval must be": {Index: filterblock.IndexFormat{RestartInterval: -1}},
	} {
		o.WholeKeys = true
		if _, err := filterblock.NewWriter(p, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	for _, o := range []filterblock.Options{{}, {PartitionBytes: 4096, Store: noStore}} {
		if _, err := filterblock.NewWriter(p, o); err == nil || !strings.Contains(err.Error(), "neither WholeKeys nor Prefix") {
			t.Errorf("a filter of nothing: %v", err)
		}
	}
	noLoad := func(filterblock.Handle) ([]byte, error) { return nil, nil }
	_, noPolicy := filterblock.NewWriter(nil, filterblock.Options{})
	_, openNoPolicy := filterblock.Open(nil, nil, filterblock.ReadOptions{})
	_, openPartitionedNoPolicy := filterblock.OpenPartitioned(nil, nil, noLoad, filterblock.ReadOptions{})
	for _, err := range []error{noPolicy, openNoPolicy, openPartitionedNoPolicy} {
		if err == nil || err.Error() != "filterblock: the policy is nil" {
			t.Errorf("no policy: %v", err)
		}
	}
	for _, o := range []filterblock.ReadOptions{{}, {PrefixName: "nullptr"}, {Counters: new(filterblock.Counters), Cache: new(mapCache)}} {
		_, inOnePiece := filterblock.Open(p, nil, o)
		_, inPartitions := filterblock.OpenPartitioned(p, nil, noLoad, o)
		for _, err := range []error{inOnePiece, inPartitions} {
			if err == nil || !strings.Contains(err.Error(), "what the filter was made of") || errors.Is(err, simdbloom.ErrCorrupt) {
				t.Errorf("a filter of nothing: %v", err)
			}
		}
	}
	if _, err := filterblock.OpenPartitioned(p, nil, nil, filterblock.ReadOptions{WholeKeys: true}); err == nil || !strings.Contains(err.Error(), "load must not be nil") {
		t.Errorf("no load: %v", err)
	}
	mustPanic(t, "a builder's option", func() {
		_, _ = filterblock.NewWriter(p, filterblock.Options{WholeKeys: true, Builder: []simdbloom.Option{simdbloom.WithConcurrency(0)}})
	})
}

// TestTargets: after how many entries a partition ends.
func TestTargets(t *testing.T) {
	for _, c := range []struct {
		policy string
		o      filterblock.Options
		want   int
	}{
		{"bloomfilter:10", filterblock.Options{PartitionBytes: 4096}, 2918}, // 3687 bytes
		{"bloomfilter:10", filterblock.Options{PartitionBytes: 4551}, 3225}, // 4096
		{"bloomfilter:10", filterblock.Options{PartitionBytes: 1}, 51},      // 1, so 69
		{"bloomfilter:10", filterblock.Options{PartitionBytes: 147}, 102},   // 132.3, so 133: two lines
		{"bloomfilter:10", filterblock.Options{PartitionBytes: 360}, 204},   // 324, a byte less than five lines
		{"bloomfilter:10", filterblock.Options{PartitionBytes: 4096, Prefix: extractor(t, "noop")}, 2917},
		{"bloomfilter:10", filterblock.Options{PartitionBytes: 4096, Builder: []simdbloom.Option{simdbloom.WithSizeBytes(1<<20 + 5)}}, 3687}, // no size will do
		{"bloomfilter:0", filterblock.Options{PartitionBytes: 4096}, int(min(uint64(1<<32-1), uint64(maxInt)))},
		{"leveldb.BuiltinBloomFilter2:100", filterblock.Options{PartitionBytes: 15}, 1}, // 13.5, so 14 bytes
		{"leveldb.BuiltinBloomFilter2:100", filterblock.Options{PartitionBytes: 28}, 2}, // 25.2, so 26
		{"leveldb.BuiltinBloomFilter2:100", filterblock.Options{PartitionBytes: 28, Prefix: extractor(t, "noop")}, 1},
		{"ribbonfilter:10", filterblock.Options{PartitionBytes: 4096}, 4130},
		{"ribbonfilter:10", filterblock.Options{PartitionBytes: 4096, Builder: []simdbloom.Option{policy.WithLevel(-1)}}, 2918},
		{"simdbloom.Paired:16", filterblock.Options{PartitionBytes: 4096}, 1824}, // 3687 bytes, in FastLocal's blocks
	} {
		c.o.WholeKeys, c.o.Store = true, noStore
		if got := newWriter(t, parse(t, c.policy), c.o).Target(); got != c.want {
			t.Errorf("%s, %d bytes: %d entries, want %d", c.policy, c.o.PartitionBytes, got, c.want)
		}
	}
}

// TestOptionsOfPartitionsWithoutPartitions: the filter is the one that it is without them.
func TestOptionsOfPartitionsWithoutPartitions(t *testing.T) {
	p, keys := parse(t, "bloomfilter:10"), vectors.Keys("group", 0, 1000)
	want := write(t, p, contents{wholeKeys: true}, keys, 0, false).data
	w := newWriter(t, p, filterblock.Options{
		WholeKeys: true, CutByCaller: true,
		Store: func([]byte) (filterblock.Handle, error) { return filterblock.Handle{}, errors.New("Store was called") },
	})
	for i, key := range keys {
		w.Add(key)
		if i%100 == 0 {
			w.Cut(key)
		}
		if w.WantsCut() {
			t.Fatal("it wants a cut")
		}
	}
	if got := finish(t, w); !bytes.Equal(got, want) {
		t.Errorf("%d bytes, which are not the filter's %d", len(got), len(want))
	}
}

const maxInt = int(^uint(0) >> 1)

// TestNothingAdded: empty bytes, also where keys have no prefix, and where Paired's builder would
// make a filter.
func TestNothingAdded(t *testing.T) {
	for _, name := range policies {
		for _, size := range []int{0, 1000} {
			for _, keys := range [][][]byte{nil, {[]byte("ab"), []byte("ac")}} {
				b := write(t, parse(t, name), contents{false, extractor(t, "fixed:3")}, keys, size, false)
				if len(b.data) > 0 || len(b.handles()) > 0 {
					t.Errorf("%s: %d bytes, %d partitions", name, len(b.data), len(b.handles()))
				}
				if r := b.open(t); r.MayContain([]byte("abc")) || r.MayContainPrefix([]byte("abc")) || !r.MayContain([]byte("ab")) {
					t.Errorf("%s: a key is found, or one without a prefix is not", name)
				}
			}
		}
	}
}

// TestWriterIsUsedAgain after a block, after errors, and after Reset: its next blocks are those of a
// new one.
func TestWriterIsUsedAgain(t *testing.T) {
	p, keys := parse(t, "bloomfilter:10"), vectors.Keys("group", 0, 3000)
	broken := errors.New("the disk is full")
	for _, cuts := range []bool{false, true} {
		var f file
		fail := false
		w := newWriter(t, p, filterblock.Options{
			WholeKeys: true, Prefix: extractor(t, "fixed:6"), PartitionBytes: 500, CutByCaller: cuts,
			Store: func(partition []byte) (filterblock.Handle, error) {
				if fail && len(f.handles) == 2 {
					return filterblock.Handle{}, broken
				}
				return f.store(partition)
			},
		})
		add := func(keys [][]byte) {
			for i, key := range keys {
				if cuts && i > 0 && i%500 == 0 {
					w.Cut(keys[i-1])
				}
				w.Add(key)
			}
		}
		add(keys)
		want, stored := finish(t, w), len(f.handles)
		for name, before := range map[string]func(){
			"a block": func() {},
			"Reset":   func() { add(keys); w.Reset() },
			"Store's error": func() {
				f, fail = file{}, true
				add(keys)
				if block, err := w.Finish(); block != nil || !errors.Is(err, broken) || len(f.handles) != 2 {
					t.Errorf("%d bytes, %v, %d partitions", len(block), err, len(f.handles))
				}
				fail = false
			},
			"keys out of order": func() {
				add([][]byte{[]byte("b"), []byte("a"), []byte("c")})
				if block, err := w.Finish(); block != nil || err == nil || !strings.Contains(err.Error(), "not in order") {
					t.Errorf("%d bytes, %v", len(block), err)
				}
			},
		} {
			before()
			f = file{}
			add(keys)
			if block := finish(t, w); !bytes.Equal(block, want) || len(f.handles) != stored {
				t.Errorf("cuts %v, after %s: another block, %d partitions", cuts, name, len(f.handles))
			}
		}
	}
}

// TestBuildersErrors come from Finish.
func TestBuildersErrors(t *testing.T) {
	for _, size := range []int{0, 1000} {
		o := filterblock.Options{WholeKeys: true, PartitionBytes: size}
		if size > 0 {
			o.Store = noStore
		}
		w := newWriter(t, parse(t, "bloomfilter:10"), o)
		buildBy(t, w, func(_ *hashlog.Log, memory building.Memory) ([]byte, error) { return memory(1<<33, false) })
		w.Add([]byte("key"))
		if block, err := w.Finish(); block != nil || !errors.Is(err, simdbloom.ErrTooLarge) {
			t.Errorf("%d bytes, %v", len(block), err)
		}
		if block, err := w.Finish(); len(block) > 0 || err != nil {
			t.Errorf("after the error: %d bytes, %v", len(block), err)
		}
	}
}

// TestCuts: the index keys that the caller gives, and those that cannot be.
func TestCuts(t *testing.T) {
	for _, internal := range []bool{false, true} {
		index := func(key string) []byte {
			if internal {
				key += "sequence"
			}
			return []byte(key)
		}
		for want, steps := range map[string][]string{
			"":                   {"a", "b", "|bb", "c", "d", "|d"},
			"no end":             {"a", "b", "|bb", "c", "d"},
			"one key in two":     {"a", "b", "|b", "b", "b", "d", "|d"},
			"twice":              {"a", "b", "|b", "|bb", "c", "d", "|d"},
			"before the last":    {"a", "b", "|a", "c", "|c"},
			"behind":             {"a", "b", "|c", "c", "|c"},
			"at first":           {"|a", "a", "b", "|b"},
			"must not be before": {"a", "c", "|b"},
		} {
			var f file
			w := newWriter(t, parse(t, "bloomfilter:10"), filterblock.Options{
				WholeKeys: true, PartitionBytes: 1000, Store: f.store, CutByCaller: true, Index: filterblock.IndexFormat{InternalKeys: internal},
			})
			for _, step := range steps {
				if separator, ok := strings.CutPrefix(step, "|"); ok {
					w.Cut(index(separator))
				} else {
					w.Add([]byte(step))
				}
			}
			data, err := w.Finish()
			if fails := want == "before the last" || want == "behind" || want == "must not be before"; fails != (err != nil) {
				t.Errorf("%s: %v", want, err)
			} else if err == nil {
				r, err := filterblock.OpenPartitioned(parse(t, "bloomfilter:10"), data, f.load,
					filterblock.ReadOptions{WholeKeys: true, Index: filterblock.IndexFormat{InternalKeys: internal}})
				if err != nil {
					t.Fatal(err)
				}
				for _, step := range steps {
					if !strings.HasPrefix(step, "|") && !r.MayContain([]byte(step)) {
						t.Errorf("%s: %s is not found", want, step)
					}
				}
			}
		}
	}
	var f file
	w := newWriter(t, parse(t, "bloomfilter:10"), filterblock.Options{WholeKeys: true, PartitionBytes: 1000, Store: f.store})
	w.Add([]byte("a"))
	w.Cut([]byte("a"))
	if _, err := w.Finish(); err == nil || !strings.Contains(err.Error(), "CutByCaller") {
		t.Error(err)
	}
	w = newWriter(t, parse(t, "bloomfilter:10"), filterblock.Options{
		WholeKeys: true, PartitionBytes: 1000, Store: f.store, CutByCaller: true, Index: filterblock.IndexFormat{InternalKeys: true},
	})
	w.Add([]byte("a"))
	w.Cut([]byte("a"))
	if _, err := w.Finish(); err == nil || !strings.Contains(err.Error(), "8 bytes more") {
		t.Error(err)
	}
	if w.WantsCut() {
		t.Error("an empty partition wants to end")
	}
}

// TestWantsCut: from the key behind the last that fits, until the partition ends.
func TestWantsCut(t *testing.T) {
	w := newWriter(t, parse(t, "bloomfilter:10"), filterblock.Options{
		WholeKeys: true, PartitionBytes: 111, Store: new(file).store, CutByCaller: true,
	})
	for round := range 3 {
		for i := range w.Target() + 10 {
			w.Add(fmt.Appendf(nil, "%d%03d", round, i))
			if w.WantsCut() != (i >= w.Target()) {
				t.Fatalf("with key %d of %d: %v", i, w.Target(), w.WantsCut())
			}
		}
		w.Cut(fmt.Appendf(nil, "%dx", round))
	}
}
