package sliced_test

import (
	"errors"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/sliced"
)

// TestLazilyOpenedFilters: the bytes of a file that was opened lazily are checked before they are sliced.
func TestLazilyOpenedFilters(t *testing.T) {
	m := contract.Must(bloom.NewMutable(120_000, 10, keyhash.XX64))
	m.AddString("apple")
	data := contract.Must(m.MarshalBinary())
	for _, damaged := range []bool{false, true} {
		if damaged {
			data[len(data)-m.SizeBytes()] ^= 1 // in the first of several pieces
		}
		f := contract.Must(filterfile.OpenBytes(data, filterfile.WithLazyCheck()))
		s := sliced.New(keyhash.XX64)
		if _, err := s.Append(f.Filter); errors.Is(err, simdbloom.ErrCorrupt) != damaged {
			t.Errorf("damaged %v: Append: %v", damaged, err)
		}
		if _, err := s.AppendAll([]*simdbloom.Filter{f.Filter}); errors.Is(err, simdbloom.ErrCorrupt) != damaged {
			t.Errorf("damaged %v: AppendAll: %v", damaged, err)
		}
	}
}
