package bitsandblooms_test

import (
	"fmt"
	"testing"

	"github.com/bits-and-blooms/bloom/v3"
	"github.com/simdbloom/simdbloom/bitsandblooms"
)

// BenchmarkStored looks up one key in the bytes of a filter.
func BenchmarkStored(b *testing.B) {
	for _, n := range []int{10_000, 200_000} {
		data, keys := filled(b, n)
		each(b, fmt.Sprintf("keys=%d/original", n), keys, func(key []byte) {
			var f bloom.BloomFilter
			if err := f.UnmarshalBinary(data); err != nil {
				b.Fatal(err)
			}
			f.Test(key)
		})
		each(b, fmt.Sprintf("keys=%d/Open", n), keys, func(key []byte) {
			f, err := bitsandblooms.Open(data)
			if err != nil {
				b.Fatal(err)
			}
			f.Contains(key)
		})
		each(b, fmt.Sprintf("keys=%d/MayContain", n), keys, func(key []byte) { bitsandblooms.MayContain(data, key) })
	}
}

// BenchmarkOpened looks up keys in a filter that is in memory, one by one and in batches of 1,000.
func BenchmarkOpened(b *testing.B) {
	for _, n := range []int{10_000, 200_000, 875_000, 28_000_000} { // 12 KB, 240 KB, 1 MiB, 32 MiB
		data, keys := filled(b, n)
		var original bloom.BloomFilter
		if err := original.UnmarshalBinary(data); err != nil {
			b.Fatal(err)
		}
		f, hits := open(b, data), make([]bool, batch)
		hashes := make([]bitsandblooms.Hash, len(keys))
		for i, key := range keys {
			hashes[i] = bitsandblooms.Sum(key)
		}
		name := fmt.Sprintf("keys=%d/", n)
		each(b, name+"original", keys, func(key []byte) { original.Test(key) })
		each(b, name+"Contains", keys, func(key []byte) { f.Contains(key) })
		batches(b, name+"ContainsKeys", keys, func(keys [][]byte) { f.ContainsKeys(keys, hits) })
		each(b, name+"ContainsHash", hashes, func(hash bitsandblooms.Hash) { f.ContainsHash(hash) })
		batches(b, name+"ContainsHashes", hashes, func(hashes []bitsandblooms.Hash) { f.ContainsHashes(hashes, hits) })
	}
}

// BenchmarkFilters looks up a key in filters of 100,000 keys each. One of them may have it. The time is that of
// all filters.
func BenchmarkFilters(b *testing.B) {
	const n = 100_000
	var originals []*bloom.BloomFilter
	var filters []*bitsandblooms.Filter
	for i := range 100 {
		f := bloom.NewWithEstimates(n, 0.01)
		for j := range n {
			f.Add(present(i*n + j))
		}
		originals, filters = append(originals, f), append(filters, open(b, stored(b, f)))
	}
	for _, some := range []int{16, 100} {
		originals, filters, keys := originals[:some], filters[:some], queried(some*n)
		found := 0
		name := fmt.Sprintf("filters=%d/", some)
		each(b, name+"Test", keys, func(key []byte) {
			for _, f := range originals {
				if f.Test(key) {
					found++
				}
			}
		})
		each(b, name+"TestLocations", keys, func(key []byte) { // with one hash
			locations := bloom.Locations(key, originals[0].K())
			for _, f := range originals {
				if f.TestLocations(locations) {
					found++
				}
			}
		})
		each(b, name+"ContainsHash", keys, func(key []byte) {
			hash := bitsandblooms.Sum(key)
			for _, f := range filters {
				if f.ContainsHash(hash) {
					found++
				}
			}
		})
		dst := make([]int, 0, some)
		each(b, name+"AppendFilters", keys, func(key []byte) {
			dst = bitsandblooms.AppendFilters(dst[:0], filters, bitsandblooms.Sum(key))
		})
	}
}

const batch = 1000

// each measures a lookup of one key after the other.
func each[T any](b *testing.B, name string, keys []T, look func(key T)) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		for i := range b.N {
			look(keys[i%len(keys)])
		}
	})
}

// batches measures a lookup in batches. The time is that of a key.
func batches[T any](b *testing.B, name string, keys []T, look func(keys []T)) {
	b.Run(name, func(b *testing.B) {
		for i := 0; i < b.N; i += batch {
			from := i % len(keys)
			look(keys[from : from+min(batch, b.N-i)])
		}
	})
}

// filled returns the bytes of a filter of n keys with a rate of 1 in 100, and keys to look up.
func filled(t testing.TB, n int) (data []byte, keys [][]byte) {
	f := bloom.NewWithEstimates(uint(n), 0.01)
	for i := range n {
		f.Add(present(i))
	}
	return stored(t, f), queried(n)
}

func present(i int) []byte { return fmt.Appendf(nil, "key%013d", i) }

// queried returns 100 batches of keys, in random order. Half of them are among the first n.
func queried(n int) (keys [][]byte) {
	for i := range 100 * batch {
		random := uint64(i+1) * 0x9e3779b97f4a7c15
		if random ^= random >> 32; random>>40&1 == 0 {
			keys = append(keys, present(int(random>>8%uint64(n))))
		} else {
			keys = append(keys, fmt.Appendf(nil, "other%011d", i))
		}
	}
	return keys
}
