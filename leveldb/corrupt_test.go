package leveldb_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/levelblock"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
)

func TestShortFilters(t *testing.T) {
	for b := range 256 {
		_, err := leveldb.Open([]byte{byte(b)}, keyhash.Hash{})
		if !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), "1 bytes: too short") {
			t.Fatal(err)
		}
		if !leveldb.MayContainHash([]byte{byte(b)}, 1) {
			t.Fatal("a single byte, and no")
		}
	}
	for _, data := range [][]byte{nil, {}} {
		if f := open(t, data); f.ContainsHash(1) || leveldb.MayContain(data, nil) || f.NumProbes() != 0 || f.SizeBytes() != 0 {
			t.Error("a filter without bytes contains something")
		}
	}
}

// TestAnyBytes has bytes of any content beside memory that may not be touched.
func TestAnyBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for size := range 150 {
		for _, k := range []int{0, 1, 2, 6, 30, 31, 127, 255} {
			data := make([]byte, size)
			for i := range data {
				data[i] = byte(r.Uint32() | r.Uint32()<<1)
			}
			if size > 0 {
				data[size-1] = byte(k)
			}
			hashes := []uint64{0, 1, math.MaxUint32, 1 << 31, math.MaxUint64, r.Uint64(), r.Uint64()}
			testmem.BesideGuards(t, data, func(data []byte) {
				f, err := leveldb.Open(data, keyhash.Hash{})
				if (err != nil) != (size == 1) {
					t.Fatalf("%d bytes: %v", size, err)
				}
				if err != nil {
					return
				}
				hits := make([]bool, len(hashes))
				f.ContainsHashes(hashes, hits)
				for i, hash := range hashes {
					want := naive.LevelDBContains(data, uint32(hash))
					if hits[i] != want || f.ContainsHash(hash) != want || leveldb.MayContainHash(data, hash) != want {
						t.Fatalf("%x, hash %#x: not %v", data, hash, want)
					}
				}
				if size > 20 && testing.Short() {
					return
				}
				if rate := f.EstimatedFPR(); !(rate >= 0 && rate <= 1) {
					t.Fatalf("%x: rate %v", data, rate)
				}
			})
		}
	}
}

// block returns filters' bytes with these offsets behind them, and a base.
func block(filters int, baseLg byte, offsets ...uint32) []byte {
	data := make([]byte, filters)
	for _, offset := range offsets {
		data = binary.LittleEndian.AppendUint32(data, offset)
	}
	return append(data, baseLg)
}

// TestWhatIsWrongWithABlock has one flaw each.
func TestWhatIsWrongWithABlock(t *testing.T) {
	for _, c := range []struct {
		says string
		data []byte
	}{
		{"too short", nil},
		{"too short", []byte{0, 0, 0, 11}},
		{"begin behind", block(0, 11, 1)},
		{"begin behind", block(20, 11, 0, 25)},
		{"begin behind", block(20, 11, math.MaxUint32)},
		{"4 bytes each", append([]byte{0}, block(9, 11, 0, 9)...)},
		{"the base is 64", block(9, 64, 0, 9)},
		{"the base is 255", block(0, 255, 0)},
		{"filter 0 begins behind the filters", block(9, 11, 10, 9)},
		{"filter 0 ends before it begins", block(9, 11, 5, 3, 9)},
		{"filter 1 begins behind the filters", block(9, 11, 5, 13, 9)},
		{"filter 1 ends before it begins", block(9, 11, 0, 9, 4, 9)},
		{"filter 2 is too short", block(10, 11, 0, 9, 9, 10)},
	} {
		_, err := leveldb.OpenBlock(c.data, keyhash.Hash{})
		if !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(fmt.Sprint(err), c.says) || !strings.HasPrefix(err.Error(), "leveldb: corrupt filter: ") {
			t.Errorf("%x: %v, want %q", c.data, err, c.says)
		}
	}
}

// TestAnyBlock changes a block beside memory that may not be touched, and asks what LevelDB's
// reader answers.
func TestAnyBlock(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	corrupt, fine := 0, 0
	for range 3000 {
		b := levelblock.New(float64(1+r.IntN(20)), r.IntN(64), keyhash.Hash{})
		for range r.IntN(40) {
			b.AddHash(r.Uint64())
		}
		data := b.Finish()
		if r.IntN(2) == 0 {
			data = block(r.IntN(40), byte(r.IntN(12)), r.Uint32N(30), r.Uint32N(30), 9, r.Uint32N(50))
		}
		switch r.IntN(4) {
		case 0:
			data = data[r.IntN(len(data)):]
		case 1:
			data = data[:r.IntN(len(data))]
		case 2:
			data[len(data)-1-r.IntN(5)] ^= 1 << r.IntN(8)
		}
		testmem.BesideGuards(t, data, func(data []byte) {
			opened, err := leveldb.OpenBlock(data, keyhash.Hash{})
			if err != nil {
				corrupt++
			} else {
				fine++
			}
			if err != nil {
				return
			}
			for range 10 {
				offset, hash := r.Uint64()>>r.IntN(64), r.Uint64()
				if want := naive.LevelDBBlockContains(data, offset, uint32(hash)); opened.MayContainHash(offset, hash) != want {
					t.Fatalf("%x, offset %d, hash %#x: not %v", data, offset, hash, want)
				}
			}
			for i := range opened.Filters() {
				open(t, opened.Filter(i))
			}
		})
	}
	if min(corrupt, fine) < 500 {
		t.Errorf("%d blocks are corrupt, %d are not", corrupt, fine)
	}
}
