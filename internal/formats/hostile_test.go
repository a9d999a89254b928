package formats

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/formats/linear"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// TestHostileBytes reads bytes beside memory that must not be touched: filters whose trailer has another
// byte or more, cut short, or of another format.
func TestHostileBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	trailers := []contents.Contents{
		{Format: asm.FastLocal, Probes: 6},
		{Format: asm.Paired, BatchBlocks: 32, Probes: 7},
		{Format: asm.Paired, BatchBlocks: 128, Probes: 1},
		layered(0, 8),
		layered(0, 16, [2]uint32{0, 1}),
		layered(20, 12, [2]uint32{3, 4}, [2]uint32{0, 1}, [2]uint32{1, 1}),
		{Format: asm.Ribbon, Blocks: 2, Seed: 3},
		{Format: asm.Ribbon, Blocks: 1 << 20, Seed: 200},
		{Format: asm.Legacy, Lines: 1, Probes: 6},
		{Format: asm.Legacy, Lines: 5, Probes: 100},
		{Format: asm.Legacy, Lines: 1<<26 + 5, Probes: 6},
		{Format: asm.LevelDB, Probes: 6},
		{Format: asm.SplitBlock},
		{Format: asm.Blobloom, Probes: 6},
	}
	sizes := []int{0, 1, 2, 15, 16, 63, 64, 65, 80, 320, 321, 2048, 8192}
	rounds := 40
	if testing.Short() {
		rounds = 4
	}
	flawed, fine := make([]int, len(readers)), make([]int, len(readers))
	for range rounds {
		for _, c := range trailers {
			for _, size := range sizes {
				body := make([]byte, size)
				for i := range body {
					body[i] = byte(r.Uint32() | r.Uint32())
				}
				trailer := trailerOf(c)
				frame := headerOf(contents.Contents{Format: c.Format, Body: body, Probes: c.Probes})
				if frame == nil {
					frame = trailer
				}
				for range min(r.IntN(4), len(frame)) {
					frame[r.IntN(len(frame))] = [...]byte{0, 1, 6, 0x80, 0xff, byte(r.Uint32())}[r.IntN(6)]
				}
				data := append(body, trailer...)
				if len(trailer) == 0 {
					data = slices.Concat(frame, body)
				}
				if r.IntN(4) == 0 {
					data = data[r.IntN(len(data)+1):]
				}
				hashes := []uint64{0, 1, math.MaxUint64, math.MaxUint32, 1 << 31, r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
				testmem.BesideGuards(t, data, func(data []byte) {
					for format := range readers {
						if readers[format] == nil {
							continue
						}
						if _, ok := checkRead(t, asm.Format(format), data, hashes); ok {
							fine[format]++
						} else {
							flawed[format]++
						}
					}
				})
			}
		}
	}
	for format, read := range readers {
		if least := min(flawed[format], fine[format]); read != nil && least < rounds && format != int(asm.LevelDB) {
			t.Errorf("format %d: %d filters have a flaw, %d have none", format, flawed[format], fine[format])
		}
	}
	for _, none := range []asm.Format{asm.Reserved, asm.Empty, asm.Format(len(readers)), 255} {
		if ReaderOf(none) != nil {
			t.Errorf("the format %d has a reader", none)
		}
	}
}

// TestFlaws has one flaw each.
func TestFlaws(t *testing.T) {
	zeros := func(n int, trailer ...byte) []byte { return append(make([]byte, n), trailer...) }
	counting := func(body int, lines uint32) []byte {
		return binary.LittleEndian.AppendUint32(zeros(body, 6), lines)
	}
	layers := func(lines, cut, bits, layers int, multipliers ...[2]uint32) []byte {
		data := linear.AppendTrailer(make([]byte, 65*lines), multipliers, cut, bits)
		data[len(data)-6] = byte(layers)
		return data
	}
	type of = [2]uint32
	for _, c := range []struct {
		format asm.Format
		data   []byte
		flaw   string
	}{
		{asm.FastLocal, zeros(5), "too short for a block and the trailer, 69 bytes"},
		{asm.FastLocal, zeros(63, 0xff, 0, 6, 0, 0), "too short for a block and the trailer, 69 bytes"},
		{asm.Paired, zeros(4), "too short for a batch and the trailer, 2,052 bytes"},
		{asm.Paired, zeros(2047, 1, 6, 0, 0), "not a whole number of batches and the trailer"},
		{asm.Paired, zeros(2048, 1, 6, 7, 0), "not a whole number of batches and the trailer"},
		{asm.Ribbon, zeros(5), "too short for a segment and the trailer, 21 bytes"},
		{asm.Ribbon, zeros(15, 0xfe, 0, 2, 0, 0), "too short for a segment and the trailer, 21 bytes"},
		{asm.Ribbon, zeros(63, 0xff, 0, 6, 0, 0), "too short for a block and the trailer, 69 bytes"},
		{asm.Ribbon, zeros(17, 0xfe, 0, 2, 0, 0), "a Ribbon filter, but not a whole number of 16-byte segments and the trailer"},
		{asm.Legacy, zeros(4), "too short for a line and the trailer, 6 bytes"},
		{asm.Legacy, counting(0, 1), "too short for a line and the trailer, 6 bytes"},
		{asm.Legacy, counting(64, 1<<26+1), "not as long as the lines of 64 bytes that it counts"},
		{asm.Legacy, counting(192, 63<<26+3), "not as long as the lines of 64 bytes that it counts"},
		{asm.LevelDB, zeros(0, 6), "too short for a body and the number of probes, 2 bytes"},
		{asm.Linear, zeros(7), "too short for the trailer, 8 bytes"},
		{asm.Linear, zeros(8), "the trailer is not a linear filter's"},
		{asm.Linear, append(zeros(65), "\x00\x08\x01\x80LLF1"...), "format 1 of linear filters, which no release wrote, is not read"},
		{asm.Linear, layers(1, 0, 200, 1, of{0, 1}), "no fingerprints have that many bits"},
		{asm.Linear, layers(1, 64, 8, 1, of{1, 1}), "no sections have that cut"},
		{asm.Linear, layers(1, 1, 32, 1, of{0, 1}), "no sections have that cut"},
		{asm.Linear, layers(1, 0, 8, 17, of{0, 1}), "more than 16 layers"},
		{asm.Linear, layers(0, 0, 8, 2, of{0, 1}), "too short for the layers"},
		{asm.Linear, layers(1, 0, 8, 2, of{0, 0}, of{0, 1}), "a layer has no lines"},
		{asm.Linear, layers(2, 0, 8, 1, of{1, 1}), "a layer has a section that the cut leaves no keys"},
		{asm.Linear, layers(1, 0, 8, 1, of{0, 2}), "the layers do not add up to the filter's size"},
		{asm.Linear, layers(0, 0, 8, 2, of{0, math.MaxUint32}, of{0, 1}), "the layers do not add up to the filter's size"},
	} {
		if _, flaw := ReaderOf(c.format)(c.data); flaw != c.flaw {
			t.Errorf("format %d, %x: %q, want %q", c.format, c.data, flaw, c.flaw)
		}
	}
}
