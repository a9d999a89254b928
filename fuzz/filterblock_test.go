package fuzz

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
)

// blockPolicies has policies of every kind of reader.
var blockPolicies = []string{"bloomfilter:10", "simdbloom.Paired:16", "simdbloom.Linear:12", "leveldb.BuiltinBloomFilter2:10", "ribbonfilter:10"}

var blockExtractors = []string{"nullptr", "fixed:3", "capped:5", "noop"}

func parsed(t *testing.T, name string) *policy.Policy {
	t.Helper()
	p, err := policy.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func extractorOf(t *testing.T, settings byte) *filterblock.Extractor {
	t.Helper()
	e, err := filterblock.ParseExtractor(blockExtractors[settings%4])
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// FuzzFilterBlock has any bytes as the index of partitions, and as every partition.
func FuzzFilterBlock(f *testing.F) {
	indexes := [][]byte{nil, {1, 2, 3}, append(bytes.Repeat([]byte{0xff}, 20), 0, 0, 0, 0, 1, 0, 0, 0), {0, 0, 0, 0, 0, 0, 0, 0}, []byte("\x00\x01a\x05\x05\x01\x01b\x02\x00\x00\x00\x00\x01\x00\x00\x00")}
	for i, v := range append(vectors.PartitionedFilters(), vectors.TableFilters78()...) {
		if i%20 == 0 && len(v.Index) > 0 && len(v.Index) < 300 {
			indexes = append(indexes, v.Index)
		}
	}
	for i, index := range indexes {
		for j := range byte(4) { // with full handles or not, with keys of either kind
			f.Add(8*j+byte(i)%8, index, bytes.Repeat([]byte{byte(17 * i)}, 69), []byte("user:00000042"))
			f.Add(37*byte(i)+64*j, index, []byte("none"[4*(j&1):]), []byte("a\nuser:\n00"))
		}
	}
	f.Fuzz(func(t *testing.T, settings byte, index, partition, queried []byte) {
		p := parsed(t, blockPolicies[int(settings>>4)%len(blockPolicies)])
		o := filterblock.ReadOptions{
			WholeKeys: settings&4 != 0, Prefix: extractorOf(t, settings),
			Index: filterblock.IndexFormat{FullHandles: settings&8 != 0, InternalKeys: settings&16 != 0},
		}
		o.WholeKeys = o.WholeKeys || o.Prefix == nil
		checkIndex(t, index, o.Index)
		readers := make([]*filterblock.Reader, 2)
		var err error
		if readers[0], err = filterblock.Open(p, partition, o); err != nil && !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Fatal(err)
		}
		load := func(h filterblock.Handle) ([]byte, error) {
			if h.Offset%3 == 1 {
				return nil, errors.New("not in the file")
			}
			return partition, nil
		}
		if readers[1], err = filterblock.OpenPartitioned(p, index, load, o); err != nil && !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Fatal(err)
		}
		var keys [][]byte
		for i := range min(len(queried), 40) {
			keys = append(keys, queried[i/2:len(queried)-i/3], queried[:i])
		}
		for i, r := range readers {
			if r != nil {
				checkBlockQueries(t, r, p, partition, o, i == 1 && len(index) == 0, keys)
			}
		}
	})
}

// checkIndex: an index that is read is written so that it is read again.
func checkIndex(t *testing.T, index []byte, format filterblock.IndexFormat) {
	x, err := filterblock.ReadIndex(index, format)
	if err != nil {
		if !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Fatal(err)
		}
		return
	}
	format.RestartInterval = 3
	w := filterblock.NewIndexWriter(format)
	for i := range x.Len() {
		key := slices.Clone(x.Key(i))
		if format.InternalKeys {
			key = append(key, "sequence"...)
		}
		w.Add(key, x.Handle(i))
	}
	again, err := filterblock.ReadIndex(w.Finish(), format)
	if err != nil || again.Len() != x.Len() {
		t.Fatalf("%v, %d partitions of %d", err, again.Len(), x.Len())
	}
	for i := range x.Len() {
		if !bytes.Equal(again.Key(i), x.Key(i)) || again.Handle(i) != x.Handle(i) {
			t.Fatalf("partition %d is %q at %v, and again %q at %v", i, x.Key(i), x.Handle(i), again.Key(i), again.Handle(i))
		}
	}
}

// checkBlockQueries: "no" only if the bytes say so, or if there are none, and the same in batches.
func checkBlockQueries(t *testing.T, r *filterblock.Reader, p *policy.Policy, partition []byte, o filterblock.ReadOptions, empty bool, keys [][]byte) {
	hits, prefixHits := make([]bool, len(keys)), make([]bool, len(keys))
	r.MayContainKeys(keys, hits)
	r.MayContainPrefixes(keys, prefixHits)
	for i, key := range keys {
		entry, ok := key, true
		if !o.WholeKeys {
			entry, ok = o.Prefix.Prefix(key)
		}
		may := r.MayContain(key)
		if may != hits[i] || r.MayContainPrefix(key) != prefixHits[i] {
			t.Fatalf("%q, or it as a prefix: another answer in a batch", key)
		}
		if !may && (!ok || !empty && p.MayContain(partition, entry)) {
			t.Fatalf("%q: no, and the filter says yes", key)
		}
		r.MayContainSeek(key)
	}
}

// FuzzBuildFilterBlock has any keys, in order, in filters of any kind.
func FuzzBuildFilterBlock(f *testing.F) {
	for i := range 256 {
		extractor, size := byte(i%4|i<<4), []uint16{100, 64, 0, 500}[i/4%4]
		f.Add(byte(37*i/2), extractor, size, []byte("a\nab\nabc\nabcd\nabd\nb\nuser:1\nuser:2\nuser:22\nvalue"))
	}
	f.Fuzz(func(t *testing.T, settings, extractor byte, size uint16, text []byte) {
		keys := bytes.Split(text, []byte("\n"))
		slices.SortFunc(keys, bytes.Compare)
		p := parsed(t, blockPolicies[int(settings>>5)%len(blockPolicies)])
		stored := make(map[filterblock.Handle][]byte)
		load := func(h filterblock.Handle) ([]byte, error) {
			partition, ok := stored[h]
			if !ok {
				return nil, fmt.Errorf("nothing was stored at %v", h)
			}
			return partition, nil
		}
		o := filterblock.Options{
			WholeKeys: settings&1 != 0, Prefix: extractorOf(t, extractor),
			Index: filterblock.IndexFormat{FullHandles: settings&4 != 0, InternalKeys: settings&8 != 0, RestartInterval: int(extractor >> 4)},
		}
		if size > 0 {
			o.PartitionBytes, o.CutByCaller = int(size), settings&16 != 0
			o.Store = func(partition []byte) (filterblock.Handle, error) {
				h := filterblock.Handle{Offset: uint64(len(stored)) * 1000, Size: uint64(len(partition))}
				stored[h] = partition
				return h, nil
			}
		}
		o.WholeKeys = o.WholeKeys || o.Prefix == nil
		w, err := filterblock.NewWriter(p, o)
		if err != nil {
			t.Fatal(err)
		}
		for i, key := range keys {
			w.Add(key)
			if o.CutByCaller && (i%7 == 0 || w.WantsCut()) {
				end := slices.Clone(key)
				if o.Index.InternalKeys {
					end = append(end, "sequence"...)
				}
				w.Cut(end)
			}
		}
		block, err := w.Finish()
		if err != nil {
			t.Fatal(err)
		}
		read := filterblock.ReadOptions{WholeKeys: o.WholeKeys, Prefix: o.Prefix, Index: o.Index}
		r, err := filterblock.Open(p, block, read)
		if size > 0 {
			r, err = filterblock.OpenPartitioned(p, block, load, read)
		}
		if err != nil {
			t.Fatal(err)
		}
		hits := make([]bool, len(keys))
		r.MayContainKeys(keys, hits)
		for i, key := range keys {
			prefix, ok := o.Prefix.Prefix(key)
			if !r.MayContain(key) || !hits[i] || !r.MayContainSeek(key) || ok && !r.MayContainPrefix(prefix) {
				t.Fatalf("%q or its prefix was added and is missing", key)
			}
		}
		for _, queried := range keys {
			for _, key := range keys {
				prefix, ok := o.Prefix.Prefix(key)
				if wanted, also := o.Prefix.Prefix(queried); ok && also && bytes.Equal(prefix, wanted) && bytes.Compare(queried, key) <= 0 && !r.MayContainSeek(queried) {
					t.Fatalf("a seek of %q does not find %q", queried, key)
				}
			}
		}
	})
}
