package bitsandblooms_test

import (
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/bitsandblooms"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// TestOriginalsHashes has what bits-and-blooms/bloom v3.7.1 computed.
func TestOriginalsHashes(t *testing.T) {
	for key, want := range map[string]bitsandblooms.Hash{
		"":                  {0, 0, 0x7ace5c908374fe16, 0x778867e4430e6785},
		"a":                 {0x85555565f6597889, 0xe6b53a48510e895a, 0x97681c547e0fe98f, 0x7c180e2fc253d2e0},
		"hello":             {0xcbd8a7b341bd9b02, 0x5b1e906a48ae1d19, 0xb8ea181a11c6bf22, 0x5e839703b348769c},
		"0123456789abcde":   {0xa62dd5f6c0bf2351, 0x4fccf50c7c544cf0, 0x97287844a8f9327b, 0x68188b127b1950cd},
		"0123456789abcdef":  {0x4be06d94cf4ad1a7, 0x87c35b5c63a708da, 0x2442333c5ce05bc6, 0xeb64b8f4262afd6a},
		"0123456789abcdef0": {0xeb24ae8785a5c075, 0x73fb68b3313128ca, 0xf5a70bfdd17df81f, 0x91584d3d7e24c90c},
	} {
		if got := bitsandblooms.SumString(key); got != want {
			t.Errorf("%q: %#x, want %#x", key, got, want)
		}
	}
}

func TestHashesOfEveryLength(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		key := make([]byte, n)
		for i := range key {
			key[i] = byte(r.Uint32())
		}
		want := naive.BitsAndBloomsHash(key)
		testmem.BesideGuards(t, key, func(key []byte) {
			if got := bitsandblooms.Sum(key); words(got) != want || bitsandblooms.SumString(string(key)) != got {
				t.Fatalf("%x: %#x, want %#x", key, got, want)
			}
		})
	}
}

func words(h bitsandblooms.Hash) [4]uint64 { return [4]uint64{h.H0, h.H1, h.H2, h.H3} }
