package legacy_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
)

func trailer(k byte, lines uint32) []byte {
	return binary.LittleEndian.AppendUint32([]byte{k}, lines)
}

// TestWhatIsWrong has one flaw each.
func TestWhatIsWrong(t *testing.T) {
	const short = "too short for a line and the trailer, 6 bytes"
	const long = "not as long as the lines of 64 bytes that it counts"
	lines := func(n int, trailer []byte) []byte { return append(make([]byte, 64*n), trailer...) }
	for _, c := range []struct {
		says string
		data []byte
	}{
		{short, []byte{0}},
		{short, []byte{6}},
		{short, make([]byte, 4)},
		{short, trailer(6, 1)},
		{short, trailer(0, 1)},
		{short, trailer(1, 0)},
		{short, trailer(0xff, 0)},
		{long, lines(1, trailer(6, 0x04000001))},
		{long, lines(3, trailer(127, 0x04000003))},
		{long, lines(1, trailer(1, 0xfc000001))},
	} {
		_, err := legacy.Open(c.data, keyhash.Hash{})
		if !errors.Is(err, simdbloom.ErrCorrupt) || fmt.Sprint(err) != fmt.Sprintf("simdbloom: Legacy: corrupt filter: %d bytes: %s", len(c.data), c.says) {
			t.Errorf("%x: %v, want %q", c.data[max(0, len(c.data)-5):], err, c.says)
		}
		if !legacy.MayContainHash(c.data, 1) || !legacy.MayContain(c.data, nil) {
			t.Errorf("%x: MayContain said no", c.data)
		}
	}
}

// TestFormats has bytes that are no legacy filter. All but an empty one may contain every key.
func TestFormats(t *testing.T) {
	body := make([]byte, 64)
	for _, c := range []struct {
		format simdbloom.Format
		data   []byte
	}{
		{simdbloom.Empty, nil},
		{simdbloom.Empty, []byte{}},
		{simdbloom.Empty, make([]byte, 5)},
		{simdbloom.Reserved, make([]byte, 6)},
		{simdbloom.Reserved, append(body, trailer(0, 1)...)},
		{simdbloom.Reserved, append(body, trailer(6, 0)...)},
		{simdbloom.Reserved, append(body, trailer(6, 3)...)},
		{simdbloom.Reserved, append(make([]byte, 96), trailer(6, 2)...)},
		{simdbloom.Reserved, append(body, trailer(0x80, 1)...)},
		{simdbloom.Reserved, append(body, trailer(0xfd, 1)...)},
		{simdbloom.FastLocal, append(body, 0xff, 0, 6, 0, 0)},
		{simdbloom.Ribbon, append(body, 0xfe, 1, 2, 0, 0)},
	} {
		f, want := open(t, c.data), c.format != simdbloom.Empty
		hits, words, rate := []bool{!want, !want}, []uint64{5, 5}, 0.0
		f.ContainsHashes([]uint64{1, 2}, hits)
		f.ContainsHashBits([]uint64{1, 2}, words)
		if want {
			rate = 1
		}
		if f.Format() != c.format || int(geometry.Of(f).Lines) != 0 || f.NumProbes() != 0 || f.EstimatedFPR() != rate ||
			f.ContainsString("key") != want || hits[0] != want || hits[1] != want || (words[0] == 3) != want || words[1] != 5 ||
			legacy.MayContain(c.data, []byte("key")) != want || len(f.AppendHits(nil, []uint64{1, 2})) != 2*int(rate) {
			t.Errorf("%x: %v, %d lines, %d probes, rate %v, answers %v %#x, want %v", c.data, f.Format(), int(geometry.Of(f).Lines), f.NumProbes(), f.EstimatedFPR(), hits, words, c.format)
		}
		if again := f.CopyAligned(); again.Format() != c.format || !bytes.Equal(again.Bytes(), c.data) || again.ContainsHash(3) != want {
			t.Errorf("%x: the copy is %v", c.data, again.Format())
		}
	}
}

// beside has room between pages that may not be touched.
type beside []byte

// put calls f with the bytes right behind such a page, and right before one.
func (room beside) put(data []byte, f func(data []byte)) {
	for _, at := range []int{0, len(room) - len(data)} {
		placed := room[at:][:len(data):len(data)]
		copy(placed, data)
		f(placed)
	}
}

// TestAnyTrailer has every number of probes, and numbers of lines that divide the body and
// such that do not.
func TestAnyTrailer(t *testing.T) {
	r, room := rand.New(rand.NewPCG(5, 6)), beside(testmem.Between(t, 8192))
	probes := make([]byte, 256)
	for k := range probes {
		probes[k] = byte(k)
	}
	if testing.Short() {
		probes = []byte{0, 1, 2, 6, 30, 31, 127, 128, 253, 254, 255}
	}
	formats := make(map[simdbloom.Format]int)
	corrupt := 0
	for _, size := range []uint32{1, 2, 3, 5, 7, 8, 31, 32, 63, 64, 65, 96, 127, 128, 320, 1024, 128 * 33} {
		all := []uint32{
			0, 1, 5, 33, size / 128, size / 64, size / 32, size / 2, size, size + 1,
			1 << 26, 1<<26 + size/64, 63<<26 + size/64, math.MaxUint32,
		}
		for _, k := range probes {
			// With more probes, more bits are set.
			body := make([]byte, size, size+5)
			for i := range body {
				body[i] = byte(r.Uint32())
				for j := k & 127; j > 1; j /= 2 {
					body[i] |= byte(r.Uint32())
				}
			}
			for _, lines := range all {
				hashes := []uint64{0, 1, math.MaxUint32, 1 << 31, math.MaxUint64, r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
				room.put(append(body, trailer(k, lines)...), func(data []byte) {
					format, ok := checkAnswers(t, data, hashes)
					wraps := k-1 < 127 && uint64(lines)*64 != uint64(size) && lines*64 == size
					if ok == wraps {
						t.Fatalf("%d bytes, k=%d, %d lines: opened is %v", size, k, lines, ok)
					}
					if formats[format]++; !ok {
						corrupt++
					}
				})
			}
		}
	}
	t.Logf("%d filters are corrupt, the others are %v", corrupt, formats)
	for _, format := range []simdbloom.Format{simdbloom.Reserved, simdbloom.Legacy, simdbloom.FastLocal, simdbloom.Ribbon} {
		if min(formats[format], corrupt) < 100 {
			t.Errorf("only %d filters are %v, %d corrupt", formats[format], format, corrupt)
		}
	}
}

// checkAnswers compares every query with the naive reader. It returns the filter's format, and
// whether the bytes could be opened.
func checkAnswers(t *testing.T, data []byte, hashes []uint64) (format simdbloom.Format, ok bool) {
	t.Helper()
	f, err := legacy.Open(data, keyhash.Hash{})
	if err != nil {
		for _, hash := range hashes {
			if !errors.Is(err, simdbloom.ErrCorrupt) || !legacy.MayContainHash(data, hash) {
				t.Fatalf("%d bytes, %x: %v, or no", len(data), data[max(0, len(data)-5):], err)
			}
		}
		return 0, false
	}
	var hits [16]bool
	var words [1]uint64
	f.ContainsHashes(hashes, hits[:])
	f.ContainsHashBits(hashes, words[:])
	for i, hash := range hashes {
		want := naive.LegacyReads(data, uint32(hash))
		if hits[i] != want || words[0]>>i&1 != 0 != want || f.ContainsHash(hash) != want || legacy.MayContainHash(data, hash) != want {
			t.Fatalf("%d bytes, trailer %x, hash %#x: not %v", len(data), data[len(data)-5:], hash, want)
		}
	}
	return f.Format(), true
}

// TestAnyBytes has random bytes, and filters that were cut off or changed.
func TestAnyBytes(t *testing.T) {
	r, room := rand.New(rand.NewPCG(7, 8)), beside(testmem.Between(t, 4096))
	opened, corrupt := 0, 0
	for range 3000 {
		b := contract.Legacy.Builder(t, 1+99*r.Float64())
		for range 1 + r.IntN(100) {
			b.AddHash(r.Uint64())
		}
		data := contract.Legacy.Finish(t, b)
		switch r.IntN(4) {
		case 0:
			data = data[:r.IntN(len(data))]
		case 1:
			data = data[len(data)-r.IntN(12):]
		case 2:
			data[len(data)-1-r.IntN(5)] ^= 1 << r.IntN(8)
		case 3:
			for i := range data {
				data[i] = byte(r.Uint32())
			}
		}
		data = data[max(0, len(data)-4096):]
		key := data[:min(len(data), r.IntN(20))]
		hashes := []uint64{0, 1, math.MaxUint32, r.Uint64(), r.Uint64(), keyhash.RocksDB32.Sum64(key)}
		room.put(data, func(data []byte) {
			if _, ok := checkAnswers(t, data, hashes); !ok {
				corrupt++
				return
			}
			opened++
			f, hash := open(t, data), naive.LevelDBHash(key, true)
			want, hits := naive.LegacyReads(data, hash), make([]bool, 9)
			f.ContainsKeys(slices.Repeat([][]byte{key}, len(hits)), hits)
			if f.Contains(key) != want || f.ContainsString(string(key)) != want || legacy.MayContain(data, key) != want || slices.Contains(hits, !want) {
				t.Fatalf("%x, key %x: not %v", data, key, want)
			}
		})
	}
	if min(opened, corrupt) < 200 {
		t.Errorf("%d filters were opened, %d are corrupt", opened, corrupt)
	}
}

// TestMoreThanTheFormatHas has bodies of 4 GiB and more, of zeros.
func TestMoreThanTheFormatHas(t *testing.T) {
	if testing.Short() {
		t.Skip("reserves 8 GiB of addresses")
	}
	memory := testmem.Sparse(t, 1<<33+5)
	if memory == nil {
		t.Skip("there are no 8 GiB of addresses")
	}
	for _, c := range []struct {
		size   uint64
		lines  uint32
		format simdbloom.Format
		ok     bool
	}{
		{1<<32 - 64, 1<<26 - 1, simdbloom.Legacy, true},
		{1 << 32, 1 << 26, simdbloom.Legacy, true},
		{1<<32 + 64, 1<<26 + 1, simdbloom.Legacy, true},
		{1<<32 + 64, 1, 0, false}, // RocksDB counts the bytes modulo 2^32: here 64
		{1 << 32, 1 << 31, 0, false},
		{1 << 33, 1, simdbloom.Legacy, true},
		{1<<33 - 1, math.MaxUint32, simdbloom.Reserved, true},
	} {
		data := memory[:c.size+5]
		copy(data[c.size:], trailer(6, c.lines))
		f, err := legacy.Open(data, keyhash.Hash{})
		if (err == nil) != c.ok || c.ok && f.Format() != c.format {
			t.Errorf("%d bytes, %d lines: %v, %v", c.size, c.lines, f, err)
		}
		checkAnswers(t, data, []uint64{0, 1, 1 << 31, math.MaxUint32})
		clear(data[c.size:])
	}
}
