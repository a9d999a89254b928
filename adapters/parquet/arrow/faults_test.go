package arrow_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/simdbloom/simdbloom/adapters/parquet/arrow"
)

var errRead = errors.New("this read fails, for a test")

// failing is a file of which one read fails.
type failing struct {
	*bytes.Reader
	reads, fails int
}

func (f *failing) ReadAt(p []byte, at int64) (int, error) {
	f.reads++
	if f.reads == f.fails {
		return 0, errRead
	}
	return f.Reader.ReadAt(p, at)
}

// TestBuildFailsWhereReadsDo: no read that fails is a row group without values.
func TestBuildFailsWhereReadsDo(t *testing.T) {
	data := written(t, false)
	for n, failed := 1, 0; ; n++ {
		f := &failing{Reader: bytes.NewReader(data)}
		r, err := file.NewParquetReader(f)
		if err != nil {
			t.Fatal(err)
		}
		f.fails = f.reads + n
		filters, err := arrow.Build(r, 0.01, "id", "text")
		if f.reads < f.fails { // none failed
			if err != nil || len(filters) != 2 || failed < 2*r.NumRowGroups() {
				t.Errorf("%d filters, %d reads, %v", len(filters), failed, err)
			}
			return
		}
		if failed++; !errors.Is(err, errRead) || filters != nil {
			t.Fatalf("read %d fails: %v", n, err)
		}
	}
}
