package filterblock_test

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
)

// byLast is an order of keys by their last bytes.
func byLast(a, b []byte) int {
	reversed := func(key []byte) []byte {
		key = bytes.Clone(key)
		slices.Reverse(key)
		return key
	}
	return cmp.Or(bytes.Compare(reversed(a), reversed(b)), bytes.Compare(a, b))
}

// TestUnordered: keys, prefixes and seeks are found in partitions of an order that the reader does not know, and
// absent ones are not.
func TestUnordered(t *testing.T) {
	keys := sortedKeys(1000)
	slices.SortFunc(keys, byLast)
	absent := [][]byte{[]byte("zzzz"), []byte("!absent"), []byte("absent 2")}
	for _, name := range policies[:len(policies)-1] {
		for _, c := range everyContents(t) {
			var f file
			w := newWriter(t, parse(t, name), filterblock.Options{
				WholeKeys: c.wholeKeys, Prefix: c.prefix, PartitionBytes: 600, Store: f.store, Compare: byLast,
			})
			for _, key := range keys {
				w.Add(key)
			}
			index := finish(t, w)
			var counters filterblock.Counters
			o := filterblock.ReadOptions{WholeKeys: c.wholeKeys, Prefix: c.prefix, Unordered: true, Counters: &counters}
			r, err := filterblock.OpenPartitioned(parse(t, name), index, f.load, o)
			if err != nil {
				t.Fatal(err)
			}
			all := slices.Concat(absent, keys)
			hits := make([]bool, len(all))
			r.MayContainKeys(all, hits)
			answered := 0
			for i, key := range all {
				_, ok := c.entry(key)
				if ok {
					answered++
				}
				if may := r.MayContain(key); may != hits[i] || i >= len(absent) && !may {
					t.Fatalf("%s, %v: %q: %v, but %v in a batch", name, c, key, may, hits[i])
				}
				if prefix, ok := c.prefix.Prefix(key); ok && i >= len(absent) && (!r.MayContainSeek(key) || !r.MayContainPrefix(prefix)) {
					t.Fatalf("%s, %v: the prefix of %q is lost", name, c, key)
				}
			}
			if got := counters.Read(); got.Queries()+got.SeekFiltered+got.SeekMatches < uint64(2*answered) {
				t.Errorf("%s, %v: %d lookups, counted %+v", name, c, 2*answered, got)
			}
			if c.wholeKeys && !slices.Contains(hits[:len(absent)], false) {
				t.Errorf("%s, %v: all absent keys are found", name, c)
			}
		}
	}
}

// TestUnorderedPartitionsThatCannotBeRead: what the others do not have may be in the one that cannot be read.
func TestUnorderedPartitionsThatCannotBeRead(t *testing.T) {
	keys := sortedKeys(1000)
	p := parse(t, "bloomfilter:10")
	b := write(t, p, contents{true, nil}, keys, 300, false)
	broken := errors.New("the disk is gone")
	var counters filterblock.Counters
	failures := 0
	r, err := filterblock.OpenPartitioned(p, b.data, func(h filterblock.Handle) ([]byte, error) {
		if h == b.handles()[2] {
			return nil, broken
		}
		return b.file.load(h)
	}, filterblock.ReadOptions{WholeKeys: true, Unordered: true, Counters: &counters, OnError: func(filterblock.Handle, error) { failures++ }})
	if err != nil {
		t.Fatal(err)
	}
	queries := append(slices.Clone(keys), []byte("absent"))
	hits := make([]bool, len(queries))
	r.MayContainKeys(queries, hits)
	counted := counters.Read()
	if slices.Contains(hits, false) || failures != 1 {
		t.Errorf("%v, %d failures", hits, failures)
	}
	if counted.Positives == 0 || counted.Positives > uint64(len(keys)/2) || counted.Useful != 0 {
		t.Errorf("counted %+v, but most keys are behind the partition that cannot be read", counted)
	}
	if !r.MayContain([]byte("absent")) || failures != 2 || counters.Read() != counted {
		t.Errorf("alone: %d failures, %+v", failures, counters.Read())
	}
}

// TestTimestamps: index keys are without them, and a key that is too short for one is an error.
func TestTimestamps(t *testing.T) {
	for _, internal := range []bool{false, true} {
		suffix, format := "12345678", filterblock.IndexFormat{InternalKeys: internal, TimestampBytes: 8}
		if internal {
			suffix += "sequence"
		}
		w := filterblock.NewIndexWriter(format)
		w.Add([]byte("a"+suffix), filterblock.Handle{Size: 10})
		w.Add([]byte("b"+suffix), filterblock.Handle{Offset: 15, Size: 10})
		x, err := filterblock.ReadIndex(w.Finish(), format)
		if err != nil || string(x.Key(0)) != "a" || string(x.Key(1)) != "b" {
			t.Errorf("internal keys %v: %v, %v", internal, x, err)
		}
		w.Add([]byte(suffix[1:]), filterblock.Handle{Size: 10})
		if _, err := filterblock.ReadIndex(w.Finish(), format); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("internal keys %v, too short: %v", internal, err)
		}
	}
}
