package asm_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// naiveEnds are the places behind all bytes that equal end.
func naiveEnds(data []byte, end byte) (ends []uint32) {
	for i, c := range data {
		if c == end {
			ends = append(ends, uint32(i+1))
		}
	}
	return ends
}

// allEnds finds all ends by calls of find, with the given room in each.
func allEnds(t *testing.T, find endsFunc, data []byte, end byte, room []uint32) (ends []uint32) {
	t.Helper()
	for at := 0; at < len(data); {
		n, to := find(room, data, at, end)
		if n > len(room) || to <= at || to > len(data) {
			t.Fatalf("%d ends from %d to %d of %d bytes, with room for %d", n, at, to, len(data), len(room))
		}
		ends, at = append(ends, room[:n]...), to
	}
	return ends
}

type endsFunc func(ends []uint32, data []byte, from int, end byte) (n, to int)

// TestEnds: texts of every length, from an unreadable page on and up to one, with room for one end and more, which is
// between such pages, too.
func TestEnds(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		const longest, mostRoom = 330, 400
		random := rand.New(rand.NewPCG(1, 2))
		memory, places := testmem.Between(t, longest), testmem.HalfWords(testmem.Between(t, 4*mostRoom))
		step := 1
		if slow {
			step = 7
		}
		for n := 0; n <= longest; n += step {
			for i, kind := range []string{"\n", "a", "\n\n\n\n\n\n\na", "aaaaaaaaaaaaaaaa\n\x8a\v\t", "a\n"} {
				data, room := memory[:n], []int{1, 63, 64, 65, 127, 128, 130, mostRoom}[random.IntN(8)]
				ends := places[:room]
				if (n+i)%2 == 0 {
					data, ends = memory[len(memory)-n:], places[len(places)-room:]
				}
				for i := range data {
					data[i] = kind[random.IntN(len(kind))]
				}
				want := naiveEnds(data, '\n')
				for _, find := range []endsFunc{asm.Ends, fallback.Ends} {
					if got := allEnds(t, find, data, '\n', ends); !slices.Equal(got, want) {
						t.Fatalf("%q, room for %d: %d, want %d", data, room, got, want)
					}
				}
			}
		}
		for end := range 256 {
			text := bytes.Repeat([]byte{byte(end), byte(end ^ 1), byte(end ^ 0x80), byte(end + 1), byte(end)}, 40)
			if got, want := allEnds(t, asm.Ends, text, byte(end), make([]uint32, 100)), naiveEnds(text, byte(end)); !slices.Equal(got, want) {
				t.Fatalf("byte %d: %d, want %d", end, got, want)
			}
		}
		long := bytes.Repeat([]byte("0123456789abcdef\n"), 20_000) // more than in a call
		if got, want := allEnds(t, asm.Ends, long, '\n', make([]uint32, 8192)), naiveEnds(long, '\n'); !slices.Equal(got, want) {
			t.Fatalf("%d ends of %d", len(got), len(want))
		}
		if n, to := asm.Ends(nil, long, 3, '\n'); n != 0 || to != 3 {
			t.Fatalf("%d ends up to %d without room", n, to)
		}
	})
}

func BenchmarkEnds(b *testing.B) {
	for _, length := range []int{1, 4, 17, 41, 200} {
		text := bytes.Repeat(append(bytes.Repeat([]byte("a"), length-1), '\n'), 1<<16/length)
		ends := make([]uint32, 4096)
		for _, kernel := range []bool{false, true} {
			b.Run(fmt.Sprint(length, "/", map[bool]string{false: "Go", true: "asm"}[kernel]), func(b *testing.B) {
				find := map[bool]endsFunc{false: fallback.Ends, true: asm.Ends}[kernel]
				for b.Loop() {
					for at := 0; at < len(text); {
						_, at = find(ends, text, at, '\n')
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(text)/length), "ns/line")
			})
		}
	}
}
