package asm_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// Words and hashes are at every place of a vector, and right beside unreadable pages. What is
// beside the hashes stays.
func TestHashUint64s(t *testing.T) {
	const most = 3<<13 + 7 // more than a kernel hashes in a call
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(1, 2))
		from, to := testmem.Words(testmem.Between(t, 8*most)), testmem.Words(testmem.Between(t, 8*most))
		for i := range from {
			from[i] = random.Uint64()
		}
		copy(from, []uint64{0, 1, 1<<32 - 1, 1 << 32, 1<<64 - 1})
		original, want := slices.Clone(from), make([]uint64, len(from))
		for i, word := range from {
			want[i] = xxhash.Sum64(binary.LittleEndian.AppendUint64(nil, word))
		}
		inGo := make([]uint64, len(from))
		if fallback.HashUint64s(inGo, from); !slices.Equal(inGo, want) {
			t.Fatal("package fallback has other hashes")
		}
		// check hashes the n words from one place on, to another place, and then where they are.
		check := func(n, words, hashes int) {
			t.Helper()
			for i := range to {
				to[i] = ^want[i]
			}
			asm.HashUint64s(to[hashes:hashes+n], from[words:words+n])
			for i, hash := range to {
				if i < hashes || i >= hashes+n {
					if hash != ^want[i] {
						t.Fatalf("%d words at %d: word %d beside the hashes at %d has changed", n, words, i, hashes)
					}
				} else if hash != want[words+i-hashes] {
					t.Fatalf("%d words at %d: hash %d is %#x", n, words, i-hashes, hash)
				}
			}
			if !slices.Equal(from, original) {
				t.Fatalf("%d words at %d: they have changed", n, words)
			}
			asm.HashUint64s(from[words:words+n], from[words:words+n])
			if !slices.Equal(from[words:words+n], want[words:words+n]) {
				t.Fatalf("%d words at %d: other hashes in place", n, words)
			}
			copy(from[words:], original[words:words+n])
			if !slices.Equal(from, original) {
				t.Fatalf("%d words at %d: those beside them have changed in place", n, words)
			}
		}
		last := len(from)
		for n := range 131 {
			check(n, 0, last-n)
			check(n, last-n, 0)
			check(n, n%8, n/8%8)
		}
		for place := range 8 {
			check(100+place, place, 7-place)
		}
		for _, n := range []int{1 << 13, 1<<13 + 1, 1<<13 + 9, most} {
			check(n, last-n, 0)
		}
	})
}

func TestHashUint64sWantsRoom(t *testing.T) {
	for name, hash := range map[string]func(hashes, words []uint64){"asm": asm.HashUint64s, "fallback": fallback.HashUint64s} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: a room that is too short is taken", name)
				}
			}()
			hash(make([]uint64, 9, 10), make([]uint64, 10))
		}()
	}
}

func BenchmarkHashUint64s(b *testing.B) {
	for _, n := range []int{7, 8, 64, 1024, 4096, 16384, 1 << 20} {
		words, hashes := make([]uint64, n), make([]uint64, n)
		for i := range words {
			words[i], hashes[i] = rand.Uint64(), rand.Uint64()
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				asm.HashUint64s(hashes, words)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/word")
		})
	}
}
