package parquet

import (
	"fmt"
	"slices"

	"github.com/simdbloom/simdbloom"
)

// Prune returns the row groups that may have any of the values in the column with the given name, in ascending
// order. All others have none of them. Row groups without a filter may have any value.
//
// It looks up values in batches, in the filters of all row groups together, up to the first that a
// row group may have. It reads filters that were not read so far, or for few values only some blocks of them
// ([WithReadCost]), and costs lookups after that.
// If NaN is among the values, all row groups are returned, and 0 is looked up as -0, too.
//
// A row group whose filter cannot be used is kept, and [File.Unusable] has the filter; with [WithUnusableAsErrors] it
// is an error. Other errors: no column or two have the name, values of its type are not T, or reading failed. After an
// error, all row groups must be read.
func Prune[T Value](f *File, column string, values []T) ([]int, error) {
	return PruneAmong(f, column, values, f.all())
}

// PruneAmong is Prune of some row groups: those that statistics or another column did not exclude.
// It reads no filters of others, and returns those that are left, in the order given. It panics if a row group
// does not exist.
func PruneAmong[T Value](f *File, column string, values []T, rowGroups []int) ([]int, error) {
	c, err := f.Column(column)
	if err != nil {
		return nil, err
	}
	if err := fits(&f.columns[c], values); err != nil {
		return nil, err
	}
	for _, g := range rowGroups {
		if g < 0 || g >= len(f.rowGroups) {
			panic(fmt.Sprintf("parquet: no row group %d in a file of %d", g, len(f.rowGroups)))
		}
	}
	if len(values) == 0 {
		return nil, nil
	}
	hashes, all := sought(values)
	if all {
		return slices.Clone(rowGroups), nil
	}
	may, err := f.mayContainAny(c, rowGroups, hashes)
	if err != nil {
		return nil, err
	}
	left := make([]int, 0, len(rowGroups))
	for i, g := range rowGroups {
		if may[i] {
			left = append(left, g)
		}
	}
	return left, nil
}

// The number of hashes that are looked up in a filter before the first hit is seen. Many values hit in the first
// batch if they hit at all, so that is small; it needs no memory of Candidates.
const (
	fewestHashes = 64
	mostHashes   = 8192
)

// mayContainAny tells which filters may contain any of the hashes. A nil filter may.
func mayContainAny(filters []*simdbloom.Filter, hashes []uint64) []bool {
	may := make([]bool, len(filters))
	left := make([]*simdbloom.Filter, 0, len(filters)) // without a hit so far
	indexes := make([]int, 0, len(filters))            // of these
	for i, f := range filters {
		if may[i] = f == nil; f != nil {
			left, indexes = append(left, f), append(indexes, i)
		}
	}
	if len(hashes) == 1 {
		for _, i := range simdbloom.AppendFilters(nil, left, hashes[0]) {
			may[indexes[i]] = true
		}
		return may
	}
	wanted := make([]uint64, (min(len(hashes), mostHashes)+63)/64)
	for i := range wanted {
		wanted[i] = ^uint64(0)
	}
	for n := fewestHashes; len(hashes) > 0 && len(left) > 0; n = min(4*n, mostHashes) {
		batch := hashes[:min(n, len(hashes))]
		hashes = hashes[len(batch):]
		for i := range simdbloom.Candidates(left, batch, wanted) {
			may[indexes[i]] = true
		}
		without := 0
		for i := range left {
			if !may[indexes[i]] {
				left[without], indexes[without] = left[i], indexes[i]
				without++
			}
		}
		left, indexes = left[:without], indexes[:without]
	}
	return may
}
