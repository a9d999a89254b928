package inspect_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/inspect"
	"github.com/simdbloom/simdbloom/splitblock"
)

// withSome returns a file of four row groups: with a filter of 17, without one, with one that is damaged if asked, and
// with the first's.
func withSome(t *testing.T, damaged bool, options ...parquet.Option) *parquet.File {
	t.Helper()
	filter, err := parquet.NewFilter(parquet.AppendHashes(nil, []int64{17}), 0.01)
	if err != nil {
		t.Fatal(err)
	}
	data := append(splitblock.AppendHeader([]byte("PAR1"), filter.SizeBytes()), filter.Bytes()...)
	third := len(data)
	data = append(splitblock.AppendHeader(data, filter.SizeBytes()), filter.Bytes()...)
	if damaged {
		data[third] ^= 0xff
	}
	chunks := [][]int{{4}, {0}, {third}, {4}}
	f, err := opened(data, []parquet.Column{{Path: []string{"id"}, Type: "INT64"}}, chunks, options...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

var errFull = errors.New("the disk is full")

// full fails once, after some writes.
type full struct{ left int }

func (w *full) Write(p []byte) (int, error) {
	if w.left--; w.left == -1 {
		return 0, errFull
	}
	return len(p), nil
}

// TestRowGroupsWithout: row groups without a filter, and with one that cannot be used, are counted together.
func TestRowGroupsWithout(t *testing.T) {
	for damaged, want := range map[bool]string{
		false: "17: may be in 4 of 4 row groups: [0 1 2 3]\n18: may be in 1 of 4 row groups: [1]\n1 of 4 row groups have no usable filter",
		true:  "17: may be in 4 of 4 row groups: [0 1 2 3]\n18: may be in 2 of 4 row groups: [1 2]\n2 of 4 row groups have no usable filter",
	} {
		var out bytes.Buffer
		if err := inspect.WriteRowGroups(&out, withSome(t, damaged), "id", []string{"17", "18"}); err != nil || !strings.HasPrefix(out.String(), want) {
			t.Errorf("damaged: %v: %q, %v", damaged, &out, err)
		}
		var written full
		for written.left = range 3 {
			left := written
			if err := inspect.WriteRowGroups(&left, withSome(t, damaged), "id", []string{"17", "18"}); err != errFull {
				t.Errorf("write %d: %v", written.left, err)
			}
		}
	}
	var out bytes.Buffer
	if err := inspect.WriteRowGroups(&out, withSome(t, false), "other", nil); err == nil || out.Len() > 0 {
		t.Errorf("%q, %v", &out, err)
	}
	if err := inspect.WriteRowGroups(&out, withSome(t, false), "id", []string{"x"}); err == nil || out.Len() > 0 {
		t.Errorf("%q, %v", &out, err)
	}
}

// TestColumnsOfSome: means and sums are of the filters that can be used.
func TestColumnsOfSome(t *testing.T) {
	for damaged, n := range map[bool]int{false: 3, true: 2} {
		columns, err := inspect.Columns(withSome(t, damaged), 0.01)
		if err != nil {
			t.Fatal(err)
		}
		if c := columns[0]; c.Filters != n || c.SizeBytes != 32*n || c.Better != 32*n || c.Fill != 8./256 || c.Keys < 0.9 || c.Keys > 1.1 || c.FPR < 2e-10 || c.FPR > 3e-10 || len(c.Unusable) != 3-n {
			t.Errorf("damaged: %v: %+v", damaged, c)
		}
	}
	strict := withSome(t, true, parquet.WithUnusableAsErrors())
	var unusable *parquet.FilterError
	if columns, err := inspect.Columns(strict, 0.01); !errors.As(err, &unusable) || unusable.RowGroup != 2 || columns != nil {
		t.Errorf("%v, %v", columns, err)
	}
	if err := inspect.Write(&full{left: 1000}, strict, 0.01); !errors.As(err, &unusable) {
		t.Error(err)
	}
	damaged := withSome(t, true)
	all := full{left: 1000}
	if err := inspect.Write(&all, damaged, 0.01); err != nil {
		t.Fatal(err)
	}
	for n := range 1000 - all.left {
		if err := inspect.Write(&full{n}, damaged, 0.01); err != errFull {
			t.Errorf("write %d: %v", n, err)
		}
	}
}
