package keyhash_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/keyhash"
)

// A key of 64 bits is its 8 bytes in little-endian order, on machines of either order.
func TestUint64IsLittleEndian(t *testing.T) {
	for _, c := range []struct {
		hash      keyhash.Hash
		key, want uint64
	}{
		{keyhash.XX64, 0, 0x34c96acdcadb1bbb},
		{keyhash.XX64, 0x0123456789abcdef, 0xea3c52081e9843ec},
		{keyhash.XXPH3, 0, 0x11d09843b5b83333},
		{keyhash.XXPH3, 0x0123456789abcdef, 0xa109510bc6eca90d},
		{fnv1a, 0, 0xa8c7f832281a39c5},
		{fnv1a, 0x0123456789abcdef, 0x37eb3f3347761c55},
	} {
		if got := c.hash.SumUint64(c.key); got != c.want {
			t.Errorf("%s of %#x: %#016x, want %#016x", c.hash.Name(), c.key, got, c.want)
		}
	}
}

func TestUint64s(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, h := range hashes {
		for _, n := range []int{0, 1, 7, 8, 33, 100, 10_000} {
			keys, want := make([]uint64, n), []uint64{7}
			for i := range keys {
				keys[i] = random.Uint64() >> random.IntN(64)
				sum := h.Sum64(binary.LittleEndian.AppendUint64(nil, keys[i]))
				if got := h.SumUint64(keys[i]); got != sum {
					t.Fatalf("%s of %#x: %#x, want %#x", h.Name(), keys[i], got, sum)
				}
				want = append(want, sum)
			}
			original := slices.Clone(keys)
			if got := h.AppendColumn([]uint64{7}, keyhash.Values(keys)); !slices.Equal(got, want) {
				t.Errorf("%s: batch of %d differs from single hashes", h.Name(), n)
			}
			room := make([]uint64, len(want)+1)
			room[0], room[len(want)] = 7, 8
			if got := h.AppendColumn(room[:1], keyhash.Values(keys)); &got[0] != &room[0] || !slices.Equal(got, want) || room[len(want)] != 8 {
				t.Errorf("%s: %d hashes are not where there was room for them, or beyond it", h.Name(), n)
			}
			if !slices.Equal(keys, original) {
				t.Errorf("%s: %d keys have changed", h.Name(), n)
			}
			got := h.AppendColumn(keys[:0], keyhash.Values(keys))
			if n > 0 && &got[0] != &keys[0] || !slices.Equal(got, want[1:]) {
				t.Errorf("%s: %d hashes have not replaced the keys", h.Name(), n)
			}
		}
	}
}

// One call at a time, and a mean of many: the race detector drops a quarter of the memory for copies.
func TestHashingUint64sAllocatesNothing(t *testing.T) {
	keys, room := make([]uint64, 100), make([]uint64, 0, 100)
	outside := keyhash.New("first byte", func(key []byte) uint64 { return uint64(key[0]) })
	for _, h := range append(slices.Clone(builtins), outside) {
		for what, call := range map[string]func(){
			"SumUint64":             func() { h.SumUint64(keys[0]) },
			"AppendColumn":          func() { h.AppendColumn(room, keyhash.Values(keys)) },
			"AppendColumn in place": func() { h.AppendColumn(keys[:0], keyhash.Values(keys)) },
		} {
			if allocs := testing.AllocsPerRun(100, call); allocs != 0 {
				t.Errorf("%s, %s: %v allocations", h.Name(), what, allocs)
			}
		}
	}
}
