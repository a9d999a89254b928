package fuzz

import (
	"bytes"
	"errors"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/splitblock"
)

func FuzzParquetHeader(f *testing.F) {
	for _, size := range []int{32, 1024, 1 << 20, (1<<31 - 32)} {
		header := splitblock.AppendHeader(nil, size)
		f.Add(append(header, make([]byte, 32)...))
		f.Add(header[:len(header)-1])
		f.Add(append(header[:len(header)-1:len(header)-1], 0x19, 0xf5, 0x80, 0x80, 0x01, 0x1b, 1, 0x8c, 0, 0))
	}
	f.Add(bytes.Repeat([]byte{0x1c}, 1000))
	f.Add(bytes.Repeat([]byte{0x19}, 1000))
	f.Fuzz(func(t *testing.T, data []byte) {
		testmem.BesideGuards(t, data, func(data []byte) {
			header, size, err := splitblock.ReadHeader(data)
			if err != nil {
				if !errors.Is(err, simdbloom.ErrCorrupt) {
					t.Fatal(err)
				}
				return
			}
			if header <= 0 || header > len(data) || size < 32 || size > (1<<31-32) || size%32 != 0 {
				t.Fatalf("%d bytes of a header, %d of bits", header, size)
			}
			again := splitblock.AppendHeader(nil, size)
			if _, got, err := splitblock.ReadHeader(again); err != nil || got != size {
				t.Fatalf("written again, %d bytes and not %d, %v", got, size, err)
			}
		})
	})
}
