package parquetgo_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	adapter "github.com/simdbloom/simdbloom/adapters/parquet/parquetgo"
)

type plainValue struct {
	V int64 `parquet:"v"`
}

type dictValue struct {
	V int64 `parquet:"v,dict"`
}

// faulty writes values with parquet-go's own filter.
func faulty[T any](t *testing.T, row func(v int64) T, codec compress.Codec, options ...parquetgo.WriterOption) (data []byte, values []int64) {
	t.Helper()
	var sink bytes.Buffer
	w := parquetgo.NewGenericWriter[T](&sink, append(options, parquetgo.Compression(codec), parquetgo.BloomFilters(parquetgo.SplitBlockFilter(10, "v")))...)
	for i := range int64(5000) {
		v := i * i * 0x1e3779b97f4a7c15
		values = append(values, v)
		if _, err := w.Write([]T{row(v)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return sink.Bytes(), values
}

// TestFaultyWriters: filters that parquet-go is known to get wrong exclude nothing, unless they are said to be good;
// the same writer's others do, and filters that are added to its files.
func TestFaultyWriters(t *testing.T) {
	plain := func(v int64) plainValue { return plainValue{v} }
	dict := func(v int64) dictValue { return dictValue{v % 100} }
	all := func(v int64) dictValue { return dictValue{v} }
	small := []parquetgo.WriterOption{parquetgo.DictionaryMaxBytes(4000), parquetgo.PageBufferSize(4096)}
	for _, codec := range codecs {
		lz4 := codec == compress.Codec(&parquetgo.Lz4Raw)
		for _, c := range []struct {
			name  string
			write func() ([]byte, []int64)
			wrong bool
		}{
			{"plain", func() ([]byte, []int64) { return faulty(t, plain, codec) }, lz4},
			{"pages of version 1", func() ([]byte, []int64) { return faulty(t, plain, codec, parquetgo.DataPageVersion(1)) }, lz4},
			{"dictionary", func() ([]byte, []int64) {
				data, values := faulty(t, dict, codec)
				for i := range values {
					values[i] %= 100
				}
				return data, values
			}, false},
			{"full dictionary", func() ([]byte, []int64) { return faulty(t, all, codec, small...) }, true},
		} {
			data, values := c.write()
			missing := func(options ...parquet.Option) (missing, refused int) {
				f := must(parquet.OpenBytes(data, options...))
				g := must(adapter.Open(file(t, data), options...))
				for _, v := range values {
					one := must(parquet.Prune(f, "v", []int64{v}))
					if other := must(parquet.Prune(g, "v", []int64{v})); !slices.Equal(one, other) {
						t.Fatalf("%v, %s: %v and %v", codec, c.name, one, other)
					}
					missing += 1 - len(one)
				}
				unusable := f.Unusable()
				if len(unusable) > 0 && (!errors.Is(unusable[0], simdbloom.ErrCorrupt) || !strings.Contains(unusable[0].Error(), "parquet-go")) {
					t.Error(unusable)
				}
				return missing, len(unusable)
			}
			lost, refused := missing()
			trusted, _ := missing(parquet.WithAnyWriter())
			// Of LZ4_RAW, the memory that is taken for the values may happen to have them.
			if lost != 0 || (refused > 0) != c.wrong || !lz4 && (trusted > 0) != c.wrong {
				t.Errorf("%v, %s: %d values lost, %d filters refused; %d values lost if they are trusted", codec, c.name, lost, refused, trusted)
			}
			path := filepath.Join(t.TempDir(), "a.parquet")
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := parquet.AddFilters(path, path, must(adapter.Build(file(t, data), 0.01, "v"))); err != nil {
				t.Fatal(err)
			}
			added := must(os.ReadFile(path))
			for _, f := range []*parquet.File{must(parquet.OpenBytes(added)), must(parquet.Open(bytes.NewReader(added), int64(len(added)), parquet.WithReadCost(0)))} {
				for _, v := range values[:100] {
					if got := must(parquet.Prune(f, "v", []int64{v})); len(got) != 1 {
						t.Fatalf("%v, %s: added filters lack %d", codec, c.name, v)
					}
				}
				if got := must(parquet.Prune(f, "v", []int64{123456789012})); len(got) != 0 || len(f.Unusable()) != 0 {
					t.Errorf("%v, %s: added filters are not used: %v", codec, c.name, f.Unusable())
				}
			}
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
