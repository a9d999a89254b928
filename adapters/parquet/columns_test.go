package parquet_test

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
)

// TestColumnsOfOneName: a name that two columns have, because it has dots, is an error wherever the second one is.
func TestColumnsOfOneName(t *testing.T) {
	twice := []footer.Column{{Path: []string{"a", "b"}, Type: footer.Int64}, {Path: []string{"c"}, Type: footer.Int64}, {Path: []string{"a.b"}, Type: footer.Int64}}
	f, err := parquet.New(bytes.NewReader(nil), 0, twice, [][]footer.Chunk{make([]footer.Chunk, 3)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Column("a.b"); err == nil || !strings.Contains(err.Error(), "two columns") {
		t.Error(err)
	}
	if c, err := f.Column("c"); c != 1 || err != nil {
		t.Error(c, err)
	}
	for _, n := range []int{0, 2, 4} {
		if f, err := parquet.New(bytes.NewReader(nil), 0, twice, [][]footer.Chunk{make([]footer.Chunk, 3), make([]footer.Chunk, n)}); f != nil || err == nil {
			t.Errorf("%d chunks of 3 columns: %v", n, err)
		}
	}
}

// TestPruneAmongRepeated: row groups may be given more than once, and one that does not exist is a panic that says so.
func TestPruneAmongRepeated(t *testing.T) {
	f, err := parquet.OpenBytes(with(t, image(columns, 2), parquet.Filters{"nested.key": {filterOf(t, "abcd"), filterOf(t, "wxyz")}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, groups := range [][]int{{1, 0, 1, 1}, {0, 0}, {}} {
		want := slices.DeleteFunc(slices.Clone(groups), func(g int) bool { return g == 0 })
		if got, err := parquet.PruneAmong(f, "nested.key", []string{"wxyz"}, groups); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v, %v", groups, got, want, err)
		}
	}
	for _, g := range []int{-1, 2} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, "no row group") {
					t.Errorf("row group %d: %q", g, text)
				}
			}()
			parquet.PruneAmong(f, "nested.key", []string{"wxyz"}, []int{0, g})
		}()
	}
}

// TestAddFiltersToNoFile: the system's error says which package it is from.
func TestAddFiltersToNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none")
	if err := parquet.AddFilters(path, path, nil); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "parquet: ") {
		t.Error(err)
	}
}
