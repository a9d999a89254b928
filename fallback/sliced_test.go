package fallback

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/naive"
)

// slicedFormats are the formats whose filters are sliced, by how a hash is added, looked up and found in a tile.
var slicedFormats = map[string]struct {
	blockBytes int
	add        func(body []byte, probes int, hash uint64)
	contains   func(body []byte, probes int, hash uint64) bool
	rows       func(rows []uint64, blocks uint32, hash uint64, probes, stride int) []uint64
}{
	"FastLocal": {BlockBytes, FastLocalAddKey, naive.FastLocalContains, FastLocalSlicedRows},
	"SplitBlock": {
		SplitBlockBytes,
		func(body []byte, _ int, hash uint64) { SplitBlockAddKey(body, hash) },
		func(body []byte, _ int, hash uint64) bool { return naive.SplitBlockContains(body, hash) },
		func(rows []uint64, blocks uint32, hash uint64, _, stride int) []uint64 {
			return SplitBlockSlicedRows(rows, blocks, hash, stride)
		},
	},
	"Blobloom": {
		BlockBytes,
		func(body []byte, probes int, hash uint64) { BlobloomAddKey(body, probes, hash) },
		func(body []byte, probes int, hash uint64) bool { return naive.BlobloomContains(body, probes+1, hash) },
		BlobloomSlicedRows,
	},
}

// TestSlicedAsOneByOne slices filters, and finds each hash in those that contain it. They come back as they were.
func TestSlicedAsOneByOne(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	for name, format := range slicedFormats {
		for _, rowBytes := range []int{8, 16, 32, 64, 128, 1088} {
			columns, blocks, probes := 8*rowBytes-random.IntN(min(60, 4*rowBytes)), 1+random.IntN(3), 1+random.IntN(30)
			what := fmt.Sprintf("%s, %d filters of %d blocks, k=%d", name, columns, blocks, probes)
			stride := rowBytes + 8*random.IntN(3)
			tile := make([]byte, (8*blocks*format.blockBytes-1)*stride+rowBytes)
			bodies := make([][]byte, columns)
			for i := range bodies {
				bodies[i] = make([]byte, blocks*format.blockBytes)
				for _, hash := range randomHashes(uint64(i), 30*blocks) {
					format.add(bodies[i], probes, hash)
				}
			}
			for at := 0; at < columns; {
				n := min(1+random.IntN(squareSide-at%squareSide), columns-at)
				SliceBodies(tile, stride, at, bodies[at:at+n])
				at += n
			}
			found := 0
			for _, hash := range slices.Concat(randomHashes(1, 20), randomHashes(2, 30*blocks), randomHashes(1e6, 40)) {
				var want []int
				for i, body := range bodies {
					if format.contains(body, probes, hash) {
						want = append(want, 1000+i)
					}
				}
				rows := format.rows([]uint64{1}, uint32(blocks), hash, probes, stride)
				if got := AppendSlicedHits([]int{-1}, tile, rows[1:], rowBytes, 1000); !slices.Equal(got[1:], want) || got[0] != -1 || rows[0] != 1 {
					t.Fatalf("%s: %#x is in %v, want %v", what, hash, got, want)
				}
				found += len(want)
			}
			if found == 0 {
				t.Errorf("%s: nothing was found", what)
			}
			for at := 0; at < columns; {
				n := min(1+random.IntN(squareSide-at%squareSide), columns-at)
				back := make([][]byte, n)
				for i := range back {
					back[i] = bytes.Repeat([]byte{0xaa}, len(bodies[0]))
				}
				UnsliceBodies(back, tile, stride, at)
				for i, body := range back {
					if !bytes.Equal(body, bodies[at+i]) {
						t.Fatalf("%s: filter %d came back changed", what, at+i)
					}
				}
				at += n
			}
		}
	}
}

// TestSlicingLeavesOtherColumns: only the columns of the bodies change.
func TestSlicingLeavesOtherColumns(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 2))
	const stride, size = 24, 16
	for range 200 {
		tile := make([]byte, 8*size*stride)
		for i := range tile {
			tile[i] = byte(random.Uint32())
		}
		column, before := random.IntN(8*stride), bytes.Clone(tile)
		bodies := make([][]byte, 1+random.IntN(squareSide-column%squareSide))
		for i := range bodies {
			bodies[i] = make([]byte, size)
			for j := range bodies[i] {
				bodies[i][j] = byte(random.Uint32())
			}
		}
		SliceBodies(tile, stride, column, bodies)
		for bit := range 8 * len(tile) {
			row, c := bit/(8*stride), bit%(8*stride)
			want := before[bit/8] >> (bit % 8) & 1
			if i := c - column; i >= 0 && i < len(bodies) {
				want = bodies[i][row/8] >> (row % 8) & 1
			}
			if tile[bit/8]>>(bit%8)&1 != want {
				t.Fatalf("%d bodies from column %d on: bit of row %d, column %d is not %d", len(bodies), column, row, c, want)
			}
		}
	}
}

// TestAndSliced: answers have any number of words.
func TestAndSliced(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 3))
	for words := range 40 {
		for _, probes := range []int{1, 2, 6, 64} {
			tile := make([]byte, 8*words+200)
			for i := range tile {
				tile[i] = byte(random.Uint32() | random.Uint32())
			}
			rows := make([]uint64, 3*probes)
			for i := range rows {
				rows[i] = random.Uint64N(200)
			}
			got, want := make([]uint64, 3*words+1), make([]uint64, 3*words+1)
			for i := range 3 * words * 64 {
				key, column, all := i/64/max(words, 1), i%(64*max(words, 1)), byte(1)
				for _, row := range rows[key*probes:][:probes] {
					all &= tile[int(row)+column/8] >> (column % 8)
				}
				want[i/64] |= uint64(all&1) << (i % 64)
			}
			if AndSlicedKeys(got, tile, rows, probes, words); !slices.Equal(got, want) {
				t.Fatalf("%d words, %d probes: %x, want %x", words, probes, got, want)
			}
			if AndSliced(got[:words], tile, rows[:probes]); !slices.Equal(got, want) {
				t.Fatalf("%d words, %d probes: %x, want %x", words, probes, got, want)
			}
		}
	}
}
