package leveldb_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/hash32"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/leveldb"
)

// twoHashes are keys whose two hashes differ, oneHash are others.
var twoHashes, oneHash = func() (two, one [][]byte) {
	for _, key := range vectors.Keys("bin", 0, 6000) {
		if leveldb.Hash(key) != leveldb.SignedHash(key) {
			two = append(two, key)
		} else {
			one = append(one, key)
		}
	}
	return two, one
}()

func TestHashName(t *testing.T) {
	for want, options := range map[string][]leveldb.Option{
		"LevelDB32": nil, "SignedLevelDB32": {leveldb.WithSignedHash()}, "EitherLevelDB32": {leveldb.WithEitherHash()},
	} {
		f, err := leveldb.Open(nil, options...)
		if err != nil || f.HashName() != want {
			t.Errorf("%s, want %s (%v)", f.HashName(), want, err)
		}
	}
}

func TestHashes(t *testing.T) {
	if len(twoHashes) < 1000 || len(oneHash) < 1000 {
		t.Fatalf("%d keys have two hashes, %d one", len(twoHashes), len(oneHash))
	}
	for _, key := range slices.Concat(twoHashes, oneHash) {
		if leveldb.Hash(key) != hash32.Unsigned(key) || leveldb.SignedHash(key) != hash32.Signed(key) {
			t.Fatalf("%x: another hash", key)
		}
	}
}

// TestWaysToAdd builds the same filter in every way.
func TestWaysToAdd(t *testing.T) {
	for _, options := range [][]leveldb.Option{nil, {leveldb.WithSignedHash()}} {
		keys := slices.Concat(twoHashes, oneHash, oneHash[:50]) // repetitions count
		hash := leveldb.Hash
		if options != nil {
			hash = leveldb.SignedHash
		}
		var hashes []uint32
		for _, key := range keys {
			hashes = append(hashes, hash(key))
		}
		want := naive.LevelDB(hashes, 10)
		b, err := leveldb.NewBuilder(10.4, options...)
		if err != nil {
			t.Fatal(err)
		}
		for name, add := range map[string]func(){
			"Add": func() {
				for _, key := range keys {
					b.Add(key)
				}
			},
			"AddString": func() {
				for _, key := range keys {
					b.AddString(string(key))
				}
			},
			"AddKeys": func() { b.AddKeys(keys[:100]); b.AddKeys(nil); b.AddKeys(keys[100:]) },
			"AddHash": func() {
				for _, hash := range hashes {
					b.AddHash(hash)
				}
			},
			"AddHashes": func() { b.AddHashes(hashes); b.AddHashes(nil) },
		} {
			b.AddString("dropped")
			b.Reset()
			add()
			if data, err := b.Finish(); err != nil || !bytes.Equal(data, want) || uintptr(unsafe.Pointer(&data[0]))%64 != 0 {
				t.Errorf("%s: other bytes, or not aligned (%v)", name, err)
			}
			add()
			dst, err := b.AppendFinish([]byte("before")[:6:6])
			if err != nil || !bytes.Equal(dst[6:], want) || string(dst[:6]) != "before" {
				t.Errorf("%s: AppendFinish: other bytes (%v)", name, err)
			}
			add()
			dirty := bytes.Repeat([]byte{0xff}, len(want)+10)
			if dst, err = b.AppendFinish(dirty[:3]); err != nil || !bytes.Equal(dst[3:], want) || &dst[0] != &dirty[0] {
				t.Errorf("%s: AppendFinish into spare capacity: other bytes (%v)", name, err)
			}
		}
	}
}

// TestWaysToLookUp compares every query with one key at a time.
func TestWaysToLookUp(t *testing.T) {
	data := build(t, 10, slices.Concat(twoHashes[:len(twoHashes)/2], oneHash[:len(oneHash)/2]))
	f := open(t, data)
	for _, n := range []int{0, 1, 7, 8, 64, 65, 511, 512, 513, 2500} {
		keys := slices.Concat(twoHashes, oneHash)[500:][:n]
		hashes := make([]uint32, n)
		var want []int
		for i, key := range keys {
			hashes[i] = leveldb.Hash(key)
			hit := naive.LevelDBContains(data, hashes[i])
			if f.Contains(key) != hit || f.ContainsString(string(key)) != hit || f.ContainsHash(hashes[i]) != hit ||
				leveldb.MayContain(data, key) != hit || leveldb.MayContainHash(data, hashes[i]) != hit {
				t.Fatalf("key %x: not %v", key, hit)
			}
			if hit {
				want = append(want, i)
			}
		}
		hits, ofKeys, words := make([]bool, n+1), make([]bool, n+1), make([]uint64, (n+63)/64+1)
		hits[n], ofKeys[n], words[len(words)-1] = true, true, 5
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
		if !slices.Equal(got, want) || !slices.Equal(f.AppendHits(nil, hashes), want) || !hits[n] || !ofKeys[n] || words[len(words)-1] != 5 {
			t.Fatalf("%d keys: %d, want %d", n, got, want)
		}
	}
}

// TestEitherHash reads filters of both kinds without knowing which.
func TestEitherHash(t *testing.T) {
	keys := slices.Concat(twoHashes[:800], oneHash[:800])
	absent := slices.Concat(twoHashes[1000:], oneHash[1000:])
	for _, written := range [][]leveldb.Option{nil, {leveldb.WithSignedHash()}} {
		data := build(t, 16, keys, written...)
		either := open(t, data, leveldb.WithEitherHash())
		hits := make([]bool, len(keys))
		either.ContainsKeys(keys, hits)
		for i, key := range keys {
			if !hits[i] || !either.Contains(key) || !either.ContainsString(string(key)) {
				t.Fatalf("%x is missing", key)
			}
		}
		hits = make([]bool, len(absent))
		either.ContainsKeys(absent, hits)
		for i, key := range absent {
			want := naive.LevelDBContains(data, leveldb.Hash(key)) || naive.LevelDBContains(data, leveldb.SignedHash(key))
			if hits[i] != want || either.Contains(key) != want {
				t.Fatalf("%x: %v, %v, want %v", key, hits[i], either.Contains(key), want)
			}
		}
		hits = make([]bool, len(keys))
		open(t, data, written...).ContainsKeys(keys, hits)
		if slices.Contains(hits, false) {
			t.Error("a key is missing by the hash that it was added with")
		}
	}
	signed := build(t, 16, twoHashes, leveldb.WithSignedHash())
	hits := make([]bool, len(twoHashes))
	open(t, signed).ContainsKeys(twoHashes, hits)
	if !slices.Contains(hits, false) {
		t.Error("the hash makes no difference")
	}
}

func TestBitsPerKeyAreRounded(t *testing.T) {
	for bitsPerKey, want := range map[float64]int{
		0.5: 1, 0.9: 1, 1: 1, 1.4994: 1, 1.4995: 2, 1.5: 2, 2.49: 2, 9.5: 10, 10: 10, 10.499: 10, 23.4: 23, 99.7: 100, 100: 100, 371.6: 372, 1000: 1000,
	} {
		keys := oneHash[:200]
		b, err := leveldb.NewBuilder(bitsPerKey)
		if err != nil {
			t.Fatal(err)
		}
		b.AddKeys(keys)
		if got := b.SizeBytes(); got != want*200/8+1 {
			t.Errorf("%v bits per key: %d bytes, not %d", bitsPerKey, got, want*200/8+1)
		}
	}
}

func TestMisuse(t *testing.T) {
	prefixes := leveldb.WithPrefixes(func(key []byte) ([]byte, bool) { return key, true })
	for _, bitsPerKey := range []float64{0.49, 0, -1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, err := leveldb.NewBuilder(bitsPerKey); err == nil {
			t.Errorf("%v bits per key: no error", bitsPerKey)
		}
	}
	for _, option := range []leveldb.Option{leveldb.WithEitherHash(), prefixes, leveldb.WithoutKeys()} {
		if _, err := leveldb.NewBuilder(10, option); err == nil {
			t.Error("NewBuilder took an option that is not for it")
		}
	}
	for _, option := range []leveldb.Option{prefixes, leveldb.WithoutKeys()} {
		_, err := leveldb.Open([]byte{0, 1}, option)
		_, ofBlock := leveldb.OpenBlock([]byte{0, 0, 0, 0, 11}, option)
		if err == nil || ofBlock == nil || errors.Is(err, leveldb.ErrCorrupt) {
			t.Errorf("an option that is not for reading: %v, %v", err, ofBlock)
		}
	}
	f := open(t, []byte{0xff, 1})
	hits, words := make([]bool, 63), make([]uint64, 1)
	for name, misuse := range map[string]func(){
		"ContainsHashes":   func() { f.ContainsHashes(make([]uint32, 64), hits) },
		"ContainsHashBits": func() { f.ContainsHashBits(make([]uint32, 65), words) },
		"ContainsKeys":     func() { f.ContainsKeys(make([][]byte, 64), hits) },
		"bits per key":     func() { leveldb.NewBlockBuilder(0, 11) },
		"base below 0":     func() { leveldb.NewBlockBuilder(10, -1) },
		"base above 63":    func() { leveldb.NewBlockBuilder(10, 64) },
		"either hash":      func() { leveldb.NewBlockBuilder(10, 11, leveldb.WithEitherHash()) },
		"nothing added":    func() { leveldb.NewBlockBuilder(10, 11, leveldb.WithoutKeys()) },
	} {
		if !panics(misuse) {
			t.Errorf("%s: no panic", name)
		}
	}
	if slices.Contains(hits, true) || words[0] != 0 {
		t.Error("answers were written before a panic")
	}
	var zero leveldb.Filter
	if !zero.ContainsHash(1) {
		t.Error("the zero Filter said no")
	}
}

func panics(f func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	f()
	return false
}

func TestTooLarge(t *testing.T) {
	for _, bitsPerKey := range []float64{1 << 32, 1e15, math.MaxFloat64} {
		b, err := leveldb.NewBuilder(bitsPerKey)
		if err != nil {
			t.Fatal(err)
		}
		b.AddString("key")
		for range 2 { // nothing is lost
			dst := []byte("dst")
			data, err := b.AppendFinish(dst)
			if _, err2 := b.Finish(); !errors.Is(err, leveldb.ErrTooLarge) || !errors.Is(err2, bloom.ErrTooLarge) || string(data) != "dst" || b.Len() != 1 || b.SizeBytes() < 1<<29 {
				t.Fatalf("%v bits per key: %v, %v; %d keys of %d bytes are left", bitsPerKey, err, err2, b.Len(), b.SizeBytes())
			}
		}
		b.Reset()
		if data, err := b.Finish(); err != nil || len(data) != 9 {
			t.Errorf("%v bits per key without keys: %x, %v", bitsPerKey, data, err)
		}
	}
	b, err := leveldb.NewBuilder(1<<32 - 8) // the largest that fits
	if err != nil {
		t.Fatal(err)
	}
	b.AddHash(1)
	if got := b.SizeBytes(); got != 1<<29 {
		t.Errorf("%d bytes", got)
	}
}

func TestQueriesAllocateNothing(t *testing.T) {
	data := build(t, 10, twoHashes)
	f, either := open(t, data), open(t, data, leveldb.WithEitherHash())
	key, hashes := oneHash[0], make([]uint32, 1000)
	hits, words, dst := make([]bool, 1000), make([]uint64, 16), make([]int, 0, 1000)
	block := leveldb.NewBlockBuilder(10, 11)
	block.Add(key)
	blockData := block.Finish()
	opened, err := leveldb.OpenBlock(blockData)
	if err != nil {
		t.Fatal(err)
	}
	if allocs := testing.AllocsPerRun(20, func() {
		f.Contains(key)
		f.ContainsString("key")
		either.Contains(key)
		either.ContainsKeys(twoHashes[:600], hits)
		f.ContainsKeys(twoHashes[:60], hits)
		f.ContainsHashes(hashes, hits)
		f.ContainsHashBits(hashes, words)
		f.AppendHits(dst, hashes)
		leveldb.MayContain(data, key)
		leveldb.MayContain(nil, key)
		leveldb.MayContainInBlock(blockData, 0, key)
		opened.MayContain(0, key)
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// TestReadersAtOnce is for the race detector.
func TestReadersAtOnce(t *testing.T) {
	data := build(t, 10, twoHashes)
	f := open(t, data, leveldb.WithEitherHash())
	var readers sync.WaitGroup
	for range 4 {
		readers.Add(1)
		go func() {
			defer readers.Done()
			hits := make([]bool, len(twoHashes))
			f.ContainsKeys(twoHashes, hits)
			if slices.Contains(hits, false) || !leveldb.MayContain(data, twoHashes[0]) || f.EstimatedFPR() > 0.1 {
				t.Error("a key is missing")
			}
		}()
	}
	readers.Wait()
}

func TestMaxBytes(t *testing.T) {
	keys := vectors.Keys("user8", 0, 5000)
	for _, most := range []int{9, 10, 100, 3000, 6250, 6251, 6252, 100_000} {
		b, err := leveldb.NewBuilder(10, leveldb.WithMaxBytes(most), leveldb.WithVerification())
		if err != nil {
			t.Fatal(err)
		}
		b.AddKeys(keys)
		size := b.SizeBytes()
		data, err := b.Finish()
		if err != nil || len(data) != size || len(data) != min(most, 6251) {
			t.Fatalf("within %d bytes: %d, SizeBytes was %d, %v", most, len(data), size, err)
		}
		f, err := leveldb.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range keys {
			if !f.Contains(key) {
				t.Fatalf("within %d bytes: key %q is missing", most, key)
			}
		}
		if p, e := leveldb.PredictedFPR(5000, 10, leveldb.WithMaxBytes(most)), f.EstimatedFPR(); !(p > 0.9*e && p < 1.1*e) {
			t.Errorf("within %d bytes: predicted rate %v, estimated %v", most, p, e)
		}
	}
	if _, err := leveldb.NewBuilder(10, leveldb.WithMaxBytes(8)); err == nil {
		t.Error("8 bytes are allowed")
	}
	for _, option := range []leveldb.Option{leveldb.WithMaxBytes(100), leveldb.WithVerification()} {
		if _, err := leveldb.Open(make([]byte, 9), option); err == nil {
			t.Error("Open takes an option of NewBuilder")
		}
	}
}
