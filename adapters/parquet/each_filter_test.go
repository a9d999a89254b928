package parquet_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
)

// TestEachFilter: the filters are those of FiltersOf, and none is kept.
func TestEachFilter(t *testing.T) {
	file := withLarge(t)
	want := must(must(parquet.OpenBytes(file)).FiltersOf(0))
	check := func(f *parquet.File) {
		t.Helper()
		var seen []int
		err := f.EachFilter(0, func(g int, filter *simdbloom.Filter) error {
			if seen = append(seen, g); !bytes.Equal(filter.Bytes(), want[g].Bytes()) {
				t.Errorf("row group %d has another filter", g)
			}
			return nil
		})
		slices.Sort(seen)
		if err != nil || !slices.Equal(seen, []int{0, 1, 2, 3, 5, 6, 7, 8, 9}) {
			t.Errorf("row groups %v, %v", seen, err)
		}
	}
	r := &counting{ReaderAt: bytes.NewReader(file)}
	f := must(parquet.Open(r, int64(len(file))))
	all := 0
	for range 3 {
		r.bytes = 0
		check(f)
		if all = max(all, r.bytes); r.bytes != all || all < len(file)/2 {
			t.Errorf("%d bytes were read, at first %d", r.bytes, all)
		}
	}
	must(parquet.PruneAmong(f, "id", []int64{1}, []int{2, 5}))
	must(f.FiltersOf(0))
	r.bytes = 0
	check(f)
	if r.bytes != 0 {
		t.Errorf("%d bytes were read of filters that are kept", r.bytes)
	}
	check(must(parquet.OpenBytes(file)))
	stop := errors.New("stop")
	for _, f := range []*parquet.File{f, must(parquet.Open(r, int64(len(file))))} {
		calls := 0
		if err := f.EachFilter(0, func(int, *simdbloom.Filter) error { calls++; return stop }); err != stop || calls != 1 {
			t.Errorf("%v after %d calls", err, calls)
		}
	}
}

// TestEachFilterUnusable: a filter that cannot be used is left out and recorded, or an error.
func TestEachFilterUnusable(t *testing.T) {
	file := bytes.Clone(withLarge(t))
	f := must(parquet.Open(bytes.NewReader(file), int64(len(file))))
	file[f.Chunk(7, 0).FilterOffset] ^= 0xff // of the header
	for range 2 {
		n := 0
		err := f.EachFilter(0, func(g int, _ *simdbloom.Filter) error {
			if n++; g == 7 {
				t.Error("row group 7 has a filter")
			}
			return nil
		})
		if unusable := f.UnusableOf(0); err != nil || n != 8 || len(unusable) != 1 || unusable[0].RowGroup != 7 {
			t.Errorf("%d filters, %v, %v", n, unusable, err)
		}
	}
	strict := must(parquet.Open(bytes.NewReader(file), int64(len(file)), parquet.WithUnusableAsErrors()))
	var unusable *parquet.FilterError
	for range 2 {
		if err := strict.EachFilter(0, func(int, *simdbloom.Filter) error { return nil }); !errors.As(err, &unusable) || unusable.RowGroup != 7 {
			t.Error(err)
		}
	}
}
