package stored_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/stored"
)

const format = "simdbloom.FastLocal.XX64"

// writing returns a writer of a body in parts of the given size, up to some number of bytes.
func writing(body []byte, size, most int) func(io.Writer) error {
	return func(w io.Writer) error {
		for at := 0; at < min(len(body), most); at += size {
			if _, err := w.Write(body[at:min(at+size, len(body), most)]); err != nil {
				return err
			}
		}
		return nil
	}
}

// TestBodiesThatAreWritten in parts of any size make the same file as one in memory. What they say that goes wrong is
// the error, and too few bytes are one.
func TestBodiesThatAreWritten(t *testing.T) {
	for _, length := range lengths {
		want := newFileOf(t, length, 8<<10)
		want.Keys, want.BitsPerKey = -1, 0
		for _, size := range []int{1000, 4096, 8191, 8192, 100_000} {
			f, err := stored.NewOf(format, uint64(length), 8<<10, writing(want.Body, size, length))
			var w bytes.Buffer
			if n, failed := f.WriteTo(&w); err != nil || failed != nil || n != int64(w.Len()) || !bytes.Equal(w.Bytes(), bytesOf(want)) {
				t.Errorf("%d bytes in parts of %d: other bytes, or %v, %v", length, size, err, failed)
			}
			if head := bytesOf(want); f.Sum() != want.Sum() || f.Sum() != xxhash.Sum64(head[:bytes.LastIndex(head[:f.Offset], sumOf(&f))]) {
				t.Errorf("%d bytes in parts of %d: another checksum of the header", length, size)
			}
		}
	}
	body := newFile(t, 1000).Body
	errWrite := errors.New("cannot be written")
	if _, err := stored.NewOf(format, 1000, stored.PieceBytes, func(io.Writer) error { return errWrite }); !errors.Is(err, errWrite) {
		t.Error(err)
	}
	if _, err := stored.NewOf(format, 1<<46+1, stored.PieceBytes, func(io.Writer) error { panic("it is written") }); err == nil {
		t.Error("a filter of more than 2^46 bytes")
	}
	calls := 0
	f, err := stored.NewOf(format, 1000, stored.PieceBytes, func(w io.Writer) error {
		calls++
		return writing(body, 100, 1001-calls)(w)
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := f.WriteTo(io.Discard); !errors.Is(err, io.ErrShortWrite) || n != f.Offset+999 {
		t.Errorf("a body that is shorter the second time: %d bytes, %v", n, err)
	}
	for _, room := range []int64{0, f.Offset - 1, f.Offset, f.Offset + 500} {
		for _, f := range []stored.File{newFile(t, 1000), f} {
			if n, err := f.WriteTo(&full{room}); !errors.Is(err, io.ErrClosedPipe) || n != room {
				t.Errorf("%d bytes of %d: %v", n, room, err)
			}
		}
	}
}

// sumOf returns the bytes of the header's checksum.
func sumOf(f *stored.File) []byte { return binary.LittleEndian.AppendUint64(nil, f.Sum()) }

// full is a writer that has room for some bytes.
type full struct{ room int64 }

func (f *full) Write(p []byte) (int, error) {
	n := min(f.room, int64(len(p)))
	if f.room -= n; n < int64(len(p)) {
		return int(n), io.ErrClosedPipe
	}
	return int(n), nil
}

// failsOnce is a writer whose first write fails.
type failsOnce struct{ calls int }

func (f *failsOnce) Write(p []byte) (int, error) {
	if f.calls++; f.calls == 1 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

// TestNothingFollowsAnError: what could not be written is not followed by the rest.
func TestNothingFollowsAnError(t *testing.T) {
	f := newFile(t, 1000)
	var w failsOnce
	if n, err := f.WriteTo(&w); n != 0 || w.calls != 1 || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%d bytes by %d calls, %v", n, w.calls, err)
	}
}

// TestBegins: eight bytes tell a file.
func TestBegins(t *testing.T) {
	data := bytesOf(newFile(t, 1))
	for n := range 10 {
		if got := stored.Begins(data[:n]); got != (n >= 8) {
			t.Errorf("%d bytes: %v", n, got)
		}
		data[n] ^= 1
		if stored.Begins(data) != (n >= 8) {
			t.Errorf("byte %d is another: %v", n, n < 8)
		}
		data[n] ^= 1
	}
}

// TestHeads: the bytes before the filter alone tell all facts, and what is wrong.
func TestHeads(t *testing.T) {
	f := newFile(t, 3*stored.PieceBytes)
	head := bytesOf(f)[:f.Offset]
	if n, err := stored.HeadBytes(head); n != f.Offset || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	if got, sums, err := stored.ParseHead(head); err != nil || got.Info != f.Info || len(sums) != 3 {
		t.Errorf("%+v, %d checksums, %v", got.Info, len(sums), err)
	}
	for _, at := range []int{0, 8, 41, int(f.Offset) - 1} {
		head[at] ^= 1
		_, bytesErr := stored.HeadBytes(head)
		if _, _, err := stored.ParseHead(head); !errors.Is(err, contents.ErrCorrupt) || errors.Is(bytesErr, contents.ErrCorrupt) != (at < 40) {
			t.Errorf("byte %d is another: %v, %v", at, err, bytesErr)
		}
		head[at] ^= 1
	}
	binary.LittleEndian.PutUint64(head[16:], 1<<46+1) // the length
	if n, err := stored.HeadBytes(head); !errors.Is(err, contents.ErrCorrupt) {
		t.Errorf("a filter that is too large: %d bytes, %v", n, err)
	}
}

// TestLongNamesOfOthers: no reader takes names of more than 1,024 bytes.
func TestLongNamesOfOthers(t *testing.T) {
	for _, at := range []int{12, 14} {
		data := bytesOf(newFile(t, 69))
		binary.LittleEndian.PutUint16(data[at:], 1025)
		for name, read := range readers {
			if _, err := read(append(data, make([]byte, 2000)...)); !errors.Is(err, contents.ErrCorrupt) || !bytes.Contains([]byte(err.Error()), []byte("more than 1024")) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// failing is a reader of bytes that does not end with io.EOF.
type failing struct{ data *bytes.Reader }

func (f failing) Read(p []byte) (int, error) {
	n, err := f.data.Read(p)
	if err != nil {
		err = io.ErrNoProgress
	}
	return n, err
}

// TestReadersOfLargeFiles are read to the end, and not beyond: sections of others from where they stand, and such that
// cannot tell their length. Memory is made once, if they can. What goes wrong at the end is an error.
func TestReadersOfLargeFiles(t *testing.T) {
	f := newFile(t, 3<<20)
	data := bytesOf(f)
	for name, r := range map[string]io.Reader{
		"bytes":   bytes.NewReader(data),
		"section": io.NewSectionReader(bytes.NewReader(slices.Concat([]byte("before"), data, []byte("behind"))), 6, int64(len(data))),
		"stream":  io.MultiReader(bytes.NewReader(data)),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, n, err := stored.ReadAll(r)
		runtime.ReadMemStats(&after)
		if err != nil || n != int64(len(data)) || !bytes.Equal(got.Body, f.Body) {
			t.Errorf("%s: %d bytes, %v", name, n, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > uint64(len(data)+100<<10) && name != "stream" {
			t.Errorf("%s: %d bytes are allocated for %d", name, took, len(data))
		}
	}
	if _, _, err := stored.ReadAll(failing{bytes.NewReader(data)}); !errors.Is(err, io.ErrNoProgress) {
		t.Error(err)
	}
	if _, n, err := stored.Read(bytes.NewReader(append(data, 1, 2))); n != int64(len(data))+1 || !errors.Is(err, contents.ErrCorrupt) {
		t.Errorf("with bytes behind it: %d, %v", n, err)
	}
}

// TestFirstPieces: CheckFirst finds a wrong first piece of any filter that has a byte, and a copy is one.
func TestFirstPieces(t *testing.T) {
	for _, length := range []int{0, 1, 300, 2 * stored.PieceBytes} {
		f := newFile(t, length)
		if err := f.CheckFirst(); err != nil { // all is right already
			t.Error(err)
		}
		copied := f.Copied()
		if length > 0 && unsafe.SliceData(copied.Body) == unsafe.SliceData(f.Body) || !bytes.Equal(copied.Body, f.Body) {
			t.Errorf("%d bytes are not copied", length)
		}
		f.Cut()
		if err := f.CheckFirst(); err != nil {
			t.Error(err)
		}
		if length > 0 {
			f.Body[0] ^= 1
			f.Cut()
			if err := f.CheckFirst(); !errors.Is(err, contents.ErrCorrupt) {
				t.Errorf("the first of %d bytes is wrong: %v", length, err)
			}
		}
	}
}

// TestHandoversHaveNoBytes for readers and writers that do not know them.
func TestHandoversHaveNoBytes(t *testing.T) {
	var h stored.Handover
	n, err := h.Read(make([]byte, 8))
	m, failed := h.Write(make([]byte, 8))
	if n != 0 || m != 0 || err == nil || failed == nil {
		t.Errorf("%d bytes, %v, %d bytes, %v", n, err, m, failed)
	}
}
