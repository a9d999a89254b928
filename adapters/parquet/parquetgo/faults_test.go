package parquetgo_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	adapter "github.com/simdbloom/simdbloom/adapters/parquet/parquetgo"
)

var errRead = errors.New("this read fails, for a test")

// failing is a file of which one read fails.
type failing struct {
	*bytes.Reader
	reads, fails int
}

func (f *failing) ReadAt(p []byte, at int64) (int, error) {
	if f.reads++; f.reads == f.fails {
		return 0, errRead
	}
	return f.Reader.ReadAt(p, at)
}

// openFailing opens a file whose n-th read from now on fails.
func openFailing(t *testing.T, data []byte, n int) (*failing, *parquetgo.File) {
	t.Helper()
	f := &failing{Reader: bytes.NewReader(data)}
	file, err := parquetgo.OpenFile(f, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	f.fails = f.reads + n
	return f, file
}

// TestBuildFailsWhereReadsDo: no read that fails is a row group without values.
func TestBuildFailsWhereReadsDo(t *testing.T) {
	data := written(t)
	for n, failed := 1, 0; ; n++ {
		f, file := openFailing(t, data, n)
		filters, err := adapter.Build(file, 0.01, "id", "name", "maybe")
		if f.reads < f.fails { // none failed
			if err != nil || len(filters) != 3 || failed < 3*rowGroups {
				t.Errorf("%d filters, %d reads, %v", len(filters), failed, err)
			}
			return
		}
		if failed++; !errors.Is(err, errRead) || filters != nil {
			t.Fatalf("read %d fails: %v", n, err)
		}
	}
}

// TestPruneFailsWhereReadsDo: a read that fails excludes no row group, and the next Prune is right.
func TestPruneFailsWhereReadsDo(t *testing.T) {
	data := written(t, filtered())
	for _, cost := range []int{0, 1 << 20} {
		for n := 1; ; n++ {
			f, file := openFailing(t, data, n)
			pruned, err := adapter.Open(file, parquet.WithReadCost(cost))
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i < rowGroups*perGroup; i += perGroup / 2 {
				got, err := parquet.Prune(pruned, "id", []int64{rowOf(i).ID})
				if errors.Is(err, errRead) && got == nil && f.reads >= f.fails {
					got, err = parquet.Prune(pruned, "id", []int64{rowOf(i).ID})
				}
				if err != nil || !slices.Contains(got, i/perGroup) {
					t.Fatalf("a read costs %d, read %d failed: row %d is in the row groups %v, %v", cost, n, i, got, err)
				}
			}
			if f.reads < f.fails { // none failed
				if n == 1 {
					t.Error("nothing was read")
				}
				break
			}
		}
	}
}
