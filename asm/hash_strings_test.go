package asm_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

func TestHashStrings(t *testing.T) {
	t.Run("offsets of 32 bits", testHashStrings[uint32])
	t.Run("offsets of 64 bits", testHashStrings[uint64])
}

// Strings have every length in every lane. They, their offsets and their hashes are right beside unreadable
// pages, and what is beside the hashes stays.
func testHashStrings[O uint32 | uint64](t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(1, 2))
		check := func(lengths []int) {
			t.Helper()
			bytes, offsets, want := []byte("x"), []O{1}, []uint64(nil)
			for _, length := range lengths {
				for range length {
					bytes = append(bytes, byte(random.Uint32()))
				}
				want = append(want, xxhash.Sum64(bytes[offsets[len(offsets)-1]:]))
				offsets = append(offsets, O(len(bytes)))
			}
			inGo := make([]uint64, len(want))
			if fallback.HashStrings(inGo, offsets, bytes); !slices.Equal(inGo, want) {
				t.Fatal("package fallback has other hashes")
			}
			testmem.BesideGuards(t, bytes, func(data []byte) {
				testmem.BesideGuards(t, placed(offsets), func(memory []byte) {
					testmem.BesideGuards(t, make([]byte, 8*len(want)), func(room []byte) {
						hashes := testmem.Words(room)
						if asm.HashStrings(hashes, offsetsIn[O](memory), data); !slices.Equal(hashes, want) {
							t.Fatalf("strings of %d bytes: %x, want %x", lengths, hashes, want)
						}
					})
				})
				spans := make([][2]uint32, len(want))
				for i := range spans {
					spans[i] = [2]uint32{uint32(offsets[i]), uint32(offsets[i+1])}
				}
				hashes := slices.Repeat([]uint64{42}, len(want)+2)
				if asm.HashSpans(hashes[1:], spans, data); !slices.Equal(hashes[1:len(want)+1], want) || hashes[0] != 42 || hashes[len(want)+1] != 42 {
					t.Fatalf("spans of %d bytes: %x, want %x", lengths, hashes, want)
				}
				if asm.HashStrings(hashes[1:len(want)+1], offsets, data); hashes[0] != 42 || hashes[len(want)+1] != 42 {
					t.Fatalf("strings of %d bytes: something beside the hashes has changed", lengths)
				}
			})
		}
		for length := range 45 {
			check(slices.Repeat([]int{length}, 9))
		}
		for n := range 70 {
			check(inRuns(random, n))
		}
		for left := range 9 { // of a kernel's call
			lengths := make([]int, 512+left)
			for i := range lengths {
				lengths[i] = random.IntN(34)
			}
			check(lengths)
		}
		for n := range 35 {
			lengths := make([]int, n)
			for range 4 {
				for i := range lengths {
					lengths[i] = random.IntN(34)
				}
				check(lengths)
			}
		}
		for range 300 { // every set of eight that the kernel leaves to Go, in part
			lengths := make([]int, 24)
			for i := range lengths {
				lengths[i] = []int{random.IntN(32), 32 + random.IntN(70)}[random.IntN(2)]
			}
			check(lengths)
		}
		for n := range 60 { // the same numbers of stripes, up to more than the kernel takes
			lengths := make([]int, 24)
			for i := range lengths {
				lengths[i] = n%5*32 + random.IntN(32)
			}
			check(lengths)
		}
		long := make([]int, 1100) // more than in a call
		for i := range long {
			long[i] = random.IntN(36)
		}
		check(long)
		check(make([]int, 600)) // empty ones
	})
}

// placed returns the offsets' memory.
func placed[O uint32 | uint64](offsets []O) (memory []byte) {
	for _, offset := range offsets {
		if _, narrow := any(offset).(uint32); narrow {
			memory = binary.NativeEndian.AppendUint32(memory, uint32(offset))
		} else {
			memory = binary.NativeEndian.AppendUint64(memory, uint64(offset))
		}
	}
	return memory
}

func offsetsIn[O uint32 | uint64](memory []byte) []O {
	if _, narrow := any(O(0)).(uint32); narrow {
		return any(testmem.HalfWords(memory)).([]O)
	}
	return any(testmem.Words(memory)).([]O)
}

// Without strings in data that are nil, no byte is read. Wrong offsets panic, and no byte beside the data is read.
func TestHashStringsOfHostileOffsets(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		asm.HashStrings(make([]uint64, 16), make([]uint32, 17), nil)
		asm.HashStrings(nil, make([]uint64, 1), nil)
		hostile := func(data []byte) {
			for at := range 18 {
				for _, bad := range []uint64{201, 216, 300, 1 << 31, 1<<32 - 8, 1<<32 - 1} {
					refuses(t, at, uint32(bad), data)
					refuses(t, at, bad, data)
				}
				for _, bad := range []uint64{1 << 32, 1<<32 + 5, math.MaxInt64, 1 << 63, math.MaxUint64 - 7, math.MaxUint64} {
					refuses(t, at, bad, data)
				}
				if at > 0 {
					refuses[uint32](t, at, 3, data) // the one before it is larger
					refuses[uint64](t, at, 3, data)
				}
			}
		}
		testmem.BesideGuards(t, make([]byte, 200), hostile)
		hostile(make([]byte, 200, 400))
		for _, offsets := range []int{0, 8, 10} {
			refusal(t, "the number of offsets", func() { asm.HashStrings(make([]uint64, 8), make([]uint32, offsets), nil) })
			refusal(t, "the number of offsets", func() { fallback.HashStrings(make([]uint64, 8), make([]uint64, offsets), nil) })
		}
	})
}

// refuses hashes 17 strings one of whose offsets is bad.
func refuses[O uint32 | uint64](t *testing.T, at int, bad O, data []byte) {
	t.Helper()
	offsets := make([]O, 18)
	for i := range offsets {
		offsets[i] = O(8*i + 5)
	}
	offsets[at] = bad
	refusal(t, fmt.Sprintf("offset %d is %d", at, bad), func() { asm.HashStrings(make([]uint64, 17), offsets, data) })
}

func refusal(t *testing.T, what string, call func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%v: %s: no panic", cpu.Current(), what)
		}
	}()
	call()
}

func BenchmarkHashStrings(b *testing.B) {
	const n = 1024
	for name, length := range map[string]func(i int) int{
		"8":              func(int) int { return 8 },
		"16":             func(int) int { return 16 },
		"13":             func(int) int { return 13 },
		"0 to 31":        func(int) int { return rand.IntN(32) },
		"20 to 40":       func(int) int { return 20 + rand.IntN(21) },
		"32":             func(int) int { return 32 },
		"40":             func(int) int { return 40 },
		"100":            func(int) int { return 100 },
		"255":            func(int) int { return 255 },
		"0 to 255":       func(int) int { return rand.IntN(256) },
		"31, 1 in 16 40": func(i int) int { return 31 + 9*(15-i%16)/15 },
	} {
		for _, kernel := range []bool{false, true} {
			var data []byte
			offsets, hashes := []uint32{0}, make([]uint64, n)
			for i := range n {
				data = append(data, make([]byte, length(i))...)
				offsets = append(offsets, uint32(len(data)))
			}
			for i := range data {
				data[i] = byte(rand.Uint32())
			}
			b.Run(fmt.Sprint(name, "/", map[bool]string{false: "Go", true: "asm"}[kernel]), func(b *testing.B) {
				for b.Loop() {
					if kernel {
						asm.HashStrings(hashes, offsets, data)
					} else {
						fallback.HashStrings(hashes, offsets, data)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/string")
			})
		}
	}
}
