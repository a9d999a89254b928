package splitblock_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/splitblock"
)

const (
	members  = "1c1c00001c1c00001c1c000000"
	usual    = "158010" + members // 1024 bytes, as all writers write it
	withLong = "158020" + members // 2048 bytes, in parquet-testing's data_index_bloom_encoding_with_length.parquet
)

func unhex(t *testing.T, digits string) []byte {
	t.Helper()
	data, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestReadHeader(t *testing.T) {
	for name, test := range map[string]struct {
		header string
		size   int
	}{
		"parquet-testing's":    {usual, 1024},
		"with a length":        {withLong, 2048},
		"32 bytes":             {"1540" + members, 32},
		"the largest":          {"15c0ffffff0f" + members, (1<<31 - 32)},
		"ids in the long form": {"0502 8010 0c04 0c02 0000 0c06 0c02 0000 0c08 0c02 0000 00", 1024},
		"the size last":        {"2c1c0000 1c1c0000 1c1c0000 0502 8010 00", 1024},
		"from back to front":   {"4c1c0000 0c06 1c0000 0c04 1c0000 0502 8010 00", 1024},
		"unknown fields":       {"158010 1c1c0000 1c1c0000 1c1c0000 1802 6869 1925 0204 1c1502 00 1100", 1024},
		"a member with fields": {"158010 1c1c1502 0000 1c1c0000 1c1c0000 00", 1024},
	} {
		data := unhex(t, test.header)
		header, size, err := splitblock.ReadHeader(append(data, 0xff, 0xff))
		if err != nil || header != len(data) || size != test.size {
			t.Errorf("%s: %d bytes of a header, %d of bits, %v", name, header, size, err)
		}
		for n := range data {
			if _, _, err := splitblock.ReadHeader(data[:n]); !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Errorf("%s: the first %d bytes: %v", name, n, err)
			}
		}
	}
}

func TestReadHeaderRefuses(t *testing.T) {
	for says, header := range map[string]string{
		"no size":                     "2c1c0000 1c1c0000 1c1c0000 00",
		"0 bytes":                     "1500" + members,
		"-32 bytes":                   "153f" + members,
		"1025 bytes":                  "158210" + members,
		"too large":                   "158080808010" + members,
		"the algorithm":               "158010 1c2c0000 1c1c0000 1c1c0000 00",
		"the hash":                    "158010 1c1c0000 1c2c0000 1c1c0000 00",
		"gzip":                        "15b22f 1c1c0000 1c1c0000 1c2c0000 00", // 3033 bytes: parquet-go's
		"the compression is member 3": "158010 1c1c0000 1c1c0000 1c3c0000 00",
		"the compression is member 0": "158010 1c1c0000 1c1c0000 00",
		"the hash is member 0":        "158010 1c1c0000 1c00 1c1c0000 00",
		"a value has an unknown type": "158010 1b1c0000 1c1c0000 1c1c0000 00", // a map
		"member -1":                   "158010 1c1c001c0000 1c1c0000 1c1c0000 00",
		"another one than":            "168010" + members,
		"too deeply":                  "158010" + members[:24] + strings.Repeat("1c", 100),
	} {
		_, _, err := splitblock.ReadHeader(unhex(t, header))
		if !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is not in the error %v", says, err)
		}
	}
}

// TestReadHeaderWantsWholeBlocks: of all sizes, multiples of 32 bytes.
func TestReadHeaderWantsWholeBlocks(t *testing.T) {
	for size := range 4096 {
		header := binary.AppendUvarint([]byte{0x15}, uint64(2*size))
		_, got, err := splitblock.ReadHeader(append(header, unhex(t, members)...))
		if whole := size > 0 && size%32 == 0; whole && (got != size || err != nil) || !whole && !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%d bytes: %d, %v", size, got, err)
		}
	}
}

func TestAppendHeader(t *testing.T) {
	if got := splitblock.AppendHeader([]byte{1}, 1024); !bytes.Equal(got, append([]byte{1}, unhex(t, usual)...)) {
		t.Errorf("%x", got)
	}
	for size := 32; size > 0 && size < (1<<31-32); size += 32 + size/3&^31 { // of 32 bits, the last sum is negative
		header := splitblock.AppendHeader(nil, size)
		if n, got, err := splitblock.ReadHeader(header); err != nil || got != size || n != len(header) {
			t.Fatalf("%d: %d, %v", size, got, err)
		}
	}
	if header := splitblock.AppendHeader(nil, (1<<31 - 32)); len(header) == 0 {
		t.Error("no header of the largest filter")
	}
	tooLarge := (1<<31 - 32)
	tooLarge += 32 // negative on 32 bits
	for _, size := range []int{0, -32, 16, 31, 33, 48, 1040, tooLarge} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d bytes are not refused", size)
				}
			}()
			splitblock.AppendHeader(nil, size)
		}()
	}
}
