package sst

import (
	"errors"
	"slices"

	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/table"
)

const levelDBBloom = "LevelDB Bloom"

// mostSetting has the most probes, as every larger setting.
const mostSetting = 100

// settings returns the least and the most bits per key that give filters of LevelDB, and
// block-based ones of RocksDB, the numbers of probes: about 0.69 for each bit, 1 to 30.
func settings(probes span) *span {
	var found span
	for bitsPerKey := 1; bitsPerKey <= mostSetting; bitsPerKey++ {
		k := min(max(bitsPerKey*69/100, 1), 30)
		if k >= probes.Least && k <= probes.Most {
			found.add(bitsPerKey)
		}
	}
	return found.orNil()
}

// addBlock reads the filters of a filter block.
func (r *report) addBlock(t *table.Table) error {
	data, err := t.ReadFilterBlock()
	if err != nil {
		return err
	}
	r.Bytes, r.largest = uint64(len(data)), uint64(len(data))
	if t.Format.Database == "RocksDB" {
		r.warn("small filters for every 2 KiB of data, which RocksDB wrote before version 7.0 and read before 7.4")
	}
	if _, err := t.OpenFilter(nil); errors.Is(err, table.ErrUnsupported) {
		r.Kind, r.format = unknown, unknown
		return nil
	}
	block, err := leveldb.OpenBlock(data, keyhash.LevelDB32) // for its layout
	if err != nil {
		return err
	}
	sum := new(summary)
	r.Filters, r.RangeBytes = block.Filters(), 1<<block.BaseLg()
	for i := range block.Filters() {
		data := block.Filter(i)
		if len(data) == 0 {
			continue // no data block begins in its range
		}
		f, err := factsIn(t, data, block.Filters())
		if err != nil {
			return err
		}
		sum.add(f, len(data))
	}
	bytes := r.Bytes
	r.addKeys(&t.Properties)
	r.addSum(sum)
	if r.Keys > 0 {
		r.BitsPerKey = 8 * float64(sum.bytes) / float64(r.Keys)
	} else if slices.Contains(sum.kinds, levelDBBloom) { // LevelDB does not count keys
		r.Setting = settings(sum.probes)
	}
	r.Bytes = bytes // with the offsets of the filters
	return nil
}
