package classic

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestRemainders has numbers of bits up to the largest, and places beside their multiples.
func TestRemainders(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var all []uint64
	for shift := range 64 {
		all = append(all, 1<<shift-1, 1<<shift, 1<<shift+1, math.MaxUint64-1<<shift, math.MaxUint64/(1<<shift|1), r.Uint64()>>shift)
	}
	all = append(all, math.MaxUint64)
	check := func(x, m uint64) {
		if got := NewDivisor(m).Remainder(x); got != x%m {
			t.Fatalf("%#x modulo %#x: %#x, want %#x", x, m, got, x%m)
		}
	}
	for _, m := range all {
		if m == 0 {
			continue
		}
		for _, x := range all {
			check(x, m)
			check(x/m*m, m)
			check(x/m*m-1, m)
		}
	}
	for range 100_000 {
		check(r.Uint64()>>r.IntN(64), max(r.Uint64()>>r.IntN(64), 1))
	}
}

// TestOnes counts bytes of any number: dumps of RedisBloom have no whole words.
func TestOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 20 * WordBytes {
		words, want := make([]byte, n), 0
		for i := range words {
			words[i] = byte(r.Uint32())
			want += bits.OnesCount8(words[i])
		}
		if got := Ones(words); got != uint64(want) {
			t.Errorf("%x: %d, want %d", words, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for m, want := range map[uint64]uint64{0: 0, 1: 1, 64: 1, 65: 2, math.MaxUint64: 1 << 58} {
		if got := Words(m); got != want {
			t.Errorf("%d bits: %d words, want %d", m, got, want)
		}
	}
}
