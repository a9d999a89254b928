package asm_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// slicedContents fill a tile.
var slicedContents = map[string]func(random *rand.Rand, tile []byte){
	"zeros": func(_ *rand.Rand, tile []byte) { fill(tile, 0) },
	"ones":  func(_ *rand.Rand, tile []byte) { fill(tile, 0xff) },
	"half": func(random *rand.Rand, tile []byte) {
		for i := range tile {
			tile[i] = byte(random.Uint32())
		}
	},
	"most": func(random *rand.Rand, tile []byte) {
		for i := range tile {
			tile[i] = byte(random.Uint32() | random.Uint32() | random.Uint32() | random.Uint32() | random.Uint32())
		}
	},
	"one": func(random *rand.Rand, tile []byte) {
		fill(tile, 0)
		tile[random.IntN(len(tile))] = 1 << random.IntN(8)
	},
	"all but one": func(random *rand.Rand, tile []byte) {
		fill(tile, 0xff)
		tile[random.IntN(len(tile))] ^= 1 << random.IntN(8)
	},
}

// slicedPlace returns room for a tile of the given size, at a random place between unreadable pages or at one of them.
func slicedPlace(random *rand.Rand, memory []byte, size int) []byte {
	at := []int{0, len(memory) - size, random.IntN(len(memory) - size + 1)}[random.IntN(3)]
	return memory[at : at+size : at+size]
}

// slicedRows returns byte offsets of rows in a tile. One of them is its end.
func slicedRows(random *rand.Rand, tile []byte, n, rowBytes int) []uint64 {
	rows := make([]uint64, n)
	for i := range rows {
		rows[i] = random.Uint64N(uint64(len(tile)-rowBytes) + 1)
	}
	if random.IntN(2) == 0 {
		rows[random.IntN(n)] = uint64(len(tile) - rowBytes)
	}
	return rows
}

// TestSlicedHits lists the columns of rows of every length, in tiles at any place, and touches nothing else.
func TestSlicedHits(t *testing.T) {
	lengths := []int{8, 16, 32}
	for bytes := 64; bytes <= asm.MostSlicedBytes; bytes += 64 {
		lengths = append(lengths, bytes)
	}
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(8, 1))
		memory := testmem.Between(t, 1<<14)
		for i, rowBytes := range lengths {
			for content, fillTile := range slicedContents {
				for _, n := range []int{1, 2, 3, 6, 9, 16, 33, 64, 65, 1100} {
					if i > 12 && (i+n)%5 > 0 || slow && (i+n)%3 > 0 { // other numbers of rows with other lengths
						continue
					}
					tile := slicedPlace(random, memory, min(rowBytes+random.IntN(4000), len(memory)))
					fillTile(random, tile)
					rows := slicedRows(random, tile, n, rowBytes)
					first := random.IntN(1 << 20)
					what := fmt.Sprintf("%d rows of %d bytes, %s", n, rowBytes, content)
					want := fallback.AppendSlicedHits(nil, tile, rows, rowBytes, first)
					writable := testmem.ReadOnly(t, memory)
					checkSlicedHits(t, random, what, want, func(dst []int) []int {
						return asm.AppendSlicedHits(dst, tile, rows, rowBytes, first)
					})
					writable()
				}
			}
		}
	})
}

// checkSlicedHits appends hits where there is room for more, for exactly these, and for less. What is behind them in
// memory stays as it was.
func checkSlicedHits(t *testing.T, random *rand.Rand, what string, want []int, hits func(dst []int) []int) {
	t.Helper()
	const before, untouched = -1, -2
	for _, room := range []int{len(want), len(want) + 1 + random.IntN(70), len(want) / 2, max(0, len(want)-1), 0} {
		all := slices.Repeat([]int{untouched}, 1+room+100)
		all[0] = before
		got := hits(all[: 1 : 1+room])
		if got[0] != before || !slices.Equal(got[1:], want) {
			t.Fatalf("%s, room for %d: %v, want %v", what, room, got, want)
		}
		written := 1 + min(room, len(want))
		if room >= len(want) && &got[0] != &all[0] {
			t.Fatalf("%s: %d hits had room, and were moved", what, len(want))
		}
		if i := slices.IndexFunc(all[written:], func(n int) bool { return n != untouched }); i >= 0 {
			t.Fatalf("%s, room for %d: %d was written behind %d hits", what, room, all[written+i], len(want))
		}
	}
}

// TestAndSlicedKeys has answers of all lengths.
func TestAndSlicedKeys(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(8, 2))
		memory, answers := testmem.Between(t, 1<<14), testmem.Words(testmem.Between(t, 1<<14))
		for words := range 70 {
			for content, fillTile := range slicedContents {
				for _, probes := range []int{1, 2, 6, 7, 31, 64, 1100} {
					tile := slicedPlace(random, memory, 8*words+1+random.IntN(3000))
					fillTile(random, tile)
					keys := random.IntN(min(40, 1+1000/max(words, 1)))
					rows := slicedRows(random, tile, max(1, keys*probes), 8*words)[:keys*probes]
					want, from := make([]uint64, keys*words), random.IntN(2)*(len(answers)-keys*words)
					fallback.AndSlicedKeys(want, tile, rows, probes, words)
					for i := range answers {
						answers[i] = 42
					}
					writable := testmem.ReadOnly(t, memory)
					asm.AndSlicedKeys(answers[from:], tile, rows, probes, words)
					writable()
					for i, got := range answers {
						if i < from || i >= from+len(want) {
							if got != 42 {
								t.Fatalf("%d keys, %d probes, %d words: something was written beside the answers", keys, probes, words)
							}
						} else if got != want[i-from] {
							t.Fatalf("%d keys, %d probes, %d words, %s: word %d is %x, want %x", keys, probes, words, content, i-from, got, want[i-from])
						}
					}
				}
			}
		}
	})
}

// TestSlicedBodies slices bodies of all lengths, as package fallback does, and takes them out again.
func TestSlicedBodies(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(8, 3))
		memory := testmem.Between(t, 1<<18+1<<16)
		for size := 8; size <= 200; size += 8 {
			if slow && size > 72 && size%32 != 8 {
				continue
			}
			for content, fillTile := range slicedContents {
				for _, rowBytes := range []int{8, 16, 24, 64, 72, 136} {
					stride := rowBytes + random.IntN(3)*random.IntN(20)
					tile := slicedPlace(random, memory, (8*size-1)*stride+rowBytes)
					fillTile(random, tile)
					n := 1 + random.IntN(8*rowBytes)
					if random.IntN(3) == 0 {
						n = min(8, n)
					}
					column := random.IntN(8*rowBytes - n + 1)
					what := fmt.Sprintf("%d bodies of %d bytes, from column %d on, rows %d bytes apart, %s", n, size, column, stride, content)
					room := testmem.Between(t, n*size)
					bodies := slices.Collect(slices.Chunk(room[len(room)-n*size:], size))
					back, want := bodiesLike(bodies), bodiesLike(bodies)
					fallback.UnsliceBodies(want, tile, stride, column)
					writable := testmem.ReadOnly(t, memory)
					asm.UnsliceBodies(bodies, tile, stride, column)
					writable()
					checkBodies(t, what+": out", bodies, want)

					for _, body := range bodies {
						fillTile(random, body)
					}
					wantTile := bytes.Clone(tile)
					fallback.SliceBodies(wantTile, stride, column, bodies)
					writable = testmem.ReadOnly(t, room)
					asm.SliceBodies(tile, stride, column, bodies)
					writable()
					if !bytes.Equal(tile, wantTile) {
						t.Fatalf("%s: another tile", what)
					}
					asm.UnsliceBodies(back, tile, stride, column)
					checkBodies(t, what+": back", back, bodies)
				}
			}
		}
	})
}

func bodiesLike(bodies [][]byte) [][]byte {
	others := make([][]byte, len(bodies))
	for i := range others {
		others[i] = make([]byte, len(bodies[i]))
	}
	return others
}

func checkBodies(t *testing.T, what string, got, want [][]byte) {
	t.Helper()
	for i := range want {
		if !bytes.Equal(got[i], want[i]) {
			t.Fatalf("%s: body %d is %x, want %x", what, i, got[i], want[i])
		}
	}
}

// TestTransposedWords: the matrix of a transposed one is the first one again.
func TestTransposedWords(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(8, 4))
		for _, words := range []int{1, 2, 3, 4, 8} {
			for _, squares := range []int{1, 2, 5, 16, 17, 40} {
				apart, src := squares+random.IntN(3), make([]uint64, 64*squares*words)
				for i := range src {
					src[i] = random.Uint64()
				}
				size := 8 * ((64*words-1)*apart + squares)
				testmem.BesideGuards(t, bytes.Repeat([]byte{0xaa}, size), func(memory []byte) {
					dst, want := testmem.Words(memory), slices.Repeat([]uint64{0xaaaaaaaaaaaaaaaa}, size/8)
					for bit := range 64 * len(src) {
						row, column := bit/(64*words), bit%(64*words)
						at, mask := column*apart+row/64, uint64(1)<<(row%64)
						want[at] = want[at]&^mask | src[bit/64]>>(bit%64)&1<<(row%64)
					}
					asm.TransposeWords(dst, apart, src, words)
					if !slices.Equal(dst, want) {
						t.Fatalf("%d words, %d squares: another matrix", words, squares)
					}
				})
			}
		}
	})
}

// TestSlicedMisuse panics before anything is read or written.
func TestSlicedMisuse(t *testing.T) {
	tile, hits, words := make([]byte, 512*64), make([]int, 0, 512), make([]uint64, 16)
	bodies := [][]byte{make([]byte, 64), make([]byte, 64)}
	for i := range tile {
		tile[i] = 0xff
	}
	eachLevel(t, func(t *testing.T) {
		for name, misuse := range map[string]func(){
			"no rows":                  func() { asm.AppendSlicedHits(hits, tile, nil, 64, 0) },
			"no bytes of rows":         func() { asm.AppendSlicedHits(hits, tile, []uint64{0}, 0, 0) },
			"negative bytes of rows":   func() { asm.AppendSlicedHits(hits, tile, []uint64{0}, -64, 0) },
			"24 bytes of rows":         func() { asm.AppendSlicedHits(hits, tile, []uint64{0}, 24, 0) },
			"too many bytes of rows":   func() { asm.AppendSlicedHits(hits, tile, []uint64{0}, 4160, 0) },
			"a row behind the tile":    func() { asm.AppendSlicedHits(hits, tile, []uint64{0, 511*64 + 1, 0}, 64, 0) },
			"a row far behind":         func() { asm.AppendSlicedHits(hits, tile, []uint64{0, 1<<64 - 64}, 64, 0) },
			"a short tile":             func() { asm.AppendSlicedHits(hits, tile[:63], []uint64{0}, 64, 0) },
			"prefetching behind":       func() { asm.PrefetchSliced(tile, []uint64{512 * 64}) },
			"no probes":                func() { asm.AndSlicedKeys(words, tile, []uint64{0}, 0, 8) },
			"part of a key":            func() { asm.AndSlicedKeys(words, tile, make([]uint64, 5), 2, 8) },
			"few answers":              func() { asm.AndSlicedKeys(words, tile, make([]uint64, 6), 2, 8) },
			"a key's row behind":       func() { asm.AndSlicedKeys(words, tile, []uint64{0, 511*64 + 8}, 1, 8) },
			"no bodies":                func() { asm.SliceBodies(tile, 64, 0, nil) },
			"a negative column":        func() { asm.SliceBodies(tile, 64, -1, bodies) },
			"a column behind the rows": func() { asm.SliceBodies(tile, 64, 511, bodies) },
			"too many rows":            func() { asm.SliceBodies(tile[:511*64+7], 64, 0, bodies) },
			"no stride":                func() { asm.SliceBodies(tile, 0, 0, bodies) },
			"a negative stride":        func() { asm.SliceBodies(tile, -64, 0, bodies) },
			"other lengths":            func() { asm.SliceBodies(tile, 64, 0, [][]byte{bodies[0], bodies[1][:56]}) },
			"parts of words":           func() { asm.UnsliceBodies([][]byte{bodies[0][:60]}, tile, 64, 0) },
			"rows behind the tile":     func() { asm.UnsliceBodies(bodies, tile, 72, 0) },
			"part of a square":         func() { asm.TransposeWords(words, 1, make([]uint64, 63), 1) },
			"no words":                 func() { asm.TransposeWords(words, 1, make([]uint64, 64), 0) },
			"rows behind the words":    func() { asm.TransposeWords(words, 1, make([]uint64, 64), 1) },
			"rows upon each other":     func() { asm.TransposeWords(make([]uint64, 128), 1, make([]uint64, 128), 1) },
			"another format":           func() { asm.SlicedRows(nil, asm.Ribbon, 1, 0, 6, 64) },
		} {
			func() {
				defer func() {
					if got := recover(); !strings.HasPrefix(fmt.Sprint(got), "asm: ") {
						t.Errorf("%s: %v", name, got)
					}
				}()
				misuse()
			}()
		}
		if hits := hits[:cap(hits)]; slices.Max(hits) != 0 || slices.Max(words) != 0 || slices.Min(tile) != 0xff || slices.Max(bodies[0]) != 0 {
			t.Error("something was written before a panic")
		}
		asm.SliceBodies(nil, 64, 0, [][]byte{{}, {}})
		asm.AndSlicedKeys(nil, nil, nil, 1, 8)
		if n := testing.AllocsPerRun(10, func() {
			asm.SliceBodies(tile, 64, 7, bodies)
			asm.UnsliceBodies(bodies, tile, 64, 7)
			asm.AppendSlicedHits(hits, tile, []uint64{0, 64}, 64, 0)
			asm.AndSlicedKeys(words, tile, []uint64{0, 64}, 1, 8)
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
		fill(tile, 0xff)
		fill(bodies[0], 0)
		clear(hits[:cap(hits)])
		clear(words)
	})
}
