package stored_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/stored"
)

// TestSmallPieces: files of version 2 are read in every way, and a wrong byte is in the piece that has it.
func TestSmallPieces(t *testing.T) {
	for size := stored.LeastPieceBytes; size <= stored.PieceBytes; size *= 2 {
		for _, length := range []int{0, 1, size - 1, size, size + 1, 5*size + 77} {
			f := newFileOf(t, length, size)
			data := bytesOf(f)
			if version, want := data[8], byte(2); version != want && size < stored.PieceBytes {
				t.Errorf("pieces of %d bytes: version %d, want %d", size, version, want)
			}
			if is := bytes.Equal(data, bytesOf(newFile(t, length))); is != (size == stored.PieceBytes) {
				t.Errorf("pieces of %d bytes: the bytes of version 1: %v", size, is)
			}
			for name, read := range readers {
				got, err := read(data)
				if err != nil || !reflect.DeepEqual(got.Info, f.Info) || !bytes.Equal(bytesOf(got), data) || got.Sum() != f.Sum() {
					t.Errorf("%d bytes in pieces of %d, %s: %+v, %v", length, size, name, got.Info, err)
				}
			}
			if info, err := stored.ReadInfo(bytes.NewReader(data[:f.Offset])); err != nil || info.PieceBytes != size {
				t.Errorf("%d bytes in pieces of %d, ReadInfo: %+v, %v", length, size, info, err)
			}
			for at := 0; at < length; at += size/2 + 1 {
				f.Body[at] ^= 4
				f.Begin(true)
				for i := range (length + size - 1) / size {
					if f.Pieces.Check(i) != (i != at/size) {
						t.Errorf("byte %d of %d is wrong, and piece %d of %d bytes", at, length, i, size)
					}
				}
				f.Body[at] ^= 4
			}
		}
	}
	for _, n := range []int{-1, 0, 1, 2048, 4095, 4097, 3 << 13, 1 << 17} {
		if stored.CheckPieceBytes(n) == nil {
			t.Errorf("pieces of %d bytes are no error", n)
		}
	}
}

// TestHostilePieces: headers of version 2 with other sizes than it has, also with a right checksum, and with a flipped
// bit anywhere, are errors.
func TestHostilePieces(t *testing.T) {
	f := newFileOf(t, 9000, stored.LeastPieceBytes)
	data := bytesOf(f)
	for _, log := range []uint16{0, 1, 11, 16, 17, 63, 64, 255, 1<<16 - 1} {
		changed := bytes.Clone(data)
		binary.LittleEndian.PutUint16(changed[22:], log)
		for name, read := range readers {
			if _, err := read(changed); !errors.Is(err, contents.ErrCorrupt) || !strings.Contains(err.Error(), "pieces") {
				t.Errorf("%s, pieces of 2^%d bytes: %v", name, log, err)
			}
		}
	}
	for bit := range 8 * f.Offset {
		data[bit/8] ^= 1 << (bit % 8)
		for name, read := range readers {
			if _, err := read(data); !errors.Is(err, contents.ErrCorrupt) {
				t.Errorf("%s, bit %d of the header: %v", name, bit, err)
			}
		}
		data[bit/8] ^= 1 << (bit % 8)
	}
	data[8] = 1 // whose length this is too long for
	if _, err := stored.Parse(data); !errors.Is(err, contents.ErrCorrupt) {
		t.Errorf("version 1 with a size of pieces: %v", err)
	}
}
