package fuzz

import (
	"bytes"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// FuzzEnds finds the ends of arbitrary lines at every level, with arbitrary room, as package fallback does.
func FuzzEnds(f *testing.F) {
	f.Add([]byte("a\nbc\n\nd"), byte('\n'), uint16(1), uint16(0))
	f.Add(bytes.Repeat([]byte("0123456789abcdef\n"), 40), byte('\n'), uint16(64), uint16(5))
	f.Add(bytes.Repeat([]byte{0}, 200), byte(0), uint16(130), uint16(3))
	f.Fuzz(func(t *testing.T, text []byte, end byte, room, from uint16) {
		text = text[:min(len(text), 1<<12)]
		start := min(int(from), len(text))
		want := make([]uint32, len(text))
		n, to := fallback.Ends(want, text, start, end)
		if want = want[:n]; to != len(text) || n != bytes.Count(text[start:], []byte{end}) {
			t.Fatalf("%d ends up to %d", n, to)
		}
		testmem.BesideGuards(t, text, func(data []byte) {
			testmem.BesideGuards(t, make([]byte, 4*(1+int(room)%300)), func(memory []byte) {
				ends := testmem.HalfWords(memory)
				for _, level := range levels() {
					restore := cpu.Limit(level)
					var got []uint32
					for at := start; at < len(data); {
						n, to := asm.Ends(ends, data, at, end)
						if to <= at {
							t.Fatalf("%v: stopped at %d", level, at)
						}
						got, at = append(got, ends[:n]...), to
					}
					if !slices.Equal(got, want) {
						t.Fatalf("%v: ends %d, want %d", level, got, want)
					}
					restore()
				}
			})
		})
	})
}
