package leveldb_test

import (
	"errors"
	"io"
	"testing"

	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/leveldb"
)

func TestStored(t *testing.T) {
	open := func(data []byte, options ...leveldb.Option) *leveldb.Filter {
		f, err := leveldb.Open(data, options...)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	filters := map[string]*leveldb.Filter{"empty": open(nil), "reserved": open([]byte{1, 2, 3, 31})}
	for name, n := range map[string]int{"small": 12, "pieces": 120_000} {
		b, err := leveldb.NewBuilder(10)
		if err != nil {
			t.Fatal(err)
		}
		b.AddKeys(vectors.Keys("le64", 0, n))
		data, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		filters[name] = open(data)
	}
	contract.TestStored(t, filters, func(*leveldb.Filter) *leveldb.Filter { return open([]byte{0, 0}) })

	// Files have no name for the other hashes.
	file, err := filters["small"].MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for _, option := range []leveldb.Option{leveldb.WithSignedHash(), leveldb.WithEitherHash()} {
		f := open(filters["small"].Bytes(), option)
		if _, err := f.MarshalBinary(); err == nil {
			t.Errorf("a filter of %s was stored", f.HashName())
		}
		if n, err := f.WriteTo(io.Discard); err == nil || n != 0 {
			t.Errorf("a filter of %s was written", f.HashName())
		}
		before := f.HashName()
		if err := f.UnmarshalBinary(file); !errors.Is(err, filterfile.ErrUnknown) || f.HashName() != before {
			t.Error(err)
		}
	}
}
