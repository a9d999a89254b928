package fuzz

import (
	"bytes"
	"errors"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
)

var queries = []byte("\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff some hashes of 8 bytes each")

func addBytes(f *testing.F, add func(data []byte)) {
	for _, v := range append(vectors.FastLocalReader(), vectors.Paired32Reader()...) {
		if v.BodyFill == 123 {
			add(v.Data())
		}
	}
	for _, v := range vectors.Paired32Keys()[:2] {
		add(v.Bytes)
	}
	for _, n := range []int{0, 1, 4, 5, 6, 63, 64, 68, 69} {
		add(bytes.Repeat([]byte{1}, n))
	}
	add(naive.Paired(vectors.Hashes(1, 900), 10_000, 8, 128, false))
	for _, v := range vectors.RibbonRaw() {
		if v.Kind == "ribbon" && v.Bytes != nil {
			add(v.Bytes)
		}
	}
	for _, v := range vectors.LinearFilters() {
		if v.Bytes != nil {
			add(v.Bytes)
		}
	}
}

// opened is a filter of one of the packages, with the functions that a test calls besides.
type opened struct {
	contract.Filter
	copyAligned contract.Filter
	mayContain  func(data []byte, hash uint64) bool
	want        func(hash uint64) bool // the naive filter's answer
	verify      func() error
}

func FuzzOpenBloom(f *testing.F) {
	addBytes(f, func(data []byte) { f.Add(data, queries) })
	f.Fuzz(func(t *testing.T, data, queried []byte) {
		checkOpened(t, data, queried, func(data []byte) (opened, error) {
			filter, err := bloom.Open(data, keyhash.XXPH3)
			o := opened{mayContain: bloom.MayContainHash}
			if err != nil {
				return o, err
			}
			o.Filter, o.copyAligned = filter, filter.CopyAligned()
			o.verify = func() error { return nil }
			o.want = func(hash uint64) bool {
				if filter.Kind() == bloom.FastLocal {
					return naive.FastLocalContains(data[:(len(data)-5)/64*64], filter.NumProbes(), hash)
				}
				return filter.Kind() != bloom.Empty
			}
			return o, nil
		})
	})
}

func FuzzOpenPaired(f *testing.F) {
	addBytes(f, func(data []byte) { f.Add(data, queries) })
	f.Fuzz(func(t *testing.T, data, queried []byte) {
		checkOpened(t, data, queried, func(data []byte) (opened, error) {
			filter, err := paired.Open(data, keyhash.XXPH3)
			o := opened{mayContain: paired.MayContainHash}
			if err != nil {
				return o, err
			}
			o.Filter, o.copyAligned = filter, filter.CopyAligned()
			o.verify = filter.Verify
			o.want = func(hash uint64) bool {
				if filter.Kind() == paired.Paired {
					return naive.PairedContains(data[:len(data)-4], filter.BatchBlocks(), filter.NumProbes(), hash)
				}
				return filter.Kind() != paired.Empty
			}
			return o, nil
		})
	})
}

// checkOpened opens data, in place and beside unreadable memory, and runs every query.
func checkOpened(t *testing.T, data, queried []byte, open func([]byte) (opened, error)) {
	hashes := hashesIn(queried)
	o, err := open(data)
	if err != nil {
		if !errors.Is(err, bloom.ErrCorrupt) {
			t.Fatal(err)
		}
		for _, hash := range hashes {
			if !o.mayContain(data, hash) {
				t.Fatal("corrupt bytes, and no")
			}
		}
		return
	}
	checkQueries(t, o, hashes, o.want)
	checkQueries(t, o.copyAligned, hashes, o.want)
	checkKeys(t, o, queried, keyhash.XXPH3.Sum64(queried))
	for _, hash := range hashes {
		if o.mayContain(data, hash) != o.want(hash) {
			t.Fatalf("MayContainHash(%#x) differs", hash)
		}
	}
	if err := o.verify(); err != nil && !errors.Is(err, paired.ErrCorrupt) {
		t.Fatal(err)
	}
	testmem.BesideGuards(t, data, func(data []byte) {
		beside, err := open(data)
		if err != nil {
			t.Fatal(err)
		}
		checkQueries(t, beside, hashes, o.want)
		if (beside.verify() == nil) != (o.verify() == nil) {
			t.Fatal("Verify differs at another place")
		}
	})
}

func FuzzPolicy(f *testing.F) {
	for _, name := range []string{
		"simdbloom.Bloom:10", "simdbloom.Paired:23.4", "simdbloom.Linear:20", "rocksdb.BloomFilter:9.5:false", "bloomfilter:.2",
		"rocksdb.internal.FastLocalBloomFilter:100", "speedb.PairedBloomFilter:16", "speedb_paired_bloom_filter:-3", "bloomfilter",
		"ribbonfilter:10", "rocksdb.RibbonFilter:23.4:-2", "rocksdb.internal.LegacyBloomFilter:10",
	} {
		addBytes(f, func(data []byte) { f.Add(name, data, []byte("user:00000042")) })
	}
	f.Fuzz(func(t *testing.T, name string, data, key []byte) {
		p, err := policy.Parse(name)
		if err != nil {
			return
		}
		if again, err := policy.Parse(p.String()); err != nil || again.Name() != p.Name() || again.String() != name {
			t.Fatalf("%q reads back as %v, %v", name, again, err)
		}
		filter, err := p.Open(data)
		switch {
		case err != nil && !errors.Is(err, bloom.ErrCorrupt):
			t.Fatal(err)
		case err != nil && !p.MayContain(data, key):
			t.Fatal("corrupt bytes, and no")
		case err == nil:
			if p.MayContain(data, key) != filter.Contains(key) {
				t.Fatal("MayContain and Contains disagree")
			}
			if p.HashApplies(data) { // otherwise it may contain every hash
				checkKeys(t, filter, key, p.Hash().Sum64(key))
			}
			checkQueries(t, filter, hashesIn(data), filter.ContainsHash)
		}

		b := p.NewBuilder(policy.WithRoundDown())
		b.Add(key)
		built, err := b.Finish()
		if err != nil || !p.MayContain(built, key) {
			t.Fatalf("a key was added and is missing (%v)", err)
		}
	})
}
