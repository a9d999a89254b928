package legacy_test

import (
	"bytes"
	"math"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/simdbloom/simdbloom/internal/hash32"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/legacy"
)

// added are keys for filters, absent are others. Their hashes have signs.
var added, absent = vectors.Keys("bin", 0, 6000), vectors.Keys("bin", vectors.FirstNegativeKey, vectors.FirstNegativeKey+6000)

func hashesOf(keys [][]byte) (hashes []uint32) {
	for _, key := range keys {
		hashes = append(hashes, legacy.Hash(key))
	}
	return hashes
}

func build(t testing.TB, bitsPerKey float64, keys [][]byte, options ...legacy.Option) []byte {
	t.Helper()
	b := builder(t, bitsPerKey, options...)
	b.AddKeys(keys)
	return finish(t, b)
}

func TestHash(t *testing.T) {
	differ := 0
	for _, key := range added {
		if legacy.Hash(key) != hash32.Signed(key) || legacy.Hash(key) != naive.LevelDBHash(key, true) {
			t.Fatalf("%x: another hash", key)
		}
		if hash32.Signed(key) != hash32.Unsigned(key) {
			differ++
		}
	}
	if differ < 1000 {
		t.Errorf("only %d keys show the sign", differ)
	}
}

// TestWaysToLookUp compares every query with the naive reader, wherever the filter begins.
func TestWaysToLookUp(t *testing.T) {
	for i, bitsPerKey := range []float64{1, 3, 10, 16, 23, 50} { // from 1 to 30 probes
		data := build(t, bitsPerKey, added)
		offset := 1 + 11*i
		unaligned := slices.Concat(make([]byte, offset), data)[offset:]
		for _, f := range []*legacy.Filter{open(t, data), open(t, unaligned), open(t, unaligned).CopyAligned()} {
			if f.NumLines() != len(data)/64 || f.SizeBytes() != len(data) || !bytes.Equal(f.Bytes(), data) || f.NumProbes() != int(data[len(data)-5]) || f.Kind() != legacy.Legacy {
				t.Fatalf("%v bits/key: %v, %d lines, %d probes, %d bytes", bitsPerKey, f.Kind(), f.NumLines(), f.NumProbes(), f.SizeBytes())
			}
			for _, n := range []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 129, 511, 512, 513, 2047, 2048, 2500} {
				checkQueries(t, f, slices.Concat(added[:n-n/2], absent[:n/2]))
			}
		}
		if begin := open(t, unaligned).CopyAligned().Bytes(); uintptr(unsafe.Pointer(&begin[0]))%64 != 0 {
			t.Errorf("%v bits/key: CopyAligned's copy is not aligned", bitsPerKey)
		}
	}
}

func checkQueries(t *testing.T, f *legacy.Filter, keys [][]byte) {
	t.Helper()
	n, hashes := len(keys), hashesOf(keys)
	var want []int
	for i, key := range keys {
		hit := naive.LegacyReads(f.Bytes(), hashes[i])
		if f.Contains(key) != hit || f.ContainsString(string(key)) != hit || f.ContainsHash(hashes[i]) != hit ||
			legacy.MayContain(f.Bytes(), key) != hit || legacy.MayContainHash(f.Bytes(), hashes[i]) != hit {
			t.Fatalf("key %x: not %v", key, hit)
		}
		if hit {
			want = append(want, i)
		}
	}
	hits, ofKeys, words := make([]bool, n+1), make([]bool, n+1), make([]uint64, (n+63)/64+1)
	hits[n], ofKeys[n], words[len(words)-1] = true, true, 5
	if n%64 != 0 {
		words[len(words)-2] = math.MaxUint64
	}
	f.ContainsHashes(hashes, hits)
	f.ContainsKeys(keys, ofKeys)
	f.ContainsHashBits(hashes, words)
	var got []int
	for i, hit := range hits[:n] {
		if hit {
			got = append(got, i)
		}
		if ofKeys[i] != hit || words[i/64]>>(i%64)&1 != 0 != hit {
			t.Fatalf("%d keys, key %d: %v, %v, %#x", n, i, hit, ofKeys[i], words[i/64])
		}
	}
	if !slices.Equal(got, want) || !hits[n] || !ofKeys[n] || words[len(words)-1] != 5 || n%64 != 0 && words[n/64]>>(n%64) != 0 {
		t.Fatalf("%d keys: %d, want %d, or more was written", n, got, want)
	}
	if got = f.AppendHits([]int{-1}, hashes); got[0] != -1 || !slices.Equal(got[1:], want) {
		t.Fatalf("%d keys: AppendHits %d, want %d", n, got, want)
	}
}

// TestShortAnswers has slices that are too short for the answers.
func TestShortAnswers(t *testing.T) {
	f := open(t, append(bytes.Repeat([]byte{0xff}, 64), trailer(6, 1)...))
	hits, words := make([]bool, 63), make([]uint64, 1)
	for name, misuse := range map[string]func(){
		"ContainsHashes":           func() { f.ContainsHashes(make([]uint32, 64), hits) },
		"ContainsHashBits":         func() { f.ContainsHashBits(make([]uint32, 65), words) },
		"ContainsKeys":             func() { f.ContainsKeys(make([][]byte, 64), hits) },
		"ContainsKeys in blocks":   func() { f.ContainsKeys(make([][]byte, 5000), hits) },
		"ContainsHashes in blocks": func() { f.ContainsHashes(make([]uint32, 50_000), hits) },
		"the zero Filter":          func() { new(legacy.Filter).ContainsHash(1) },
		"the zero Filter's batch":  func() { new(legacy.Filter).ContainsHashes(make([]uint32, 9), hits) },
	} {
		if !panics(misuse) {
			t.Errorf("%s: no panic", name)
		}
	}
	if slices.Contains(hits, true) || words[0] != 0 {
		t.Error("answers were written before a panic")
	}
}

func panics(f func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	f()
	return false
}

func TestQueriesAllocateNothing(t *testing.T) {
	data, key, hashes := build(t, 10, added), absent[0], make([]uint32, 1000)
	f, all := open(t, data), [][]byte{
		data, nil, data[:3], data[len(data)-5:],
		append(bytes.Repeat([]byte{0xfe}, 128), trailer(40, 1)...),
		append(make([]byte, 64), trailer(6, 0x04000001)...),
	}
	hits, words, dst := make([]bool, 1000), make([]uint64, 16), make([]int, 0, 1000)
	if allocs := testing.AllocsPerRun(20, func() {
		f.Contains(key)
		f.ContainsString("key")
		f.ContainsHash(7)
		f.ContainsKeys(added[:600], hits)
		f.ContainsKeys(added[:60], hits)
		f.ContainsHashes(hashes, hits)
		f.ContainsHashBits(hashes, words)
		f.AppendHits(dst, hashes)
		for _, data := range all {
			legacy.MayContain(data, key)
			legacy.MayContainHash(data, 7)
		}
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// TestReadersAtOnce is for the race detector.
func TestReadersAtOnce(t *testing.T) {
	data := build(t, 10, added)
	f := open(t, data)
	var readers sync.WaitGroup
	for range 4 {
		readers.Add(1)
		go func() {
			defer readers.Done()
			hits := make([]bool, len(added))
			f.ContainsKeys(added, hits)
			if slices.Contains(hits, false) || !legacy.MayContain(data, added[0]) || !f.CopyAligned().Contains(added[1]) || len(f.AppendHits(nil, hashesOf(added))) != len(added) {
				t.Error("a key is missing")
			}
		}()
	}
	readers.Wait()
}
