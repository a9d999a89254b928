package filterfile_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestWithPieceBytes: files in smaller pieces answer alike, checked at once or lazily, and record the size; that of
// 64 KiB is the default. A file that is written again keeps its pieces, unless the option is given.
func TestWithPieceBytes(t *testing.T) {
	hashes := vectors.Hashes(9, 3000)
	for _, s := range lazySources(t) {
		usual := must(filterfile.Append(nil, s.filter))
		for _, size := range []int{4 << 10, 16 << 10, 64 << 10} {
			data := must(filterfile.Append(nil, s.filter, filterfile.WithPieceBytes(size)))
			if bytes.Equal(data, usual) != (size == 64<<10) {
				t.Errorf("%s in pieces of %d: the bytes of the default: %v", s.name, size, size != 64<<10)
			}
			if info, err := filterfile.ReadInfo(bytes.NewReader(data)); err != nil || info.PieceBytes != size {
				t.Errorf("%s in pieces of %d: %+v, %v", s.name, size, info, err)
			}
			f := must(filterfile.OpenBytes(data, s.options()...))
			checkHashes(t, must(filterfile.OpenBytes(data, append(s.options(), filterfile.WithLazyCheck())...)), f, hashes)
			if again := must(filterfile.Append(nil, f)); !bytes.Equal(again, data) {
				t.Errorf("%s in pieces of %d: other bytes when written again", s.name, size)
			}
			if again := must(filterfile.Append(nil, f, filterfile.WithPieceBytes(64<<10))); !bytes.Equal(again, usual) {
				t.Errorf("%s in pieces of %d: other bytes when written with the default", s.name, size)
			}
			facts := must(filterfile.New(f, filterfile.WithKeys(3), filterfile.WithBitsPerKey(7)))
			recut := must(filterfile.New(facts, filterfile.WithPieceBytes(8<<10)))
			checkHashes(t, recut, f, hashes)
			if info := recut.Info(); info.Keys != 3 || info.BitsPerKey != 7 || info.PieceBytes != 8<<10 {
				t.Errorf("%s in pieces of %d, cut again: %+v", s.name, size, info)
			}
		}
	}
}

// TestWithoutChecks: a lookup reads one line then, and a piece otherwise.
func TestWithoutChecks(t *testing.T) {
	s := fastLocal(t, 100_000)
	store := objects{"f": must(filterfile.Append(nil, s.filter))}
	for _, of := range []struct {
		options []filterfile.OpenOption
		bytes   int64
	}{{nil, 59525}, {[]filterfile.OpenOption{filterfile.WithoutChecks()}, 64}} {
		f := must(filterfile.OpenAt(t.Context(), store, "f", of.options...))
		before := f.Counters().Bytes
		if hit, err := f.Contains(t.Context(), s.keys[0]); !hit || err != nil {
			t.Error(hit, err)
		}
		if read := f.Counters().Bytes - before; read != of.bytes {
			t.Errorf("a lookup reads %d bytes, want %d", read, of.bytes)
		}
	}
}

func TestWrongPieceBytes(t *testing.T) {
	s := fastLocal(t, 1000)
	path := filepath.Join(t.TempDir(), "f")
	for _, n := range []int{-1, 0, 1, 2048, 4097, 12 << 10, 128 << 10} {
		if err := filterfile.WriteFile(path, s.filter, filterfile.WithPieceBytes(n)); err == nil || errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("pieces of %d bytes: %v", n, err)
		}
	}
}
