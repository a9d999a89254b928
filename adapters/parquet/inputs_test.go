package parquet

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

var errRead = errors.New("this read fails, for a test")

// failingFrom is a file of which reads from an offset on fail.
type failingFrom struct {
	*bytes.Reader
	from int64
	err  error
}

func (f failingFrom) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > f.from && at >= f.from {
		return 0, f.err
	}
	n, err := f.Reader.ReadAt(p[:min(int64(len(p)), f.from-at)], at)
	if n < len(p) {
		err = f.err
	}
	return n, err
}

// TestFilesThatCannotBeRead: the reader's error is returned, and a file that ends before its size is one of its own.
func TestFilesThatCannotBeRead(t *testing.T) {
	data := append(append([]byte("PAR1"), make([]byte, 50)...), "PAR1"...) // with a footer that is no struct
	for size := range leastFileBytes {
		for _, err := range []error{
			func() error { _, err := Open(bytes.NewReader(data), int64(size)); return err }(),
			func() error { _, err := OpenBytes(data[:size]); return err }(),
		} {
			if !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), "too few for a Parquet file") {
				t.Errorf("%d bytes: %v", size, err)
			}
		}
	}
	if err := WriteWithFilters(io.Discard, bytes.NewReader(data), -1, nil); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Errorf("-1 bytes: %v", err)
	}
	for failure, want := range map[error]error{errRead: errRead, io.EOF: io.ErrUnexpectedEOF, nil: io.ErrUnexpectedEOF} {
		_, err := Open(failingFrom{bytes.NewReader(data), 10, failure}, int64(len(data)))
		if !errors.Is(err, want) || errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%v: %v", failure, err)
		}
		if err := WriteWithFilters(io.Discard, failingFrom{bytes.NewReader(data), 10, failure}, int64(len(data)), nil); !errors.Is(err, want) {
			t.Errorf("%v: %v", failure, err)
		}
	}
	if err := WriteWithFilters(io.Discard, bytes.NewReader(append(data[:4:4], 9, 9, 9, 3, 0, 0, 0, 'P', 'A', 'R', '1')), 15, nil); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Error(err)
	}
	if err := errors.Join(short(3, 3), short(4, 3)); err != nil || !errors.Is(short(2, 3), io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

// TestFiltersThatCannotBeRead: an error of reading the rest of a filter is returned, and later calls are right.
func TestFiltersThatCannotBeRead(t *testing.T) {
	b := splitblock.AppendHeader([]byte("PAR1"), 1<<16)
	data := append(b, bytes.Repeat([]byte{0xff}, 1<<16)...)
	columns := []footer.Column{{Path: []string{"id"}, Type: footer.Int64}, {Path: []string{"old"}, Type: footer.Int96}}
	groups := [][]footer.Chunk{{{Values: 5, FilterOffset: 4}, {Values: 5}}}
	f, err := New(failingFrom{bytes.NewReader(data), 10_000, errRead}, int64(len(data)), columns, groups)
	if err != nil || !f.HasFilter(0, 0) || f.HasFilter(0, 1) {
		t.Fatal(f.HasFilter(0, 0), f.HasFilter(0, 1), err)
	}
	for range 2 {
		if filters, err := f.Filters("id"); !errors.Is(err, errRead) || filters != nil {
			t.Errorf("%v, %v", filters, err)
		}
		if got, err := Prune(f, "id", []int64{7}); !errors.Is(err, errRead) {
			t.Errorf("%v, %v", got, err)
		}
	}
	if got, err := Prune(f, "old", [][12]byte{{1}}); err != nil || len(got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := Prune(f, "id", [][12]byte{{1}}); err == nil {
		t.Errorf("INT96 in INT64: %v", got)
	}
	if filters, err := f.Filters("none"); err == nil {
		t.Errorf("filters of no column: %v", filters)
	}
	if got, want := AppendHashes([]uint64{5}, [][12]byte{{1}}), keyhash.XX64.Sum64(append([]byte{1}, make([]byte, 11)...)); !slices.Equal(got, []uint64{5, want}) {
		t.Errorf("%x, want %x", got, want)
	}
}

// failsAt fails to read from an offset on with the error, if there is one.
type failsAt struct {
	io.ReaderAt
	at  int64
	err error
}

func (r failsAt) ReadAt(p []byte, off int64) (int, error) {
	if off == r.at && r.err != nil {
		return 0, r.err
	}
	return r.ReaderAt.ReadAt(p, off)
}

// TestMarksOfFilters: what is in front of a filter tells whether its file's writer, which is known to lose values,
// wrote it. If that cannot be read, it is an error.
func TestMarksOfFilters(t *testing.T) {
	for mark, c := range map[string]struct {
		fails error
		want  int // row groups of a value that the filter lacks
	}{mark: {nil, 0}, "something": {nil, 1}, "unread...": {errRead, 0}} {
		data := splitblock.AppendHeader(append([]byte("PAR1"), mark...), 1<<10)
		data = append(data, make([]byte, 1<<10)...)
		foot := &footer.Footer{
			Columns: []footer.Column{{Path: []string{"id"}, Type: footer.Int64}}, CreatedBy: parquetGoName + " version 0.27.0",
			RowGroups: [][]footer.Chunk{{{Values: 5, FilterOffset: 13, FilterLength: len(data) - 13, Codec: codecLZ4Raw, Encodings: 1}}},
		}
		f, err := Open(&footer.File{ReaderAt: failsAt{bytes.NewReader(data), 4, c.fails}, Footer: foot}, int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Prune(f, "id", []int64{1}); len(got) != c.want || !errors.Is(err, c.fails) || len(f.Unusable()) != c.want {
			t.Errorf("%s: %v, %v, %v", mark, got, f.Unusable(), err)
		}
	}
}

// TestAddFiltersErrors have the package's name once.
func TestAddFiltersErrors(t *testing.T) {
	dir := t.TempDir()
	none := filepath.Join(dir, "none")
	for what, err := range map[string]error{
		"no file":   AddFilters(none, none, nil),
		"no footer": AddFilters(none, "inputs_test.go", nil),
		"no folder": AddFilters(filepath.Join(none, "new"), "inputs_test.go", nil),
	} {
		if err == nil || strings.Contains(err.Error(), "(inputs_test.go)") != (what == "no footer") || strings.Count(err.Error(), "parquet:") != 1 || !strings.HasPrefix(err.Error(), "parquet:") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestMisreadTypes: those that DuckDB reads as its BLOB, or as other numbers.
func TestMisreadTypes(t *testing.T) {
	kinds := []footer.Kind{footer.NoLogical, footer.String, footer.BSON, footer.Float16, footer.UUID, footer.Decimal}
	for of, want := range map[footer.Type][6]bool{
		footer.Int64: {}, footer.Float: {true, true, true, true, true, true}, footer.ByteArray: {0: true, 2: true}, footer.FixedLenByteArray: {0: true, 3: true},
	} {
		for i, kind := range kinds {
			if misread(&footer.Column{Type: of, Logical: footer.Logical{Kind: kind}}) != want[i] {
				t.Errorf("%v, %v: not %v", of, footer.Logical{Kind: kind}, want[i])
			}
		}
	}
}
