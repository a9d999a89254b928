package arrow_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	arrowparquet "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
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

// unreadable is a column chunk of which no batch can be read.
type unreadable struct{ file.ColumnChunkReader }

func (unreadable) HasNext() bool { return true }

func (unreadable) Descriptor() *schema.Column {
	return schema.NewColumn(schema.NewInt32Node("id", arrowparquet.Repetitions.Required, -1), 0, 0)
}

func (unreadable) ReadBatch(int64, []int32, []int16, []int16) (total int64, read int, err error) {
	return 0, 0, errRead
}

// TestBatchesThatCannotBeRead: the error is returned, and no hashes.
func TestBatchesThatCannotBeRead(t *testing.T) {
	if hashes, err := arrow.AppendBatches(nil, unreadable{}, 5, parquet.AppendHashes[int32]); !errors.Is(err, errRead) || hashes != nil {
		t.Errorf("%x, %v", hashes, err)
	}
}

// TestHostileMetadata: row groups of other columns than the schema's are errors, and no number that a footer may have
// is a panic.
func TestHostileMetadata(t *testing.T) {
	data := written(t, true)
	for what, columns := range map[string]int{"a column less": 10, "a column more": 12, "no metadata": 11} {
		r := reader(t, data)
		group := r.MetaData().RowGroups[1]
		if group.Columns = append(group.Columns, group.Columns[0])[:columns]; columns == 11 {
			group.Columns[0].MetaData = nil
		}
		f, err := arrow.Open(bytes.NewReader(data), int64(len(data)), r.MetaData())
		if f != nil || err == nil || columns != 11 && !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%s: %v", what, err)
		}
		if filters, err := arrow.Build(r, 0.01, "id"); filters != nil || err == nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestChangedPages: a header of a page that arrow-go cannot read, or panics on, is an error that says so. No filter
// lacks values that are missing.
func TestChangedPages(t *testing.T) {
	data := written(t, false)
	from := reader(t, data).MetaData().RowGroups[0].Columns[0].MetaData.DataPageOffset
	said := make(map[string]int)
	for i := from; i < from+40; i++ {
		changed := bytes.Clone(data)
		changed[i] ^= 0xff
		_, err := arrow.Build(reader(t, changed), 0.01, "id")
		if err != nil {
			for _, reason := range []string{"deserializing page header failed", "arrow-go panicked", "negative page size", "EOF"} {
				if strings.Contains(err.Error(), reason) {
					said[reason]++
				}
			}
		}
		if err != nil && errors.Is(err, simdbloom.ErrCorrupt) != strings.Contains(err.Error(), "panicked") {
			t.Errorf("byte %d: %v", i, err)
		}
	}
	if said["deserializing page header failed"] == 0 || said["arrow-go panicked"] == 0 || said["EOF"] == 0 {
		t.Error(said)
	}
}

// TestEncodings: those of a chunk's data pages are taken, or without their statistics all that it names. A file may
// have any numbers.
func TestEncodings(t *testing.T) {
	m := reader(t, written(t, true)).MetaData()
	chunk := m.RowGroups[0].Columns[0].MetaData
	data, index, dictionary, dataV2, negative, great := *chunk.EncodingStats[0], *chunk.EncodingStats[0], *chunk.EncodingStats[0], *chunk.EncodingStats[0], *chunk.EncodingStats[0], *chunk.EncodingStats[0]
	data.PageType, index.PageType, dictionary.PageType, dataV2.PageType, negative.PageType, great.PageType = 0, 1, 2, 3, 0, 0
	data.Encoding, index.Encoding, dictionary.Encoding, dataV2.Encoding, negative.Encoding, great.Encoding = 5, 6, 7, 8, -1, 1<<40
	chunk.EncodingStats = append(chunk.EncodingStats[:0], &data, &index, &dictionary, &dataV2, &negative, &great)
	chunk.Encodings = append(chunk.Encodings[:0], 9, 3, -1, 1<<40)
	for _, want := range []uint32{1<<5 | 1<<8, 1<<9 | 1<<3} {
		foot, err := arrow.FooterOf(m)
		if err != nil || foot.RowGroups[0][0].Encodings != want {
			t.Errorf("%+v, want %#x, %v", foot, want, err)
		}
		chunk.EncodingStats = nil
	}
}

// TestZeros: a filter of numbers that has 0 has -0, too.
func TestZeros(t *testing.T) {
	filters, err := arrow.Build(reader(t, written(t, false)), 0.001, "ratio", "small")
	if err != nil {
		t.Fatal(err)
	}
	for name, hash := range map[string]uint64{
		"ratio": parquet.AppendHashes(nil, []float64{math.Copysign(0, -1)})[0], "small": parquet.AppendHashes(nil, []float32{float32(math.Copysign(0, -1))})[0],
	} {
		if of := filters[name]; !of[0].ContainsHash(hash) || of[1].ContainsHash(hash) {
			t.Errorf("%s: %v, and without a zero %v", name, of[0].ContainsHash(hash), of[1].ContainsHash(hash))
		}
	}
}
