package legacy_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strconv"
	"testing"
	"unsafe"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/legacy"
)

// filterOf is the filter of hashes, none of which follows itself.
func filterOf(hashes []uint32, lines uint32, k int) []byte {
	body := make([]byte, 64*lines, 64*lines+5)
	for _, hash := range hashes {
		naive.LegacyAdd(body, lines, k, hash)
	}
	return append(body, trailer(byte(k), lines)...)
}

// TestWaysToAdd builds the same filters in every way, all with one builder. Keys that follow
// themselves are dropped, and others are not.
func TestWaysToAdd(t *testing.T) {
	var keys [][]byte
	for i, key := range slices.Concat(added, added[:70]) {
		keys = append(keys, slices.Repeat([][]byte{key}, 1+i%3)...)
	}
	hashes := hashesOf(keys)
	kept := slices.Compact(slices.Clone(hashes))
	want := filterOf(kept, uint32(len(kept)*10+511)/512|1, 6)
	for _, options := range [][]legacy.Option{nil, {legacy.WithPebble()}, {legacy.WithVerification()}, {legacy.WithMaxBytes(len(want))}} {
		b := builder(t, 10.4, options...)
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
			"AddKeys": func() { b.AddKeys(keys[:100]); b.AddKeys(nil); b.AddKeys(keys[99:]) },
			"AddHash": func() {
				for _, hash := range hashes {
					b.AddHash(hash)
				}
			},
			"AddHashes": func() { b.AddHashes(hashes[:300]); b.AddHashes(nil); b.AddHashes(hashes[299:]) },
		} {
			b.AddString("dropped")
			b.Reset()
			add()
			if b.Len() != len(kept) {
				t.Errorf("%s: %d keys, want %d", name, b.Len(), len(kept))
			}
			if data := finish(t, b); !bytes.Equal(data, want) || uintptr(unsafe.Pointer(&data[0]))%64 != 0 {
				t.Errorf("%s: other bytes, or not aligned", name)
			}
			add()
			dst, err := b.AppendFinish([]byte("before")[:6:6])
			if err != nil || !bytes.Equal(dst[6:], want) || string(dst[:6]) != "before" || b.Len() != 0 {
				t.Errorf("%s: AppendFinish: other bytes (%v)", name, err)
			}
			add()
			dirty := bytes.Repeat([]byte{0xff}, len(want)+10)
			dst, err = b.AppendFinish(dirty[:3])
			if err != nil || !bytes.Equal(dst[3:], want) || &dst[0] != &dirty[0] || !bytes.Equal(dirty[3+len(want):], bytes.Repeat([]byte{0xff}, 7)) {
				t.Errorf("%s: AppendFinish into spare capacity: other bytes (%v)", name, err)
			}
		}
	}
}

// TestBitsPerKey has what bits per key are rounded to, and the errors.
func TestBitsPerKey(t *testing.T) {
	pebble := []legacy.Option{legacy.WithPebble()}
	kept := slices.Compact(hashesOf(added))
	for _, c := range []struct {
		bitsPerKey float64
		options    []legacy.Option
		whole, k   int
	}{
		{0.5, nil, 1, 1},
		{1.4994, nil, 1, 1},
		{1.5, nil, 2, 1},
		{2.9, nil, 3, 2},
		{10.4, nil, 10, 6},
		{43, nil, 43, 29},
		{44, nil, 44, 30},
		{100, nil, 100, 30},
		{1e9, nil, 100, 30},
		{10, pebble, 10, 6},
		{150, pebble, 150, 30},
		{0, pebble, 0, 1},
	} {
		lines := uint32(len(kept)*c.whole+511)/512 | 1
		if data := build(t, c.bitsPerKey, added, c.options...); !bytes.Equal(data, filterOf(kept, lines, c.k)) {
			t.Errorf("%v bits/key: other bytes, of trailer %x", c.bitsPerKey, data[len(data)-5:])
		}
	}
	for _, bitsPerKey := range []float64{0.49, 0, -1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if b, err := legacy.NewBuilder(bitsPerKey); err == nil || b != nil {
			t.Errorf("%v bits/key: no error", bitsPerKey)
		}
		if b, err := legacy.NewBuilder(bitsPerKey, pebble...); (err == nil) != (bitsPerKey == 0 || bitsPerKey == 0.49) || (b == nil) != (err != nil) {
			t.Errorf("%v bits/key for Pebble: %v", bitsPerKey, err)
		}
	}
}

func TestNoKeys(t *testing.T) {
	for _, c := range []struct {
		options []legacy.Option
		want    []byte
	}{{nil, nil}, {[]legacy.Option{legacy.WithPebble()}, make([]byte, 5)}} {
		b := builder(t, 10, c.options...)
		for range 2 {
			if data := finish(t, b); !bytes.Equal(data, c.want) || open(t, data).Kind() != legacy.Empty || legacy.MayContain(data, nil) {
				t.Errorf("%x, want %x", data, c.want)
			}
			dirty := []byte("dst..........")
			if dst, err := b.AppendFinish(dirty[:3]); err != nil || !bytes.Equal(dst, append([]byte("dst"), c.want...)) {
				t.Errorf("AppendFinish: %x, %v", dst, err)
			}
			b.AddString("a key, to be used again")
			if data := finish(t, b); len(data) != 69 {
				t.Errorf("%d bytes of one key", len(data))
			}
		}
	}
}

// TestTooLarge has Pebble's filters, which have no limit of their own.
func TestTooLarge(t *testing.T) {
	const keys, mostBits = 17, 1<<31 - 2
	b := builder(t, mostBits, legacy.WithPebble())
	for key := range uint32(keys) {
		b.AddHash(key)
	}
	for range 2 { // nothing is lost
		data, err := b.AppendFinish([]byte("dst"))
		none, err2 := b.Finish()
		if !errors.Is(err, legacy.ErrTooLarge) || !errors.Is(err2, bloom.ErrTooLarge) || string(data) != "dst" || none != nil || b.Len() != keys {
			t.Fatalf("%v, %v; %q, %d keys are left", err, err2, data, b.Len())
		}
	}
	if want := min(uint64((keys*mostBits+511)/512|1)*64+5, math.MaxInt); uint64(b.SizeBytes()) != want {
		t.Errorf("%d bytes, want %d", b.SizeBytes(), want)
	}
	if rate := legacy.PredictedFPR(keys, mostBits, legacy.WithPebble()); !math.IsNaN(rate) {
		t.Errorf("a rate of %v", rate)
	}
	b.Reset()
	if data := finish(t, b); len(data) != 5 {
		t.Errorf("%d bytes without keys", len(data))
	}

	// Within a limit, no number of bits is too large.
	b = builder(t, mostBits, legacy.WithPebble(), legacy.WithMaxBytes(1000))
	b.AddHashes(hashesOf(added[:keys]))
	if data := finish(t, b); len(data) != 15*64+5 {
		t.Errorf("%d bytes, at most 1000", len(data))
	}
}

// TestMaxBytes has limits around sizes. A filter keeps its keys, and its rate is predicted.
func TestMaxBytes(t *testing.T) {
	keys := added[:5000]
	kept := len(slices.Compact(hashesOf(keys)))
	whole := len(build(t, 10, keys))
	for _, most := range []int{69, 70, 132, 133, 197, 1000, 3000, whole - 129, whole - 128, whole - 1, whole, whole + 1, 100_000} {
		data := build(t, 10, keys, legacy.WithMaxBytes(most), legacy.WithVerification())
		lines := min((most-5)/64, (whole-5)/64)
		lines -= 1 - lines%2
		k := 6
		if lines < whole/64 {
			k = max(1, lines*512/kept*69/100)
		}
		if want := trailer(byte(k), uint32(lines)); len(data) != 64*lines+5 || !bytes.Equal(data[64*lines:], want) {
			t.Fatalf("at most %d bytes: %d, trailer %x, want %x", most, len(data), data[len(data)-5:], want)
		}
		f, hits := open(t, data), make([]bool, len(keys))
		if f.ContainsKeys(keys, hits); slices.Contains(hits, false) {
			t.Fatalf("at most %d bytes: a key is missing", most)
		}
		if testing.Short() || most != 133 && most != 3000 && most != whole-1 && most != whole {
			continue
		}
		if p, e := legacy.PredictedFPR(kept, 10, legacy.WithMaxBytes(most)), f.EstimatedFPR(); !(p > 0.9*e && p < 1.1*e) {
			t.Errorf("at most %d bytes: predicted rate %v, estimated %v", most, p, e)
		}
	}
	for _, most := range []int{68, 0, -1, math.MinInt} {
		if _, err := legacy.NewBuilder(10, legacy.WithMaxBytes(most)); err == nil {
			t.Errorf("%d bytes are allowed", most)
		}
	}
	if _, err := legacy.NewBuilder(10, legacy.WithMaxBytes(1), legacy.WithMaxBytes(69)); err != nil {
		t.Errorf("the last option does not count: %v", err)
	}
}

// TestRocksDBsLimit has sizes of more keys than a test adds: RocksDB's filters end before
// 512 MiB, 2^32 bits.
func TestRocksDBsLimit(t *testing.T) {
	const largest = (1<<32-1<<16)/512 + 1
	for _, c := range []struct {
		bitsPerKey float64
		keys       int
		lines      uint64
	}{
		{1, math.MaxInt32, 1<<22 + 1},
		{10, 429_490_000, 8_388_477},
		{10, 429_500_000, largest},
		{100, math.MaxInt32, largest},
	} {
		if got := legacy.SizeOf(c.bitsPerKey, c.keys); got != c.lines*64+5 {
			t.Errorf("%v bits/key, %d keys: %d bytes, want %d lines", c.bitsPerKey, c.keys, got, c.lines)
		}
	}
}

// TestShortKeys has keys at the edges of the hash's words.
func TestShortKeys(t *testing.T) {
	var keys [][]byte
	for n := range 20 {
		for _, b := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			keys = append(keys, bytes.Repeat([]byte{b}, n))
		}
		keys = append(keys, binary.LittleEndian.AppendUint64(nil, uint64(n)<<56)[:min(n, 8)])
	}
	data := build(t, 20, keys)
	f := open(t, data)
	for _, key := range keys {
		if !f.Contains(key) || !f.ContainsString(string(key)) || !legacy.MayContain(data, key) {
			t.Errorf("%x is missing", key)
		}
	}
}

// TestEntriesBeyondTheFormat: more bytes than the largest filter has make room for no more keys.
func TestEntriesBeyondTheFormat(t *testing.T) {
	most := legacy.EntriesFor(math.MaxInt, 10)
	for shift := 30; shift < strconv.IntSize-1; shift++ {
		if n := legacy.EntriesFor(1<<shift, 10); n != most || n < 1<<32/10-1<<16 {
			t.Errorf("2^%d bytes: %d keys, in all bytes %d", shift, n, most)
		}
	}
}
