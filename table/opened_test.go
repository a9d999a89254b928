package table

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
	kinds "github.com/simdbloom/simdbloom/internal/test/opened"
	"github.com/simdbloom/simdbloom/policy"
)

// tableOf returns a table of one key with a filter of the given bytes, whole or in a filter block.
func tableOf(t *testing.T, layout, name string, filter []byte) *Table {
	format := rocksDB5
	if layout == blockBasedFilter {
		format = levelDB
		size := uint32(len(filter))
		filter = binary.LittleEndian.AppendUint32(append(slices.Clip(filter), 0, 0, 0, 0), size)
		filter = append(filter, 11) // 2 KiB
	}
	key := internal([]byte("key"), 1)
	return opened(t, oneBlock(format, key, [][]byte{key}, layout+name, filter))
}

// TestTablesOfAnyFilter has filters of every kind of bytes under every recorded name in tables whose checksums are
// right. All ways to look up agree, and what is refused may contain every key.
func TestTablesOfAnyFilter(t *testing.T) {
	names := []string{
		levelDBName, oldLevelDBName, "rocksdb.BuiltinBloomFilter", "rocksdb.internal.FastLocalBloomFilter", "bloomfilter", "speedb_paired_bloom_filter", "another's",
	}
	for _, p := range policy.Readers() {
		names = append(names, p.Name())
	}
	tables := 0
	for _, name := range names {
		for _, layout := range []string{fullFilter, blockBasedFilter} {
			without := tableOf(t, layout, name, nil)
			seen := make(map[string]bool)
			for _, data := range kinds.Bytes(t) {
				filters, err := without.OpenFilter(data)
				if err != nil && !errors.Is(err, simdbloom.ErrCorrupt) && !errors.Is(err, ErrUnsupported) {
					t.Errorf("%s: %x: %v is of no kind", name, data, err)
				}
				var first *simdbloom.Filter
				if err == nil {
					first = filters[0]
				}
				if kind := kinds.KindOf(first, data); !seen[kind] {
					seen[kind] = true
					tables++
					what := layout + name + ", " + kinds.Describe(data)
					kinds.NotPanicking(t, what, func() { lookUpEveryWay(t, what, tableOf(t, layout, name, data), filters, first) })
				}
			}
		}
	}
	if t.Logf("%d tables", tables); tables < 2000 {
		t.Errorf("only %d tables", tables)
	}
}

// lookUpEveryWay compares a table with its filters, which are none if they are refused.
func lookUpEveryWay(t *testing.T, what string, read *Table, filters []*simdbloom.Filter, first *simdbloom.Filter) {
	t.Helper()
	var panics []string
	if read.NumFilters() == 0 {
		panics = []string{"ReadFilter"}
	}
	kinds.CallAll(t, read, first, panics...)
	hits := make([]bool, len(kinds.Keys))
	err := read.MayContainKeys(kinds.Keys, hits)
	for i, key := range kinds.Keys {
		want := len(filters) == 0 || slices.ContainsFunc(filters, func(f *simdbloom.Filter) bool { return f.Contains(key) })
		alone, errAlone := read.MayContain(key)
		if (err == nil) != (errAlone == nil) || hits[i] != alone || alone != want && (err != nil || read.Layout == layoutFull) {
			t.Errorf("%s: %s: %v, %v, alone %v, %v; its filter %v", what, key, hits[i], err, alone, errAlone, want)
		}
	}
	if r, err := read.Reader(filterblock.ReadOptions{WholeKeys: true}); err == nil {
		kinds.CallAll(t, r, first)
	}
}
