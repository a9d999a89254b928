package parquetgo_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	adapter "github.com/simdbloom/simdbloom/adapters/parquet/parquetgo"
)

var codecs = []compress.Codec{&parquetgo.Uncompressed, &parquetgo.Snappy, &parquetgo.Gzip, &parquetgo.Brotli, &parquetgo.Zstd, &parquetgo.Lz4Raw}

// compressible has values that compress well, and noise that does not.
type compressible struct {
	Text   string    `parquet:"text"`
	Noise  [16]byte  `parquet:"noise"`
	Number int64     `parquet:"number,delta"`
	Maybe  *string   `parquet:"maybe,optional,dict"`
	Many   []float64 `parquet:"many"`
}

func compressibleRows(n int) []compressible {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	rows := make([]compressible, n)
	for i := range rows {
		r := &rows[i]
		r.Text, r.Number = fmt.Sprint("text ", i/3, rng.Uint64()), rng.Int64()
		for j := range r.Noise {
			r.Noise[j] = byte(rng.Uint32())
		}
		if i%3 != 0 {
			s := fmt.Sprint(i % 100)
			r.Maybe = &s
		}
		for range i % 3 {
			r.Many = append(r.Many, rng.Float64())
		}
	}
	return rows
}

// TestCodecs compares every hash of files of every codec. parquet-go alone reads other values than were written
// in some of those of LZ4_RAW.
func TestCodecs(t *testing.T) {
	for _, codec := range codecs {
		for _, version := range []int{1, 2} {
			for _, n := range []int{0, 1, 100, 3000} {
				rows := compressibleRows(n)
				var sink bytes.Buffer
				w := parquetgo.NewGenericWriter[compressible](&sink, parquetgo.Compression(codec), parquetgo.DataPageVersion(version), parquetgo.PageBufferSize(16<<10))
				if _, err := w.Write(rows); err != nil {
					t.Fatal(err)
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				want := map[string][]uint64{"text": nil, "noise": nil, "number": nil, "maybe": nil, "many": nil}
				for i := range rows {
					r := &rows[i]
					want["text"] = parquet.AppendHashes(want["text"], []string{r.Text})
					want["noise"] = parquet.AppendHashes(want["noise"], [][]byte{r.Noise[:]})
					want["number"] = parquet.AppendHashes(want["number"], []int64{r.Number})
					if r.Maybe != nil {
						want["maybe"] = parquet.AppendHashes(want["maybe"], []string{*r.Maybe})
					}
					want["many"] = parquet.AppendHashes(want["many"], r.Many)
				}
				for column := range want {
					if got := hashesOf(t, sink.Bytes(), column); !slices.Equal(got, distinct(want[column])) {
						t.Errorf("%v, pages of version %d, %d rows, column %s: other hashes than those of the values", codec, version, n, column)
					}
				}
			}
		}
	}
}

// TestDictionariesAreHashedOnce: a dictionary's values are, whatever the number of pages.
func TestDictionariesAreHashedOnce(t *testing.T) {
	for hashes, err := range adapter.Hashes(file(t, written(t, parquetgo.PageBufferSize(512))), "name") {
		if want := perGroup / 5; err != nil || len(hashes) != want {
			t.Errorf("%d hashes, want %d, %v", len(hashes), want, err)
		}
	}
}

// hashesOf returns a column's different hashes, sorted.
func hashesOf(t *testing.T, data []byte, column string) (all []uint64) {
	t.Helper()
	for hashes, err := range adapter.Hashes(file(t, data), column) {
		if err != nil {
			t.Fatalf("column %s: %v", column, err)
		}
		all = append(all, hashes...)
	}
	return distinct(all)
}

func distinct(hashes []uint64) []uint64 {
	slices.Sort(hashes)
	return slices.Compact(hashes)
}

// TestCodecOfEachRowGroup: parquet-go takes the first row group's codec for all.
func TestCodecOfEachRowGroup(t *testing.T) {
	first := written(t, parquetgo.Compression(&parquetgo.Uncompressed))
	for _, codec := range codecs {
		second := written(t, parquetgo.Compression(codec))
		metadata := file(t, first).Metadata()
		data := slices.Clone(first[:dataEnd(first)])
		for g := 1; g < rowGroups; g++ {
			group := file(t, second).Metadata().RowGroups[g]
			for i := range group.Columns {
				m := &group.Columns[i].MetaData
				m.DataPageOffset += int64(len(data))
				if m.DictionaryPageOffset != 0 {
					m.DictionaryPageOffset += int64(len(data))
				}
			}
			metadata.RowGroups[g] = group
		}
		footer, err := thrift.Marshal(new(thrift.CompactProtocol), metadata)
		if err != nil {
			t.Fatal(err)
		}
		data = append(append(data, second[:dataEnd(second)]...), footer...)
		data = append(binary.LittleEndian.AppendUint32(data, uint32(len(footer))), "PAR1"...)
		f, err := parquetgo.OpenFile(bytes.NewReader(data), int64(len(data)), parquetgo.SkipPageIndex(true))
		if err != nil {
			t.Fatal(err)
		}
		g := 0
		for hashes, err := range adapter.Hashes(f, "id") {
			if err != nil {
				t.Fatalf("%v, row group %d: %v", codec, g, err)
			}
			var ids []int64
			for i := range perGroup {
				ids = append(ids, rowOf(g*perGroup+i).ID)
			}
			if !slices.Equal(distinct(slices.Clone(hashes)), distinct(parquet.AppendHashes(nil, ids))) {
				t.Errorf("%v, row group %d: other hashes", codec, g)
			}
			g++
		}
	}
}

// dataEnd returns where a file's footer begins.
func dataEnd(data []byte) int {
	return len(data) - 8 - int(binary.LittleEndian.Uint32(data[len(data)-8:]))
}

// TestValuesAreCounted: pages that have fewer values than the column chunk says are an error.
func TestValuesAreCounted(t *testing.T) {
	for _, codec := range []compress.Codec{&parquetgo.Uncompressed, &parquetgo.Lz4Raw} {
		data := written(t, parquetgo.Compression(codec))
		for _, name := range names {
			for _, more := range []int64{-1, 1} {
				f := file(t, data)
				leaf, _ := f.Schema().Lookup(splitName(name)...)
				f.Metadata().RowGroups[1].Columns[leaf.ColumnIndex].MetaData.NumValues += more
				if _, err := adapter.Build(f, 0.01, name); !errors.Is(err, simdbloom.ErrCorrupt) {
					t.Errorf("%v, column %s, %d values more: %v", codec, name, more, err)
				}
			}
		}
	}
}

// TestCorruptPages: a page of LZ4_RAW that cannot be decompressed, or to another size, is an error.
func TestCorruptPages(t *testing.T) {
	data := written(t, parquetgo.Compression(&parquetgo.Lz4Raw))
	m := file(t, data).Metadata().RowGroups[0].Columns[0].MetaData
	if m.Codec != format.Lz4Raw {
		t.Fatal(m.Codec)
	}
	for i := m.DataPageOffset; i < m.DataPageOffset+200; i++ {
		for _, flip := range []byte{0xff, 1, 0x10, 0x80} {
			changed := bytes.Clone(data)
			changed[i] ^= flip
			filters, err := adapter.Build(file(t, changed), 0.01, "id")
			if err == nil && filters["id"][0].SizeBytes() == 0 {
				t.Errorf("byte %d: an empty filter", i)
			}
		}
	}
}
