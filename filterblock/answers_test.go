package filterblock_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestLookupsThatCannotBeAnswered are "may contain", and are not counted.
func TestLookupsThatCannotBeAnswered(t *testing.T) {
	p, keys := parse(t, "bloomfilter:10"), vectors.Keys("group", 0, 1000)
	fixed := extractor(t, "fixed:6")
	for _, size := range []int{0, 200} {
		both := write(t, p, contents{true, fixed}, keys, size, false)
		prefixes := write(t, p, contents{false, fixed}, keys, size, false)
		for what, c := range map[string]struct {
			block                  block
			o                      filterblock.ReadOptions
			points, seeks, answers bool
		}{
			"both":                   {both, filterblock.ReadOptions{WholeKeys: true, Prefix: fixed}, true, true, true},
			"both, named":            {both, filterblock.ReadOptions{WholeKeys: true, Prefix: fixed, PrefixName: "rocksdb.FixedPrefix.6"}, true, true, true},
			"both, by option":        {both, filterblock.ReadOptions{WholeKeys: true, Prefix: fixed, PrefixName: "fixed:6"}, true, true, true},
			"keys":                   {both, filterblock.ReadOptions{WholeKeys: true}, true, false, true},
			"keys, others prefixes":  {both, filterblock.ReadOptions{WholeKeys: true, Prefix: fixed, PrefixName: "rocksdb.FixedPrefix.5"}, true, false, true},
			"prefixes":               {prefixes, filterblock.ReadOptions{Prefix: fixed}, true, true, true},
			"others prefixes":        {prefixes, filterblock.ReadOptions{Prefix: fixed, PrefixName: "rocksdb.FixedPrefix"}, false, false, true},
			"no prefixes":            {prefixes, filterblock.ReadOptions{Prefix: fixed, PrefixName: "nullptr"}, false, false, true},
			"own, of another name":   {prefixes, filterblock.ReadOptions{Prefix: untilDash, PrefixName: "mine"}, false, false, true},
			"no extractor":           {prefixes, filterblock.ReadOptions{PrefixName: "rocksdb.FixedPrefix.6"}, false, false, true},
			"keys in another order":  {both, filterblock.ReadOptions{WholeKeys: true, Prefix: fixed, Compare: bytes.Compare}, true, size == 0, true},
			"order, prefixes only":   {prefixes, filterblock.ReadOptions{Prefix: fixed, Compare: bytes.Compare}, true, size == 0, true},
			"named as RocksDB's, {}": {prefixes, filterblock.ReadOptions{Prefix: fixed, PrefixName: "{id=rocksdb.FixedPrefix.6;}"}, true, true, true},
		} {
			var counters filterblock.Counters
			c.block.o = c.o
			c.block.o.Counters = &counters
			r := c.block.open(t)
			absent := []byte("g12345.absent")
			if r.MayContain(absent) == c.points || r.MayContainPrefix(absent[:6]) == c.seeks || r.MayContainSeek(absent) == c.seeks {
				t.Errorf("%s, %d bytes: a point lookup is %v, a prefix %v, a seek %v", what, size,
					r.MayContain(absent), r.MayContainPrefix(absent[:6]), r.MayContainSeek(absent))
			}
			checkCounts(t, what, r, &counters, c.o.WholeKeys, c.points, c.seeks, absent)
		}
	}
}

// checkCounts: every answer is counted once, by itself and in batches.
func checkCounts(t *testing.T, what string, r *filterblock.Reader, counters *filterblock.Counters, wholeKeys, points, seeks bool, absent []byte) {
	t.Helper()
	before := counters.Read()
	var want filterblock.Counts
	count := func(queries int, answered, point bool) {
		switch {
		case !answered:
		case !point:
			want.SeekFiltered += uint64(queries)
		case wholeKeys:
			want.Useful += uint64(queries)
		default:
			want.PrefixChecked += uint64(queries)
			want.PrefixUseful += uint64(queries)
		}
	}
	r.MayContain(absent)
	count(1, points, true)
	r.MayContainPrefix(absent[:6])
	r.MayContainSeek(absent)
	count(2, seeks, false)
	hits := make([]bool, 3)
	r.MayContainKeys([][]byte{absent, absent, absent}, hits)
	count(3, points, true)
	r.MayContainPrefixes([][]byte{absent[:6], absent[:6]}, hits)
	count(2, seeks, false)
	if got := counters.Read().Sub(before); got != want {
		t.Errorf("%s: counted %+v, want %+v", what, got, want)
	}
}

// TestPresentKeysAreCounted as positives.
func TestPresentKeysAreCounted(t *testing.T) {
	keys := vectors.Keys("group", 0, 1000)
	for _, size := range []int{0, 200} {
		var counters filterblock.Counters
		b := write(t, parse(t, "bloomfilter:10"), contents{true, extractor(t, "fixed:6")}, keys, size, false)
		b.o.Counters = &counters
		r := b.open(t)
		r.MayContain(keys[0])
		r.MayContainSeek(keys[0])
		r.MayContainKeys(keys, make([]bool, len(keys)))
		r.MayContainPrefixes([][]byte{keys[0][:6]}, make([]bool, 1))
		if got := counters.Read(); got != (filterblock.Counts{Positives: 1001, SeekMatches: 2}) {
			t.Errorf("counted %+v", got)
		}
	}
}

// TestPrefixesOfAnotherLength: an extractor of a fixed length gives no others, and the filter
// cannot answer.
func TestPrefixesOfAnotherLength(t *testing.T) {
	keys, queries := vectors.Keys("group", 0, 1000), []string{"", "x", "x1", "x12345", "x1234567"}
	for text, answered := range map[string][]string{"fixed:6": {"x12345"}, "capped:6": queries[:4], "noop": queries} {
		r := write(t, parse(t, "bloomfilter:10"), contents{false, extractor(t, text)}, keys, 200, false).open(t)
		for _, prefix := range queries {
			if r.MayContainPrefix([]byte(prefix)) == slices.Contains(answered, prefix) {
				t.Errorf("%s: %q is found, or not answered with \"may contain\"", text, prefix)
			}
		}
	}
}

// TestLookupsReadOnePartition each, and batches each partition once.
func TestLookupsReadOnePartition(t *testing.T) {
	keys := vectors.Keys("group", 0, 10_000)
	b := write(t, parse(t, "bloomfilter:10"), contents{true, extractor(t, "fixed:6")}, keys, 300, false)
	r := b.open(t)
	reads := func(f func()) int {
		b.file.reads = nil
		f()
		return len(b.file.reads)
	}
	for i, key := range keys {
		absent := fmt.Appendf(nil, "%s-%d", key, i)
		for what, f := range map[string]func(){
			"key": func() { r.MayContain(key) }, "absent": func() { r.MayContain(absent) },
			"prefix": func() { r.MayContainPrefix(key[:6]) }, "seek": func() { r.MayContainSeek(absent) },
		} {
			if n := reads(f); n != 1 {
				t.Fatalf("%s %q: %d partitions were read", what, key, n)
			}
		}
	}
	hits := make([]bool, len(keys))
	shuffled := slices.Concat(keys[5000:], keys[:5000])
	for what, f := range map[string]func(){
		"in order": func() { r.MayContainKeys(keys, hits) }, "in another order": func() { r.MayContainKeys(shuffled, hits) },
	} {
		if n := reads(f); n != len(b.handles()) || n < 50 {
			t.Errorf("%s: %d reads of %d partitions", what, n, len(b.handles()))
		}
	}
	if n := reads(func() { r.MayContainKeys(keys[:10], hits) }); n != 1 {
		t.Errorf("%d reads for keys of one partition", n)
	}
}

// TestPartitionsThatCannotBeRead: the answer is "may contain", which is not counted, and the error is
// reported.
func TestPartitionsThatCannotBeRead(t *testing.T) {
	keys := vectors.Keys("group", 0, 1000)
	b := write(t, parse(t, "bloomfilter:10"), contents{true, nil}, keys, 300, false)
	broken := errors.New("the disk is gone")
	for what, c := range map[string]struct {
		load func(filterblock.Handle) ([]byte, error)
		want error
	}{
		"an error":      {func(filterblock.Handle) ([]byte, error) { return nil, broken }, broken},
		"error, bytes":  {func(filterblock.Handle) ([]byte, error) { return []byte{1}, broken }, broken},
		"no bytes":      {func(filterblock.Handle) ([]byte, error) { return nil, nil }, simdbloom.ErrCorrupt},
		"a short block": {func(filterblock.Handle) ([]byte, error) { return make([]byte, 3), nil }, nil},
	} {
		var counters filterblock.Counters
		var failed []error
		r, err := filterblock.OpenPartitioned(b.p, b.data, c.load, filterblock.ReadOptions{
			WholeKeys: true, Counters: &counters,
			OnError: func(h filterblock.Handle, err error) {
				if h != b.handles()[0] && h != b.handles()[1] {
					t.Errorf("%s: of %v", what, h)
				}
				failed = append(failed, err)
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		hits := make([]bool, 4)
		r.MayContainKeys([][]byte{[]byte("a"), keys[0], keys[1], keys[400]}, hits)
		if !r.MayContain([]byte("a")) || slices.Contains(hits, false) {
			t.Errorf("%s: a key is not found", what)
		}
		if c.want == nil {
			continue
		}
		if counted := counters.Read(); len(failed) != 3 || !errors.Is(failed[0], c.want) || counted != (filterblock.Counts{}) {
			t.Errorf("%s: %v, counted %+v", what, failed, counted)
		}
	}
	if _, err := filterblock.OpenPartitioned(b.p, b.data, nil, b.o); err == nil {
		t.Error("no error without load")
	}
	r, err := filterblock.OpenPartitioned(b.p, b.data, func(filterblock.Handle) ([]byte, error) { return nil, broken }, b.o)
	if err != nil || !r.MayContain([]byte("a")) {
		t.Error("without OnError", err)
	}
}

// mapCache keeps everything.
type mapCache struct {
	m    sync.Map
	puts int
}

func (c *mapCache) Get(h filterblock.Handle) ([]byte, bool) {
	partition, ok := c.m.Load(h)
	if !ok {
		return nil, false
	}
	return partition.([]byte), true
}

func (c *mapCache) Put(h filterblock.Handle, partition []byte) {
	c.puts++
	c.m.Store(h, partition)
}

// TestCache: what it keeps is not loaded again.
func TestCache(t *testing.T) {
	keys := vectors.Keys("group", 0, 1000)
	b := write(t, parse(t, "bloomfilter:10"), contents{true, nil}, keys, 300, false)
	cache := new(mapCache)
	b.o.Cache = cache
	r := b.open(t)
	for range 2 {
		for _, key := range keys {
			if !r.MayContain(key) {
				t.Fatalf("%q is not found", key)
			}
		}
		r.MayContainKeys(keys, make([]bool, len(keys)))
	}
	if n := len(b.handles()); len(b.file.reads) != n || cache.puts != n {
		t.Errorf("%d reads and %d puts of %d partitions", len(b.file.reads), cache.puts, n)
	}
}

// TestDescendingKeys: point lookups find every key, and prefixes are never "no".
func TestDescendingKeys(t *testing.T) {
	descending := func(a, b []byte) int { return bytes.Compare(b, a) }
	keys := sortedKeys(1000)
	slices.SortFunc(keys, descending)
	for _, wholeKeys := range []bool{false, true} {
		fixed := extractor(t, "fixed:3")
		var f file
		w := newWriter(t, parse(t, "bloomfilter:10"), filterblock.Options{
			WholeKeys: wholeKeys, Prefix: fixed, PartitionBytes: 200, Store: f.store, Compare: descending,
		})
		for _, key := range keys {
			w.Add(key)
		}
		index := finish(t, w)
		o := filterblock.ReadOptions{WholeKeys: wholeKeys, Prefix: fixed, Compare: descending}
		r, err := filterblock.OpenPartitioned(parse(t, "bloomfilter:10"), index, f.load, o)
		if err != nil {
			t.Fatal(err)
		}
		hits := make([]bool, len(keys))
		r.MayContainKeys(keys, hits)
		for i, key := range keys {
			prefix, _ := fixed.Prefix(key)
			if !r.MayContain(key) || !hits[i] || !r.MayContainSeek(key) || !r.MayContainPrefix(prefix) {
				t.Fatalf("%q or its prefix is not found", key)
			}
		}
		if r.MayContain([]byte("zzzz")) {
			t.Error("an absent key is found")
		}
		o.Compare = nil
		if _, err := filterblock.OpenPartitioned(parse(t, "bloomfilter:10"), index, f.load, o); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("in the order of bytes: %v", err)
		}
	}
}

// TestShortHits panics before anything is written.
func TestShortHits(t *testing.T) {
	b := write(t, parse(t, "bloomfilter:10"), contents{true, nil}, nil, 0, false)
	hits := []bool{true}
	mustPanic(t, "one hit for two keys", func() { b.open(t).MayContainKeys(make([][]byte, 2), hits) })
	if !hits[0] {
		t.Error("it was written")
	}
}

// TestManyGoroutines share a Reader.
func TestManyGoroutines(t *testing.T) {
	keys := vectors.Keys("group", 0, 3000)
	b := write(t, parse(t, "bloomfilter:10"), contents{true, extractor(t, "fixed:6")}, keys, 300, false)
	partitions := b.file.partitions
	b.o.Counters = new(filterblock.Counters)
	r, err := filterblock.OpenPartitioned(b.p, b.data, func(h filterblock.Handle) ([]byte, error) { return partitions[h], nil }, b.o)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for g := range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			hits := make([]bool, len(keys))
			r.MayContainKeys(keys[g:], hits)
			for i, key := range keys[g:] {
				if !hits[i] || !r.MayContain(key) || !r.MayContainSeek(key) {
					t.Errorf("%q is not found", key)
				}
			}
		}()
	}
	group.Wait()
}

// TestLookupsAllocateNothing.
func TestLookupsAllocateNothing(t *testing.T) {
	keys := vectors.Keys("group", 0, 3000)
	for _, name := range policies {
		for _, size := range []int{0, 300} {
			b := write(t, parse(t, name), contents{true, extractor(t, "fixed:6")}, keys, size, false)
			if b.file != nil {
				var all []byte
				at := make(map[filterblock.Handle]int)
				for h, partition := range b.file.partitions {
					at[h] = len(all)
					all = append(all, partition...)
				}
				b.o.Cache = inMemory{all, at}
			}
			b.o.Counters = new(filterblock.Counters)
			r, i := b.open(t), 0
			if n := testing.AllocsPerRun(100, func() {
				r.MayContain(keys[i])
				r.MayContainPrefix(keys[i][:6])
				r.MayContainSeek(keys[i])
				i += 7
			}); n != 0 {
				t.Errorf("%s, %d bytes: %v allocations", name, size, n)
			}
		}
	}
}

// inMemory has all partitions in one piece of memory.
type inMemory struct {
	all []byte
	at  map[filterblock.Handle]int
}

func (m inMemory) Get(h filterblock.Handle) ([]byte, bool) {
	at, ok := m.at[h]
	return m.all[at : at+int(h.Size)], ok
}

func (m inMemory) Put(filterblock.Handle, []byte) {}
