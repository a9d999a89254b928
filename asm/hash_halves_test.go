package asm_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// As TestHashUint64s, of words of 32 bits.
func TestHashUint32s(t *testing.T) {
	const most = 3<<13 + 7 // more than a kernel hashes in a call
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(1, 2))
		from, to := testmem.HalfWords(testmem.Between(t, 4*most)), testmem.Words(testmem.Between(t, 8*most))
		for i := range from {
			from[i] = random.Uint32()
		}
		copy(from, []uint32{0, 1, 1<<31 - 1, 1 << 31, 1<<32 - 1})
		want := make([]uint64, len(from))
		for i, word := range from {
			want[i] = xxhash.Sum64(binary.LittleEndian.AppendUint32(nil, word))
		}
		original := append([]uint32(nil), from...)
		check := func(n, words, hashes int) {
			t.Helper()
			for _, hash := range []func(hashes []uint64, words []uint32){asm.HashUint32s, fallback.HashUint32s} {
				for i := range to {
					to[i] = 42
				}
				hash(to[hashes:hashes+n], from[words:words+n])
				for i, got := range to {
					if i < hashes || i >= hashes+n {
						if got != 42 {
							t.Fatalf("%d words at %d: word %d beside the hashes at %d has changed", n, words, i, hashes)
						}
					} else if got != want[words+i-hashes] {
						t.Fatalf("%d words at %d: hash %d is %#x", n, words, i-hashes, got)
					}
				}
			}
		}
		for n := range 131 {
			check(n, 0, len(to)-n)
			check(n, len(from)-n, 0)
			check(n, n%16, n/8%8)
		}
		for _, n := range []int{1 << 13, 1<<13 + 1, 1<<13 + 9, most} {
			check(n, len(from)-n, 0)
		}
		for i, word := range original {
			if from[i] != word {
				t.Fatalf("word %d has changed", i)
			}
		}
	})
}

func TestHashUint32sWantsRoom(t *testing.T) {
	for name, hash := range map[string]func(hashes []uint64, words []uint32){"asm": asm.HashUint32s, "fallback": fallback.HashUint32s} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: a room that is too short is taken", name)
				}
			}()
			hash(make([]uint64, 9, 10), make([]uint32, 10))
		}()
	}
}

func BenchmarkHashUint32s(b *testing.B) {
	words, hashes := make([]uint32, 1024), make([]uint64, 1024)
	for i := range words {
		words[i] = rand.Uint32()
	}
	for b.Loop() {
		asm.HashUint32s(hashes, words)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(words)), "ns/word")
}
