package fuzz

import (
	"bytes"
	"errors"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/naive"
	"github.com/simdbloom/simdbloom/internal/testmem"
	"github.com/simdbloom/simdbloom/internal/vectors"
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
}

func FuzzOpenBloom(f *testing.F) {
	addBytes(f, func(data []byte) { f.Add(data, queries) })
	f.Fuzz(func(t *testing.T, data, asked []byte) {
		hashes := hashesIn(asked)
		filter, err := bloom.Open(data, keyhash.XXPH3)
		if err != nil {
			if !errors.Is(err, bloom.ErrCorrupt) || filter != nil {
				t.Fatalf("error %v, filter %v", err, filter)
			}
			for _, hash := range hashes {
				if !bloom.MayContainHash(data, hash) {
					t.Fatal("corrupt bytes, and no")
				}
			}
			return
		}
		k := filter.NumProbes()
		want := func(hash uint64) bool {
			if filter.Kind() == bloom.FastLocal {
				return naive.FastLocalContains(data[:(len(data)-5)/64*64], k, hash)
			}
			return filter.Kind() != bloom.Empty
		}
		checkQueries(t, filter, hashes, want)
		checkQueries(t, filter.CopyAligned(), hashes, want)
		checkKeys(t, filter, asked, keyhash.XXPH3.Sum64(asked))
		for _, hash := range hashes {
			if bloom.MayContainHash(data, hash) != want(hash) {
				t.Fatalf("MayContainHash(%#x) differs", hash)
			}
		}
		testmem.BesideGuards(t, data, func(data []byte) {
			beside, err := bloom.Open(data, keyhash.XXPH3)
			if err != nil {
				t.Fatal(err)
			}
			checkQueries(t, beside, hashes, want)
		})
	})
}

func FuzzOpenPaired(f *testing.F) {
	addBytes(f, func(data []byte) { f.Add(data, queries) })
	f.Fuzz(func(t *testing.T, data, asked []byte) {
		hashes := hashesIn(asked)
		filter, err := paired.Open(data, keyhash.XXPH3)
		if err != nil {
			if !errors.Is(err, paired.ErrCorrupt) || filter != nil {
				t.Fatalf("error %v, filter %v", err, filter)
			}
			for _, hash := range hashes {
				if !paired.MayContainHash(data, hash) {
					t.Fatal("corrupt bytes, and no")
				}
			}
			return
		}
		k, batch := filter.NumProbes(), filter.BatchBlocks()
		want := func(hash uint64) bool {
			if filter.Kind() == paired.Paired {
				return naive.PairedContains(data[:len(data)-4], batch, k, hash)
			}
			return filter.Kind() != paired.Empty
		}
		checkQueries(t, filter, hashes, want)
		checkQueries(t, filter.CopyAligned(), hashes, want)
		checkKeys(t, filter, asked, keyhash.XXPH3.Sum64(asked))
		for _, hash := range hashes {
			if paired.MayContainHash(data, hash) != want(hash) {
				t.Fatalf("MayContainHash(%#x) differs", hash)
			}
		}
		if err := filter.Verify(); err != nil && !errors.Is(err, paired.ErrCorrupt) {
			t.Fatal(err)
		}
		testmem.BesideGuards(t, data, func(data []byte) {
			beside, err := paired.Open(data, keyhash.XXPH3)
			if err != nil {
				t.Fatal(err)
			}
			checkQueries(t, beside, hashes, want)
			if (beside.Verify() == nil) != (filter.Verify() == nil) {
				t.Fatal("Verify says something else at another place")
			}
		})
	})
}

func FuzzPolicy(f *testing.F) {
	for _, name := range []string{
		"simdbloom.Bloom:10", "simdbloom.Paired:23.4", "rocksdb.BloomFilter:9.5:false", "bloomfilter:.2",
		"rocksdb.internal.FastLocalBloomFilter:100", "speedb.PairedBloomFilter:16", "speedb_paired_bloom_filter:-3", "bloomfilter",
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
			checkKeys(t, filter, key, p.Hash().Sum64(key))
			checkQueries(t, filter, hashesIn(data), filter.ContainsHash)
		}

		b := p.NewBuilder(policy.RoundDown)
		b.Add(key)
		built, err := b.Finish()
		if err != nil || !p.MayContain(built, key) {
			t.Fatalf("a key was added and is missing (%v)", err)
		}
	})
}
