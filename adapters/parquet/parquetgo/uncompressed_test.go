package parquetgo

import (
	"errors"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/simdbloom/simdbloom"
)

// TestWrongSizesOfPages: levels that do not fit in a page, and values of another size than the header says, are
// corrupt.
func TestWrongSizesOfPages(t *testing.T) {
	page := make([]byte, 10)
	for _, test := range []struct {
		definitions, repetitions, size int32
		right                          bool
	}{
		{3, 4, 10, true},
		{3, 7, 10, true},
		{3, 8, 11, false},
		{8, 8, 16, false},
		{11, 0, 11, false},
		{0, 11, 11, false},
		{-1, 4, 10, false},
		{4, -1, 10, false},
		{3, 4, 9, false},
		{3, 4, 11, false},
	} {
		var header format.PageHeader
		header.Type, header.UncompressedPageSize = format.DataPageV2, test.size
		v2 := &header.DataPageHeaderV2.V
		v2.DefinitionLevelsByteLength, v2.RepetitionLevelsByteLength = test.definitions, test.repetitions
		got, err := decompressed(&header, page, &parquetgo.Uncompressed)
		if test.right != (err == nil) || test.right && len(got) != 10 || !test.right && !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%+v: %d bytes, %v", test, len(got), err)
		}
	}
}
