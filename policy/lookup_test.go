package policy_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/policy"
)

// Keys of every length, since some are hashed in another way, and bytes that are no
// usual filter.
func TestMayContainIsMayContainHash(t *testing.T) {
	for _, p := range policy.Readers() {
		random := rand.New(rand.NewPCG(1, 2))
		var present, absent [][]byte
		for length := range 70 {
			for range 1 + 20*min(length/2, 1) { // there are few of 0 and 1 bytes
				key := func() []byte {
					key := make([]byte, length)
					for i := range key {
						key[i] = byte(random.Uint32())
					}
					return key
				}
				present, absent = append(present, key()), append(absent, key())
			}
		}
		keys := slices.Concat(present, absent)
		whole := build(t, p.NewBuilder(), present)
		shifted := append([]byte{0}, whole...)[1:] // no block is a cache line
		for _, data := range [][]byte{whole, shifted, whole[1:], whole[:len(whole)-1], whole[:5], make([]byte, 6), {}, nil} {
			for i, key := range keys {
				want := p.MayContainHash(data, p.Hash().Sum64(key))
				if p.MayContain(data, key) != want {
					t.Fatalf("%s, %d bytes, key of %d bytes: MayContain is not %v", p, len(data), len(key), want)
				}
				if i < len(present) && len(data) == len(whole) && !want {
					t.Fatalf("%s, %d bytes: a key of %d bytes is missing", p, len(data), len(key))
				}
			}
		}
	}
}
