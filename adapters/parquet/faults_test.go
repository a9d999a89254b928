package parquet

import (
	"bytes"
	"testing"

	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
	"github.com/simdbloom/simdbloom/splitblock"
)

// TestFaultyVersions: which versions of which writers have a fault. Arrow's module for Go calls itself parquet-go, too.
func TestFaultyVersions(t *testing.T) {
	for createdBy, want := range map[string]int{
		"github.com/parquet-go/parquet-go version 0.32.0(build )":    2,
		"github.com/parquet-go/parquet-go version 0.31.0(build )":    2,
		"github.com/parquet-go/parquet-go version 0.30.2(build )":    1,
		"github.com/parquet-go/parquet-go version 0.26.4(build )":    1,
		"github.com/parquet-go/parquet-go version 1.0.0(build a)":    2, // until one is known that has none
		"github.com/parquet-go/parquet-go version (devel)(build )":   2,
		"github.com/parquet-go/parquet-go":                           2,
		"github.com/parquet-go/parquet-go version 0.25.1(build )":    0,
		"github.com/segmentio/parquet-go version 0.0.0(build a)":     0,
		"parquet-go version 18.8.0":                                  0,
		"parquet-go version 18.4.0":                                  1,
		"parquet-mr-trino version 459 (build n/a)":                   1,
		"parquet-mr-trino version 461 (build n/a)":                   0,
		"parquet-mr-trino version 440-galaxy-1-u17-g123 (build n/a)": 1,
		"parquet-mr version 1.13.1 (build abc)":                      0,
		"":                                                           0,
	} {
		if got := faultsOf(createdBy); len(got) != want {
			t.Errorf("%q has %d faults, want %d", createdBy, len(got), want)
		}
	}
	trino := faultsOf("parquet-mr-trino version 459 (build n/a)")[0]
	for encodings, want := range map[uint32]bool{1 << 0: false, 1 << 2: false, 1 << 8: false, 1<<0 | 1<<2: true, 1<<8 | 1<<5: true, 0: false} {
		if trino.in(&footer.Chunk{Encodings: encodings}) != want {
			t.Errorf("encodings %b: want %v", encodings, want)
		}
	}
}

// TestFaultsOfLZ4: parquet-go reads no dictionary back.
func TestFaultsOfLZ4(t *testing.T) {
	lz4 := faultsOf("github.com/parquet-go/parquet-go version 0.27.0")[0]
	for c, want := range map[footer.Chunk]bool{
		{Codec: codecLZ4Raw, Encodings: 1 << 0}: true, {Codec: codecLZ4Raw, Encodings: 1<<8 | 1<<0}: false, {Codec: 1, Encodings: 1 << 0}: false,
	} {
		if lz4.in(&c) != want {
			t.Errorf("%+v: want %v", c, want)
		}
	}
}

// TestEmptyFilters: an empty filter of arrow-go before v18.8 excludes nothing, however it is read, unless there are no
// values, or it is said to be good.
func TestEmptyFilters(t *testing.T) {
	for createdBy, want := range map[string]int{"parquet-go version 18.4.0": 1, "parquet-go version 18.8.0": 0, "": 0} {
		for _, cost := range []int{0, 16 << 10, 1 << 20} {
			data := append(splitblock.AppendHeader([]byte("PAR1"), 1<<16), make([]byte, 1<<16)...)
			foot := &footer.Footer{
				Columns:   []footer.Column{{Path: []string{"id"}, Type: footer.Int64}},
				RowGroups: [][]footer.Chunk{{{Values: 5, FilterOffset: 4, FilterLength: len(data) - 4}}},
				CreatedBy: createdBy,
			}
			f, err := Open(&footer.File{ReaderAt: bytes.NewReader(data), Footer: foot}, int64(len(data)), WithReadCost(cost))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := Prune(f, "id", []int64{1}); err != nil || len(got) != want || len(f.Unusable()) != want {
				t.Errorf("%q, a read costs %d: %v, %v, %v", createdBy, cost, got, f.Unusable(), err)
			}
			for values, options := range map[int64][]Option{0: nil, 5: {WithAnyWriter()}} {
				foot.RowGroups[0][0].Values = values
				f, err := Open(&footer.File{ReaderAt: bytes.NewReader(data), Footer: foot}, int64(len(data)), append(options, WithReadCost(cost))...)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := Prune(f, "id", []int64{1}); err != nil || len(got) != 0 || len(f.Unusable()) != 0 {
					t.Errorf("%q, %d values: %v, %v, %v", createdBy, values, got, f.Unusable(), err)
				}
			}
		}
	}
}
