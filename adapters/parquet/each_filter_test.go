package parquet_test

import (
	"bytes"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

// TestEachFilter: the filters are those of FiltersOf, and none is kept.
func TestEachFilter(t *testing.T) {
	file := withLarge(t)
	want := must(must(parquet.OpenBytes(file)).Filters("id"))
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
	must(f.Filters("id"))
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

// TestEachFilterOfBrokenDisk: of a filter whose length is not in the footer, the rest is read later. If that fails, the
// error names the row group, and does not make the filter one that cannot be used.
func TestEachFilterOfBrokenDisk(t *testing.T) {
	file := withLarge(t)
	whole := must(parquet.OpenBytes(file))
	chunks := make([][]footer.Chunk, whole.NumRowGroups())
	for g := range chunks {
		chunks[g] = []footer.Chunk{{FilterOffset: whole.Chunk(g, 0).FilterOffset}}
	}
	none := func(int, *simdbloom.Filter) error { return nil }
	for name, query := range map[string]func(f *parquet.File) error{
		"EachFilter": func(f *parquet.File) error { return f.EachFilter(0, none) },
		"Prune":      func(f *parquet.File) error { _, err := parquet.Prune(f, "id", []int64{1}); return err },
	} {
		for left := range 18 { // of each filter the first bytes, and the rest
			rowGroup := left / 2
			if rowGroup >= 4 { // which has none
				rowGroup++
			}
			r := &broken{ReaderAt: bytes.NewReader(file), left: left, once: true}
			f := must(parquet.New(r, int64(len(file)), columns[:1], chunks, parquet.WithReadCost(0)))
			err := query(f)
			var named *parquet.FilterError
			if !errors.Is(err, errBroken) || left%2 == 1 && (!errors.As(err, &named) || named.RowGroup != rowGroup || named.Name != "id") {
				t.Errorf("%s, read %d: %v", name, left, err)
			}
			if unusable := f.Unusable(); len(unusable) != 0 {
				t.Errorf("%s, read %d: %v", name, left, unusable)
			}
			n := 0
			if err := f.EachFilter(0, func(int, *simdbloom.Filter) error { n++; return nil }); err != nil || n != 9 {
				t.Errorf("%s, read %d, and again: %d filters, %v", name, left, n, err)
			}
		}
	}
}

// TestEachFilterBesideOthers: goroutines, and the functions that they give to EachFilter, use a file at once.
func TestEachFilterBesideOthers(t *testing.T) {
	file := bytes.Clone(withLarge(t))
	want := must(must(parquet.OpenBytes(file)).Filters("id"))
	file[must(parquet.OpenBytes(file)).Chunk(7, 0).FilterOffset] ^= 0xff // of the header
	for range 5 {
		f := must(parquet.Open(bytes.NewReader(file), int64(len(file))))
		var all sync.WaitGroup
		for i := range 4 {
			all.Add(1)
			go func() {
				defer all.Done()
				n := 0
				err := f.EachFilter(0, func(g int, filter *simdbloom.Filter) error {
					if n++; !bytes.Equal(filter.Bytes(), want[g].Bytes()) {
						t.Errorf("row group %d has another filter", g)
					}
					if unusable := f.UnusableOf(0); len(unusable) > 1 {
						t.Error(unusable)
					}
					if n < i {
						return nil
					}
					got, err := parquet.PruneAmong(f, "id", []int64{int64(g)}, []int{g, 7})
					if !slices.Equal(got, []int{g, 7}) {
						t.Errorf("row groups %v, want %d and 7", got, g)
					}
					return err
				})
				if err != nil || n != 8 {
					t.Errorf("%d filters, %v", n, err)
				}
			}()
		}
		all.Wait()
	}
}

// TestEachFilterTakesLittleMemory for many filters.
func TestEachFilterTakesLittleMemory(t *testing.T) {
	const n, filterBytes, most = 64, 128 << 10, 2 << 20
	b := must(splitblock.NewBuilder(16, keyhash.XX64, simdbloom.WithSizeBytes(filterBytes)))
	b.AddUint64(1)
	filter := must(b.Filter())
	data := []byte("PAR1")
	chunks := make([][]footer.Chunk, n)
	for g := range chunks {
		chunks[g] = []footer.Chunk{{FilterOffset: int64(len(data))}}
		data = append(splitblock.AppendHeader(data, filterBytes), filter.Bytes()...)
		chunks[g][0].FilterLength = len(data) - int(chunks[g][0].FilterOffset)
	}
	f := must(parquet.New(bytes.NewReader(data), int64(len(data)), columns[:1], chunks))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read := 0
	err := f.EachFilter(0, func(int, *simdbloom.Filter) error { read++; return nil })
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; err != nil || read != n || taken > most {
		t.Errorf("%d filters of %d bytes took %d bytes of memory, %v", read, filterBytes, taken, err)
	}
}
