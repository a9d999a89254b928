package filterblock_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/policy"
)

// TestOwnFilter writes and reads blocks of a filter of one's own, of keys and prefixes, in one piece and in partitions.
func TestOwnFilter(t *testing.T) {
	prefix, err := filterblock.ParseExtractor("fixed:4")
	if err != nil {
		t.Fatal(err)
	}
	key := func(i int) []byte { return fmt.Appendf(nil, "%04d/%d", i/10, i) }
	for _, partitionBytes := range []int{0, 1000} {
		var stored []byte
		o := filterblock.Options{
			WholeKeys: true, Prefix: prefix, PartitionBytes: partitionBytes, Builder: []simdbloom.Option{simdbloom.WithVerification()},
			Store: func(partition []byte) (filterblock.Handle, error) {
				if len(partition) > partitionBytes+8 {
					t.Errorf("a partition of %d bytes", len(partition))
				}
				h := filterblock.Handle{Offset: uint64(len(stored)), Size: uint64(len(partition))}
				stored = append(stored, partition...)
				return h, nil
			},
		}
		w, err := filterblock.NewWriter(fingerprints, o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 5000 {
			w.Add(key(2 * i))
		}
		block, err := w.Finish()
		if err != nil {
			t.Fatal(err)
		}
		var counters filterblock.Counters
		read := filterblock.ReadOptions{WholeKeys: true, Prefix: prefix, Counters: &counters}
		var r *filterblock.Reader
		if partitionBytes == 0 {
			r, err = filterblock.Open(fingerprints, block, read)
		} else {
			load := func(h filterblock.Handle) ([]byte, error) { return stored[h.Offset : h.Offset+h.Size], nil }
			r, err = filterblock.OpenPartitioned(fingerprints, block, load, read)
		}
		if err != nil {
			t.Fatal(err)
		}
		var keys, prefixes [][]byte
		for i := range 10_000 {
			keys, prefixes = append(keys, key(i)), append(prefixes, fmt.Appendf(nil, "%04d", i/5))
		}
		hits, of := make([]bool, len(keys)), make([]bool, len(prefixes))
		r.MayContainKeys(keys, hits)
		r.MayContainPrefixes(prefixes, of)
		positives := 0
		for i := range keys {
			if hits[i] != r.MayContain(keys[i]) || of[i] != r.MayContainPrefix(prefixes[i]) || i%2 == 0 && !hits[i] || i < 5000 && !of[i] {
				t.Fatalf("partitions of %d bytes, key %d: %v, %v", partitionBytes, i, hits[i], of[i])
			}
			if hits[i] {
				positives++
			}
		}
		if positives > 5010 || counters.Read().Queries() != 20_000 {
			t.Errorf("%d positives", positives)
		}
	}
}

// TestOwnFilterOfAnyBytes: no bytes are a filter without keys, in each way, and foreign bytes go to the filter's
// function.
func TestOwnFilterOfAnyBytes(t *testing.T) {
	for _, c := range []struct {
		block []byte
		want  bool
	}{{nil, false}, {[]byte{1, 2, 3}, true}, {make([]byte, 6), true}, {make([]byte, 8), false}} {
		r, err := filterblock.Open(fingerprints, c.block, filterblock.ReadOptions{WholeKeys: true})
		if err != nil {
			t.Fatal(err)
		}
		hits := make([]bool, 1)
		r.MayContainKeys([][]byte{[]byte("key")}, hits)
		if hits[0] != c.want || r.MayContain([]byte("key")) != c.want {
			t.Errorf("%v: %v", c.block, hits[0])
		}
	}
}

// TestOwnFilterFails: what Build cannot build is an error of Finish, and never a filter that lacks a key.
func TestOwnFilterFails(t *testing.T) {
	failure := errors.New("no filter today")
	for name, c := range map[string]struct {
		build func(hashes []uint64) ([]byte, error)
		want  error
	}{
		"fails":  {func([]uint64) ([]byte, error) { return nil, failure }, failure},
		"forget": {func(hashes []uint64) ([]byte, error) { clear(hashes); return []byte{0, 0, 0, 0}, nil }, simdbloom.ErrVerification},
		"empty":  {func([]uint64) ([]byte, error) { return nil, nil }, nil},
	} {
		own := policy.Own{
			SizeBytes: func(keys int) int { return keys }, Build: c.build,
			MayContain: func(data []byte, hash uint64) bool { return slices.Contains(data, byte(hash)) },
		}
		w, err := filterblock.NewWriter(policy.New("example."+name, own), filterblock.Options{
			WholeKeys: true, Builder: []simdbloom.Option{simdbloom.WithVerification()},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 300 {
			w.Add(fmt.Append(nil, i))
		}
		if block, err := w.Finish(); err == nil || block != nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %d bytes, %v", name, len(block), err)
		}
	}
}

// TestNothingStored: an index of no partitions answers "no" in every way, and counts it. Bytes that are no filter of
// the policy are an error. A cache that has an empty partition has none.
func TestNothingStored(t *testing.T) {
	p, keys, hits := parse(t, "bloomfilter:10"), [][]byte{[]byte("a"), []byte("b"), []byte("c")}, []bool{true, true, true}
	b := write(t, p, contents{wholeKeys: true}, keys, 1000, false)
	all := b.open(t)
	few := make([]bool, len(keys))
	mustPanic(t, "too few hits", func() { all.MayContainKeys(keys, few[:2]) })
	if slices.Contains(few, true) {
		t.Error("hits were written before the panic")
	}
	if _, err := filterblock.OpenPartitioned(p, []byte{1, 2, 3}, b.file.load, b.o); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Error(err)
	}
	for _, unordered := range []bool{false, true} {
		var counters filterblock.Counters
		load := func(filterblock.Handle) ([]byte, error) { return nil, errors.New("no partition is stored") }
		r, err := filterblock.OpenPartitioned(p, nil, load, filterblock.ReadOptions{WholeKeys: true, Unordered: unordered, Counters: &counters})
		if err != nil {
			t.Fatal(err)
		}
		all.MayContainKeys(keys, hits) // in the memory that is used again
		if r.MayContainKeys(keys, hits); slices.Contains(hits, true) || r.MayContain(keys[0]) || counters.Read() != (filterblock.Counts{Useful: 4}) {
			t.Errorf("unordered %v: %v, %+v", unordered, hits, counters.Read())
		}
	}
	linear := parse(t, "simdbloom.Linear:10")
	if r, err := filterblock.Open(linear, make([]byte, 3), filterblock.ReadOptions{WholeKeys: true}); r != nil || !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Error(r, err)
	}
	b.o.Cache = emptyCache{}
	if r := b.open(t); !r.MayContain(keys[0]) || r.MayContain([]byte("absent")) {
		t.Error("an empty partition of a cache is looked into")
	}
}

// emptyCache returns partitions of no bytes.
type emptyCache struct{}

func (emptyCache) Get(filterblock.Handle) ([]byte, bool) { return nil, true }
func (emptyCache) Put(filterblock.Handle, []byte)        {}
