package legacy_test

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
)

var (
	added  = vectors.Keys("bin", 0, 6000)
	kept   = slices.Compact(keyhash.RocksDB32.AppendHashes(nil, added))
	pebble = []simdbloom.Option{legacy.WithPebble()}
)

// filterOf is the filter of hashes, none of which follows itself.
func filterOf(hashes []uint64, lines uint32, k int) []byte {
	body := make([]byte, 64*lines, 64*lines+5)
	for _, hash := range hashes {
		naive.LegacyAdd(body, lines, k, uint32(hash))
	}
	return append(body, trailer(byte(k), lines)...)
}

// TestBitsPerKey has what bits per key are rounded to, and the errors.
func TestBitsPerKey(t *testing.T) {
	for _, c := range []struct {
		bitsPerKey float64
		options    []simdbloom.Option
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
		b, err := legacy.NewBuilder(bitsPerKey, keyhash.Hash{}, pebble...)
		if isWhole := bitsPerKey == 0 || bitsPerKey == 0.49; isWhole != (err == nil) || isWhole != (b != nil) {
			t.Errorf("%v bits/key for Pebble: %v", bitsPerKey, err)
		}
	}
}

// TestNoKeys has the filters without keys, before and after one with a key.
func TestNoKeys(t *testing.T) {
	for _, c := range []struct {
		options []simdbloom.Option
		want    []byte
	}{{nil, nil}, {pebble, make([]byte, 5)}} {
		b := contract.Legacy.Builder(t, 10, c.options...)
		for range 2 {
			if data := contract.Legacy.Finish(t, b); !bytes.Equal(data, c.want) || open(t, data).Format() != simdbloom.Empty || legacy.MayContain(data, nil) {
				t.Errorf("%x, want %x", data, c.want)
			}
			dirty := []byte("dst..........")
			if dst, err := b.AppendFinish(dirty[:3]); err != nil || !bytes.Equal(dst, append([]byte("dst"), c.want...)) {
				t.Errorf("AppendFinish: %x, %v", dst, err)
			}
			b.AddString("a key, to be used again")
			if data := contract.Legacy.Finish(t, b); len(data) != 69 {
				t.Errorf("%d bytes of one key", len(data))
			}
		}
	}
}

// TestTooLarge has Pebble's filters, which have no limit of their own.
func TestTooLarge(t *testing.T) {
	const keys, mostBits = 17, 1<<31 - 2
	b := contract.Legacy.Builder(t, mostBits, pebble...)
	b.AddHashes(kept[:keys])
	if want := min(uint64((keys*mostBits+511)/512|1)*64+5, math.MaxInt); uint64(b.SizeBytes()) != want {
		t.Errorf("%d bytes, want %d", b.SizeBytes(), want)
	}
	contract.TestTooLarge(t, b)
	if rate := legacy.PredictedFPR(keys, mostBits, pebble...); !math.IsNaN(rate) {
		t.Errorf("a rate of %v", rate)
	}
	// Within a limit, no number of bits is too large.
	b = contract.Legacy.Builder(t, mostBits, legacy.WithPebble(), simdbloom.WithMaxBytes(1000))
	b.AddHashes(kept[:keys])
	if data := contract.Legacy.Finish(t, b); len(data) != 15*64+5 {
		t.Errorf("%d bytes, at most 1000", len(data))
	}
}

// TestMaxBytes has the lines and the probes of filters within limits, and their rates.
func TestMaxBytes(t *testing.T) {
	hashes := kept[:5000]
	whole := int(legacy.SizeOf(10, len(hashes)))
	for _, most := range []int{69, 70, 132, 133, 197, 1000, 3000, whole - 129, whole - 128, whole - 1, whole, whole + 1, 100_000} {
		data := contract.Legacy.Build(t, 10, hashes, simdbloom.WithMaxBytes(most))
		lines := min((most-5)/64, (whole-5)/64)
		lines -= 1 - lines%2
		k := 6
		if lines < whole/64 {
			k = max(1, lines*512/len(hashes)*69/100)
		}
		if !bytes.Equal(data, filterOf(hashes, uint32(lines), k)) {
			t.Fatalf("at most %d bytes: %d, trailer %x, want %d lines and k=%d", most, len(data), data[len(data)-5:], lines, k)
		}
		if testing.Short() || most != 133 && most != 3000 && most != whole-1 && most != whole {
			continue
		}
		if p, e := contract.Legacy.PredictedFPR(len(hashes), 10, simdbloom.WithMaxBytes(most)), open(t, data).EstimatedFPR(); !(p > 0.9*e && p < 1.1*e) {
			t.Errorf("at most %d bytes: predicted rate %v, estimated %v", most, p, e)
		}
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

// TestKeysFor has sizes around those of filters, the smallest one's first, and more bytes than the
// largest filter has.
func TestKeysFor(t *testing.T) {
	for _, bitsPerKey := range []float64{1, 10, 33.3, 100} {
		if n := legacy.KeysFor(68, bitsPerKey); n != 0 {
			t.Errorf("68 bytes at %v bits/key: %d keys", bitsPerKey, n)
		}
		for _, bytes := range []int{69, 70, 196, 197, 198, 324, 325, 1000, 1 << 20} {
			n := legacy.KeysFor(bytes, bitsPerKey)
			if n < 1 || legacy.SizeOf(bitsPerKey, n) > uint64(bytes) || legacy.SizeOf(bitsPerKey, n+1) <= uint64(bytes) {
				t.Errorf("%d bytes at %v bits/key: %d keys", bytes, bitsPerKey, n)
			}
		}
	}
	most := legacy.KeysFor(math.MaxInt, 10)
	for shift := 30; shift < strconv.IntSize-1; shift++ {
		if n := legacy.KeysFor(1<<shift, 10); n != most || n < 1<<32/10-1<<16 {
			t.Errorf("2^%d bytes: %d keys, in all bytes %d", shift, n, most)
		}
	}
}
