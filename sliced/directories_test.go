package sliced_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/sliced"
)

// TestWrongDirectoriesWithRightChecksums: each number of a directory is another one. The file is then an error, or is
// looked up, and written again, like any other.
func TestWrongDirectoriesWithRightChecksums(t *testing.T) {
	file := contract.Must(stored.Parse(bytesOf(mixedFilters())))
	body := bytes.Clone(file.Body)
	resealed := func() []byte {
		made := contract.Must(stored.New(file.Format, body, file.PieceBytes))
		return made.AppendTo(nil)
	}
	opened := func() (some []*sliced.Filters, errs []error) {
		data := resealed()
		for _, options := range [][]filterfile.OpenOption{nil, {filterfile.WithLazyCheck()}} {
			s, err := sliced.OpenBytes(data, options...)
			if err == nil {
				some = append(some, s)
			}
			errs = append(errs, err)
		}
		return some, errs
	}
	if some, errs := opened(); len(some) != 2 {
		t.Fatal(errs)
	}
	end := int(binary.LittleEndian.Uint64(body))
	hashes, refused, taken := vectors.Hashes(1, 20), 0, 0
	for at := 0; at < end; at += 8 {
		was := binary.LittleEndian.Uint64(body[at:])
		for _, is := range []uint64{0, 1, 2, 3, was - 1, was + 1, 2 * was, 1 << 31, 1 << 32, 1 << 62, 1 << 63, math.MaxUint64 - 1, math.MaxUint64, was ^ 1<<32, 4, 5, 6, 7, 8, binary.LittleEndian.Uint64(body[max(at-16, 0):])} {
			if is == was {
				continue
			}
			binary.LittleEndian.PutUint64(body[at:], is)
			some, errs := opened()
			for _, err := range errs {
				if err != nil && !errors.Is(err, simdbloom.ErrCorrupt) && !errors.Is(err, simdbloom.ErrUnknown) {
					t.Errorf("%d at %d: %v", is, at, err)
				}
			}
			for _, s := range some {
				for _, hash := range hashes {
					s.AppendHits(nil, hash)
				}
				for range s.Candidates(hashes, []uint64{math.MaxUint64}) {
				}
				if err := s.Err(); err != nil {
					t.Errorf("%d at %d: %v", is, at, err)
				}
				if again, err := sliced.OpenBytes(bytesOf(s)); err != nil || again.Len() != s.Len() {
					t.Errorf("%d at %d, written again: %v", is, at, err)
				}
				taken++
			}
			refused += len(errs) - len(some)
		}
		binary.LittleEndian.PutUint64(body[at:], was)
	}
	if refused == 0 || taken == 0 {
		t.Errorf("%d are errors, %d are none", refused, taken)
	}

	name := []byte("simdbloom.SplitBlock.XX64")
	for _, at := range []int{bytes.Index(body, name) + len(name), end - 1} { // what is zero
		if body[at] != 0 {
			t.Fatalf("the byte at %d is %d", at, body[at])
		}
		body[at] = 1
		if some, errs := opened(); len(some) > 0 || slices.ContainsFunc(errs, func(err error) bool { return !errors.Is(err, simdbloom.ErrCorrupt) }) {
			t.Errorf("a byte of padding at %d is set: %v", at, errs)
		}
		body[at] = 0
	}
}
