package hash32

import (
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

func TestVectors(t *testing.T) {
	for _, v := range vectors.Hashes32() {
		key := make([]byte, v.Len)
		for j := range key {
			key[j] = byte(j*131 + v.Len*7)
		}
		if got := Unsigned(key); got != uint32(v.LevelDB) {
			t.Errorf("%d bytes: LevelDB's hash is %08x, not %08x", v.Len, v.LevelDB, got)
		}
		if got := Signed(key); got != uint32(v.RocksDB) {
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
				if same := Signed(key) == Unsigned(key); same != (b < 0x80) {
					t.Fatalf("%d bytes, %#x at %d: same hash: %v", n, b, at, same)
				}
			}
		}
	}
}

func TestBytesOfStrings(t *testing.T) {
	for _, s := range []string{"", "a", "abc\x00\xff"} {
		if string(Bytes(s)) != s {
			t.Errorf("%q: %q", s, Bytes(s))
		}
	}
}
