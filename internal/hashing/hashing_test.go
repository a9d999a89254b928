package hashing

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

func TestVectors(t *testing.T) {
	for _, v := range vectors.Hashes32() {
		key := make([]byte, v.Len)
		for j := range key {
			key[j] = byte(j*131 + v.Len*7)
		}
		if got := Unsigned32(key); got != uint32(v.LevelDB) {
			t.Errorf("%d bytes: LevelDB's hash is %08x, not %08x", v.Len, v.LevelDB, got)
		}
		if got := Signed32(key); got != uint32(v.RocksDB) {
			t.Errorf("%d bytes: RocksDB's hash is %08x, not %08x", v.Len, v.RocksDB, got)
		}
	}
}

// TestWhereTheHashesDiffer has a last byte of every value at each place behind the words.
func TestWhereTheHashesDiffer(t *testing.T) {
	for n := range 9 {
		for at := n &^ 3; at < n; at++ {
			for b := range 256 {
				key := make([]byte, n)
				key[at] = byte(b)
				if same := Signed32(key) == Unsigned32(key); same != (b < 0x80) {
					t.Fatalf("%d bytes, %#x at %d: same hash: %v", n, b, at, same)
				}
			}
		}
	}
}

// TestUint64 has words whose bytes are on both sides of 0x80.
func TestUint64(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := []uint64{0, 1, 1 << 31, 1 << 63, math.MaxUint32, math.MaxUint64, math.MaxUint64 - math.MaxUint32, 0x0123456789abcdef}
	for range 10_000 {
		words = append(words, random.Uint64())
	}
	for _, word := range words {
		key := binary.LittleEndian.AppendUint64(nil, word)
		if got := Word32(word); got != uint64(Unsigned32(key)) || got != uint64(Signed32(key)) {
			t.Fatalf("%#x: %#x, its bytes %#x and %#x", word, got, Unsigned32(key), Signed32(key))
		}
	}
}
