package parquet_test

import (
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/golden"
)

// TestGolden prunes by the filters of files that earlier versions wrote. For a release it lists the one that parquetgo
// wrote just now.
func TestGolden(t *testing.T) {
	const root = "../../testdata/golden"
	if folder := golden.Folder(root); folder != "" {
		r := golden.Row{File: "tables/parquetgo.parquet", OpenedAs: "parquetgo", Name: "-", Keys: golden.MostKeys}
		golden.List(t, folder, golden.Tables, []golden.Row{r}, openGolden)
		return
	}
	golden.Test(t, root, golden.Tables, openGolden)
}

func openGolden(t *testing.T, _ string, data []byte, r golden.Row) (golden.Row, []golden.Queries) {
	if r.OpenedAs != "parquetgo" {
		return r, nil
	}
	file := contract.Must(parquet.OpenBytes(data))
	filters := contract.Must(file.Filters("key"))
	prune := func(key []byte) []int { return contract.Must(parquet.Prune(file, "key", [][]byte{key})) }
	perGroup := golden.MostKeys / len(filters)
	for i, key := range golden.Present {
		if rowGroups := prune(key); !slices.Contains(rowGroups, i/perGroup) {
			t.Errorf("key %d is in row groups %v, and not in %d", i, rowGroups, i/perGroup)
		}
	}
	r.Format, r.Hash = filters[0].Format().String(), filters[0].Hash().Name()
	return r, []golden.Queries{
		{Name: "Prune", One: func(key []byte) bool { return len(prune(key)) > 0 }},
		{
			Name: "Filters",
			One:  func(key []byte) bool { return filters[0].Contains(key) || filters[1].Contains(key) },
			Many: func(keys [][]byte, hits []bool) {
				filters[0].ContainsKeys(keys, hits)
				second := make([]bool, len(keys))
				filters[1].ContainsKeys(keys, second)
				for i, hit := range second {
					hits[i] = hits[i] || hit
				}
			},
		},
	}
}
