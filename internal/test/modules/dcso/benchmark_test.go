package dcso_test

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/DCSO/bloom"
	"github.com/simdbloom/simdbloom/dcso"
)

// batch is the number of keys of a call. There are many of them, so that nothing but the filter is in caches.
const batch = 1 << 14

// BenchmarkLookups looks up SHA-1 in 40 hexadecimal digits, in filters of 1 MiB, 64 MiB and 1 GiB with a rate of 1 in
// 10,000, that are half full of ones, and the last one also in a mapped file.
func BenchmarkLookups(b *testing.B) {
	for _, n := range []uint64{437_000, 28_000_000, 448_000_000} {
		data, original := filled(b, n)
		f, err := dcso.Read(bytes.NewReader(data)) // in huge pages
		if err != nil {
			b.Fatal(err)
		}
		path := filepath.Join(b.TempDir(), "a.bloom")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			b.Fatal(err)
		}
		file, err := dcso.OpenFile(path)
		if err != nil {
			b.Fatal(err)
		}
		defer file.Close()
		data = nil
		hits := make([]bool, batch)
		for _, present := range []int{0, 50, 100} {
			keys := queried(n, present)
			name := fmt.Sprintf("keys=%d/present=%d%%/", n, present)
			run(b, name+"original", keys, func(keys [][]byte) {
				for _, key := range keys {
					original.Check(key)
				}
			})
			run(b, name+"Contains", keys, func(keys [][]byte) {
				for _, key := range keys {
					f.Contains(key)
				}
			})
			run(b, name+"ContainsKeys", keys, func(keys [][]byte) { f.ContainsKeys(keys, hits) })
			run(b, name+"OpenFile/ContainsKeys", keys, func(keys [][]byte) { file.ContainsKeys(keys, hits) })
		}
	}
}

// run measures a lookup in batches. The time is that of a key.
func run(b *testing.B, name string, keys [][]byte, look func(keys [][]byte)) {
	b.Run(name, func(b *testing.B) {
		for i := 0; i < b.N; i += batch {
			from := i % len(keys)
			look(keys[from : from+min(batch, b.N-i)])
		}
	})
}

// filled returns a filter for n keys, and the original's of the same bytes. It has 65,536 keys, and other random bits.
func filled(b *testing.B, n uint64) (data []byte, original *bloom.BloomFilter) {
	m, err := dcso.New(n, 1e-4)
	if err != nil {
		b.Fatal(err)
	}
	words := m.Bytes()[48:]
	for i, x := 0, uint64(1); i < len(words)-8; i++ {
		x += 0x9e3779b97f4a7c15
		y := (x ^ x>>31) * 0xbf58476d1ce4e5b9
		words[i] = byte(y >> 40)
	}
	for i := range 1 << 16 {
		m.Add(key(i))
	}
	original, err = bloom.LoadFromReader(bufio.NewReaderSize(bytes.NewReader(m.Bytes()), 1<<20), false)
	if err != nil {
		b.Fatal(err)
	}
	return m.Bytes(), original
}

// key returns a SHA-1 in 40 hexadecimal digits.
func key(i int) []byte {
	sum := sha1.Sum(binary.LittleEndian.AppendUint64(nil, uint64(i)))
	return hex.AppendEncode(nil, sum[:])
}

// queried returns keys, in an order that nothing foresees.
func queried(n uint64, present int) (keys [][]byte) {
	for i := range 1 << 17 {
		random := uint64(i+1) * 0x9e3779b97f4a7c15
		random ^= random >> 32
		if int(random>>40%100) < present {
			keys = append(keys, key(int(random>>8&(1<<16-1))))
		} else {
			keys = append(keys, key(1<<16+int(n)+i))
		}
	}
	return keys
}
