package rocksdb_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
)

// TestFormatOf has every marker: the byte before the last four, of bytes that are more than a trailer.
func TestFormatOf(t *testing.T) {
	for marker := range 256 {
		want := asm.Reserved
		switch {
		case marker == 0xff:
			want = asm.FastLocal
		case marker == 0xfe:
			want = asm.Ribbon
		case marker >= 1 && marker <= 0x7f:
			want = asm.Legacy
		}
		for n := range 70 {
			data := make([]byte, n, n+5)
			for i := range data {
				data[i] = byte(37 * (i + marker + 1))
			}
			data = append(data, byte(marker), 1, 2, 3, 4)
			if got := rocksdb.FormatOf(data); n > 0 && got != want || n == 0 && got != asm.Reserved {
				t.Errorf("marker %#x of %d bytes: %v", marker, len(data), got)
			}
		}
	}
	for n := range 10 {
		want := asm.Reserved
		if n == 5 {
			want = asm.Legacy // Pebble's without keys
		}
		if got := rocksdb.FormatOf(make([]byte, n)); got != want || rocksdb.IsPebblesEmpty(make([]byte, n)) != (n == 5) {
			t.Errorf("%d zeros: %v", n, got)
		}
	}
}
