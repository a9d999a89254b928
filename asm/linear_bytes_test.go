package asm_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// linearBytes is a filter's bytes.
func linearBytes(of naive.LinearFilter) []byte {
	data := linearBody(of)
	for _, multipliers := range of.Multipliers {
		data = binary.LittleEndian.AppendUint32(data, multipliers[0])
		data = binary.LittleEndian.AppendUint32(data, multipliers[1])
	}
	return append(append(data, byte(of.J), byte(of.R), byte(len(of.Multipliers)), 0x80), "LLF2"...)
}

// linearContents reads a filter's bytes as the format's document says. It has a layer at least.
func linearContents(data []byte) (of naive.LinearFilter, ok bool) {
	if len(data) < 8 || string(data[len(data)-5:]) != "\x80LLF2" {
		return
	}
	data, end := data[:len(data)-8], data[len(data)-8:]
	of.J, of.R = int(end[0]), int(end[1])
	body := len(data) - 8*int(end[2])
	if fallback.LinearSlotsOf(of.R) == 0 || of.J > 63 || of.J > 0 && of.R == 32 || end[2] == 0 || end[2] > 16 || body < 0 || body%65 != 0 {
		return
	}
	lines := uint64(0)
	for at := body; at < len(data); at += 8 {
		first, second := binary.LittleEndian.Uint32(data[at:]), binary.LittleEndian.Uint32(data[at+4:])
		if second == 0 || first > 0 && of.J == 0 {
			return
		}
		of.Multipliers = append(of.Multipliers, [2]uint32{first, second})
		a, b := naive.LinearSections([2]uint32{first, second}, of.J)
		lines += a + b
	}
	if lines >= 1<<32 || lines*65 != uint64(body) {
		return
	}
	of.Lines, of.Headers = data[:lines*64], data[lines*64:body]
	return of, true
}

// TestLinearMayContain looks up in filters' bytes, in parts of them, and in bytes with another byte
// in the trailer, beside unreadable pages.
func TestLinearMayContain(t *testing.T) {
	other := func(hash uint64) bool { return hash&1 != 0 }
	mayContain := func(data []byte, hash uint64) bool {
		return asm.LinearMayContain(data, hash, func(_ []byte, hash uint64) bool { return other(hash) })
	}
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(3, 4))
		hashes := linearHashes(9, 12)
		good := 0
		memory := testmem.Between(t, 1<<16)
		check := func(data []byte) {
			t.Helper()
			of, ok := linearContents(data)
			want := other
			if ok {
				good++
				want = of.Contains
			}
			for _, place := range [][]byte{memory[:len(data)], memory[len(memory)-len(data):]} {
				copy(place, data)
				for _, hash := range hashes {
					if got := mayContain(place, hash); got != want(hash) {
						t.Fatalf("%d bytes that end in %x, hash %#x: %v", len(data), data[max(0, len(data)-16):], hash, got)
					}
				}
			}
		}
		for bits := fallback.LeastLinearBits; bits <= fallback.MostLinearBits; bits++ {
			if fallback.LinearSlotsOf(bits) == 0 {
				continue
			}
			for variant, shape := range linearShapes {
				of := craftedLinear(random, shape, bits, (variant+bits)%4)
				clearSlots(of, 2)
				data := linearBytes(of)
				check(data)
				if slow || bits%9 != 5 && bits != 32 {
					continue
				}
				trailer := 8*len(of.Multipliers) + 8
				for at := len(data) - trailer; at < len(data); at++ {
					before := data[at]
					for _, changed := range []byte{0, before + 1, before - 1, before ^ 0x80, 0xff} {
						data[at] = changed
						check(data)
					}
					data[at] = before
				}
				for value := range 256 {
					for at := len(data) - 8; at < len(data)-5; at++ { // the cut, the bits, the layers
						before := data[at]
						data[at] = byte(value)
						check(data)
						data[at] = before
					}
				}
				for cut := range trailer + 70 {
					check(data[min(cut, len(data)):])
					check(data[:max(0, len(data)-cut)])
				}
			}
		}
		if good < 23*len(linearShapes) {
			t.Errorf("%d filters", good)
		}
		// Sums of lines beyond 32 bits, which are 1 modulo 2^32, and as many as bytes beyond 64 bits would say.
		for _, multipliers := range [][][2]uint32{
			{{0, 1 << 31}, {0, 1 << 31}, {0, 1}},
			{{0, 1}, {0, 1<<32 - 1}, {0, 1}},
			{{1<<32 - 1, 1<<32 - 1}, {0, 2}},
			{{0, 1<<32 - 1}},
		} {
			for _, j := range []int{0, 32} {
				check(linearBytes(naive.LinearFilter{J: j, R: 9, Multipliers: multipliers, Lines: make([]byte, 64), Headers: make([]byte, 1)}))
			}
		}
		// Layers that are as many lines as there are, but have a first section without a cut, or no second one, or
		// are too many.
		for _, of := range []naive.LinearFilter{
			{R: 9, Multipliers: [][2]uint32{{0, 2}, {7, 1}}},
			{R: 9, J: 32, Multipliers: [][2]uint32{{6, 0}}},
			{R: 9, J: 32, Multipliers: [][2]uint32{{2, 2}, {2, 0}}},
			{R: 9, J: 32, Multipliers: append(slices.Repeat([][2]uint32{{2, 2}}, 7), [2]uint32{2, 0}, [2]uint32{2, 2})},
			{R: 9, J: 32, Multipliers: slices.Repeat([][2]uint32{{2, 2}}, 17)},
		} {
			lines := uint64(0)
			for _, multipliers := range of.Multipliers {
				a, b := naive.LinearSections(multipliers, of.J)
				lines += a + b
			}
			of.Lines, of.Headers = make([]byte, 64*lines), make([]byte, lines)
			check(linearBytes(of))
		}
		check(linearBytes(naive.LinearFilter{R: 32})) // no layers
		check(nil)
	})
}

func TestLinearMayContainDoesNotAllocate(t *testing.T) {
	other := func([]byte, uint64) bool { return true }
	eachLevel(t, func(t *testing.T) {
		data := linearBytes(craftedLinear(rand.New(rand.NewPCG(1, 1)), linearShapes[2], 11, 1))
		for _, data := range [][]byte{data, data[1:], nil} {
			if allocs := testing.AllocsPerRun(10, func() { asm.LinearMayContain(data, 1, other) }); allocs != 0 {
				t.Errorf("%d bytes: %v allocations", len(data), allocs)
			}
		}
	})
}
