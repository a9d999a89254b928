package stored_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/keyhash"
)

// lengths are those of filters of no piece, of one, and of several, with a last one of any size.
var lengths = []int{
	0, 1, 69, stored.PieceBytes - 1, stored.PieceBytes, stored.PieceBytes + 1,
	2 * stored.PieceBytes, 3*stored.PieceBytes - 1, 3*stored.PieceBytes + 133,
}

// newFile returns the file of a filter of random bytes.
func newFile(t *testing.T, length int) stored.File { return newFileOf(t, length, stored.PieceBytes) }

// newFileOf is newFile in pieces of the given size.
func newFileOf(t *testing.T, length, pieceBytes int) stored.File {
	t.Helper()
	body := make([]byte, length)
	random := rand.New(rand.NewPCG(uint64(length), 1))
	for i := range body {
		body[i] = byte(random.Uint32())
	}
	f, err := stored.New("simdbloom.FastLocal.XX64", body, pieceBytes)
	if err != nil {
		t.Fatal(err)
	}
	f.Keys, f.BitsPerKey = 1234, 9.5
	return f
}

// bytesOf returns a file's bytes.
func bytesOf(f stored.File) []byte { return f.AppendTo(nil) }

// TestWhatIsWrittenIsRead, each way.
func TestWhatIsWrittenIsRead(t *testing.T) {
	for _, length := range lengths {
		f := newFile(t, length)
		data := bytesOf(f)
		if multiple := alignment(length); f.Offset%multiple != 0 || len(data) != int(f.Offset)+length {
			t.Errorf("%d bytes: the filter begins at %d of %d bytes, want a multiple of %d", length, f.Offset, len(data), multiple)
		}
		var w bytes.Buffer
		if n, err := f.WriteTo(&w); err != nil || n != int64(len(data)) || !bytes.Equal(w.Bytes(), data) {
			t.Errorf("%d bytes: WriteTo writes other bytes than AppendTo, or %v", length, err)
		}
		for name, read := range readers {
			got, err := read(data)
			if err != nil || !reflect.DeepEqual(got.Info, f.Info) || !bytes.Equal(got.Body, f.Body) || got.Pieces != nil {
				t.Errorf("%d bytes, %s: %+v, or lookups check it again, %v", length, name, got.Info, err)
				continue
			}
			if !bytes.Equal(bytesOf(got), data) {
				t.Errorf("%d bytes, %s: another file when written again", length, name)
			}
		}
		if info, err := stored.ReadInfo(bytes.NewReader(data[:f.Offset])); err != nil || info != f.Info {
			t.Errorf("%d bytes, ReadInfo: %+v, %v", length, info, err)
		}
	}
}

// alignment is that of a filter's first byte in a file.
func alignment(length int) int64 {
	if length >= stored.PieceBytes {
		return 4096
	}
	return 64
}

// readers are all ways to read a file, with its checksums.
var readers = map[string]func(data []byte) (stored.File, error){
	"Parse": func(data []byte) (stored.File, error) {
		f, err := stored.Parse(data)
		if err != nil {
			return f, err
		}
		return f, f.Begin(false)
	},
	"Copy": stored.Copy,
	"ReadAll": func(data []byte) (stored.File, error) {
		f, n, err := stored.ReadAll(bytes.NewReader(data))
		if err == nil && n != int64(len(data)) {
			err = errors.New("not all bytes were read")
		}
		return f, err
	},
	"ReadAll of single bytes": func(data []byte) (stored.File, error) {
		f, n, err := stored.ReadAll(iotest.OneByteReader(bytes.NewReader(data)))
		if err == nil && n != int64(len(data)) {
			err = errors.New("not all bytes were read")
		}
		return f, err
	},
}

// TestEveryByteOfAPieceCounts: the first, the last and some bytes between of each piece.
func TestEveryByteOfAPieceCounts(t *testing.T) {
	for _, length := range lengths {
		f := newFile(t, length)
		data := bytesOf(f)
		body := data[f.Offset:]
		for from := 0; from < length; from += stored.PieceBytes {
			end := min(from+stored.PieceBytes, length)
			for _, at := range []int{from, min(from+1, end-1), (from + end) / 2, max(end-2, from), end - 1} {
				body[at] ^= 0x10
				checkWrongPiece(t, data, from/stored.PieceBytes, at)
				body[at] ^= 0x10
			}
		}
	}
}

// checkWrongPiece requires that the piece with a flipped bit is found wrong, and no other.
func checkWrongPiece(t *testing.T, data []byte, wrong, at int) {
	t.Helper()
	for name, read := range readers {
		if _, err := read(data); !errors.Is(err, contents.ErrCorrupt) {
			t.Errorf("%d bytes, %s: byte %d is wrong, and the error is %v", len(data), name, at, err)
		}
	}
	f, err := stored.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Begin(true); (err != nil) != (wrong >= (len(f.Body)-256)/stored.PieceBytes) {
		t.Errorf("%d bytes, byte %d is wrong: begun lazily: %v", len(data), at, err)
	}
	for i := 0; i*stored.PieceBytes < len(f.Body); i++ {
		for range 2 { // the second time it is known
			if right := f.Pieces.Check(i); right == (i == wrong) {
				t.Errorf("%d bytes, byte %d is wrong: piece %d is right: %v", len(data), at, i, right)
			}
		}
	}
	if f.Pieces.AllRight() || !errors.Is(f.Err(), contents.ErrCorrupt) {
		t.Errorf("%d bytes, byte %d is wrong: all are right: %v, %v", len(data), at, f.Pieces.AllRight(), f.Err())
	}
}

// TestBeginLazily checks the pieces of the last 256 bytes, and no others.
func TestBeginLazily(t *testing.T) {
	for _, c := range []struct {
		length, flipped int
		isFound         bool
	}{
		{2 * stored.PieceBytes, 0, false},
		{2 * stored.PieceBytes, stored.PieceBytes - 1, false},
		{2 * stored.PieceBytes, stored.PieceBytes, true},
		{stored.PieceBytes + 255, stored.PieceBytes - 1, true},
		{stored.PieceBytes + 256, stored.PieceBytes - 1, false},
		{stored.PieceBytes + 256, stored.PieceBytes, true},
		{69, 0, true},
	} {
		f := newFile(t, c.length)
		f.Body[c.flipped] ^= 1
		if err := f.Begin(true); (err != nil) != c.isFound {
			t.Errorf("%d bytes, byte %d is wrong: %v", c.length, c.flipped, err)
		}
		if err := f.Check(); err == nil || f.Pieces.AllRight() {
			t.Errorf("%d bytes, byte %d is wrong: all pieces are right", c.length, c.flipped)
		}
	}
}

// TestEveryBitOfTheHeaderCounts, and of the zeros behind it.
func TestEveryBitOfTheHeaderCounts(t *testing.T) {
	f := newFile(t, 1)
	data := bytesOf(f)
	for bit := range 8 * f.Offset {
		data[bit/8] ^= 1 << (bit % 8)
		for name, read := range readers {
			if _, err := read(data); !errors.Is(err, contents.ErrCorrupt) {
				t.Errorf("%s, bit %d of the header: %v", name, bit, err)
			}
		}
		data[bit/8] ^= 1 << (bit % 8)
	}
}

// TestFilesOfAnotherLength are refused: cut short, or with bytes behind the filter.
func TestFilesOfAnotherLength(t *testing.T) {
	data := bytesOf(newFile(t, 69))
	for n := range data {
		for name, read := range readers {
			if _, err := read(data[:n]); !errors.Is(err, contents.ErrCorrupt) || !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s, %d of %d bytes: %v", name, n, len(data), err)
			}
		}
	}
	for name, read := range readers {
		if _, err := read(append(bytes.Clone(data), 0)); !errors.Is(err, contents.ErrCorrupt) {
			t.Errorf("%s with a byte behind the filter: %v", name, err)
		}
		if _, err := read(append(bytes.Clone(data), 0, 0, 0)); name == "Parse" && (err == nil || !strings.Contains(err.Error(), "3 bytes follow the filter")) {
			t.Errorf("%s with three bytes behind the filter: %v", name, err)
		}
		if _, err := read([]byte("hello\n")); !errors.Is(err, contents.ErrCorrupt) || !strings.Contains(err.Error(), "not a filter file") {
			t.Errorf("%s of a text: %v", name, err)
		}
	}
}

// TestOtherVersions are said to be other versions, however much is there behind the lengths.
func TestOtherVersions(t *testing.T) {
	data := bytesOf(newFile(t, 69))
	data[8] = 3
	for _, n := range []int{stored.LeastBytes, len(data)} {
		for name, read := range readers {
			if _, err := read(data[:n]); !errors.Is(err, contents.ErrCorrupt) || !strings.Contains(err.Error(), "version 3") {
				t.Errorf("%s, %d bytes: %v", name, n, err)
			}
		}
	}
}

// TestLongNames has a key hash's name of the most bytes, which does not depend on the format, and one more.
func TestLongNames(t *testing.T) {
	const most = 1024 - len("simdbloom.SplitBlock.")
	for n, fits := range map[int]bool{1: true, 1000: true, most: true, most + 1: false} {
		for _, format := range []string{"simdbloom.FastLocal.", "simdbloom.Paired128.", "simdbloom.Linear.", "simdbloom.SplitBlock."} {
			hash := keyhash.New(strings.Repeat("n", n), keyhash.XX64.Sum64)
			f, err := stored.New(format+hash.Name(), []byte("filter"), stored.PieceBytes)
			if fits != (err == nil) {
				t.Errorf("a hash's name of %d bytes: %v", n, err)
			}
			if err == nil {
				if _, err := stored.Copy(bytesOf(f)); err != nil {
					t.Errorf("a hash's name of %d bytes: %v", n, err)
				}
			}
		}
	}
}

// TestSectionsOfNothing: a section that says that it is larger than what it is of, read as a file that says that it
// has a filter of gigabytes, takes little memory.
func TestSectionsOfNothing(t *testing.T) {
	data := bytesOf(newFile(t, 69))
	binary.LittleEndian.PutUint64(data[16:], 1<<40)
	large := newFile(t, 6<<20)
	const read = 32 << 20
	behind := append(make([]byte, read), bytesOf(large)[:large.Offset+100]...)
	for what, section := range map[string]*io.SectionReader{
		"longer than its source": io.NewSectionReader(bytes.NewReader(data), 0, math.MaxInt64),
		"most of which was read": io.NewSectionReader(bytes.NewReader(behind), 0, int64(len(behind))),
	} {
		if what != "longer than its source" {
			section.Seek(read, io.SeekStart)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := stored.ReadAll(section)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, contents.ErrCorrupt) {
			t.Errorf("%s: %v", what, err)
		}
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 4<<20 {
			t.Errorf("%s: %d bytes were allocated", what, bytes)
		}
	}
}
