//go:build iceberg && unix

package main

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/memory"
	arrowparquet "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/parquet-go/parquet-go/bloom"
	"github.com/parquet-go/parquet-go/bloom/xxhash"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bench/parquet/results"
	"github.com/simdbloom/simdbloom/internal/test/measured"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

const (
	queries   = 1 << 20
	atOnce    = 512 // values that the others hash before they are looked up: their hashes stay in the nearest cache
	maxFilter = 128 << 20
)

// filters are the same filter three times: 10 bits for each of its keys.
type filters struct {
	ours    *simdbloom.Filter
	arrow   metadata.BloomFilter
	bulk    interface{ CheckBulk([]uint64) []bool } // of arrow, which its interfaces lack
	parquet bloom.SplitBlockFilter
}

func filtersOf(size int, hashes []uint64) (f filters, err error) {
	b, err := splitblock.NewBuilder(10, keyhash.XX64, simdbloom.WithSizeBytes(size))
	if err != nil {
		return f, err
	}
	b.AddHashes(hashes)
	if f.ours, err = b.Filter(); err != nil {
		return f, err
	}
	f.ours = f.ours.CopyAligned()
	arrow := metadata.NewBloomFilter(uint32(size), maxFilter, memory.DefaultAllocator)
	arrow.InsertBulk(hashes)
	f.arrow = arrow.(metadata.BloomFilter)
	f.bulk = arrow.(interface{ CheckBulk([]uint64) []bool })
	f.parquet = make(bloom.SplitBlockFilter, size/bloom.BlockSize)
	f.parquet.InsertBulk(hashes)
	if int(arrow.Size()) != size || !slices.Equal(f.parquet.Bytes(), f.ours.Bytes()) {
		return f, fmt.Errorf("filters of %d bytes differ", size)
	}
	return f, nil
}

// columns hashes and looks up a million values, half of which are present.
func columns(r *results.Run) error {
	for _, size := range []int{16 << 10, 1 << 20, 32 << 20} {
		keys := size * 8 / 10
		queried := make([]int64, queries)
		for i := range queried {
			queried[i] = rand.Int64N(2*int64(keys)) - int64(keys) // those from 0 on are present
		}
		present := make([]int64, keys)
		for i := range present {
			present[i] = int64(i)
		}
		f, err := filtersOf(size, keyhash.XX64.AppendColumn(nil, keyhash.Values(present)))
		if err != nil {
			return err
		}
		err = add(r, "int64", size, f.ours, keyhash.Values(queried), func(from int) int {
			return theirs(f, metadata.GetHashes(f.arrow.Hasher(), queried[from:from+atOnce]))
		}, func(from int) int {
			var hashes [atOnce]uint64
			xxhash.MultiSum64Uint64(hashes[:], words(queried[from:from+atOnce]))
			return check(f.parquet, hashes[:])
		})
		if err != nil {
			return err
		}
		for _, length := range []int{16, 40} {
			if err := addStrings(r, length, size, present, queried); err != nil {
				return err
			}
		}
	}
	return nil
}

// addStrings does the same with strings: decimal digits of the given length.
func addStrings(r *results.Run, length, size int, present, queried []int64) error {
	column := func(values []int64) (keyhash.Column, []int32, []byte, error) {
		offsets, data := []int32{0}, make([]byte, 0, length*len(values))
		for _, v := range values {
			data = fmt.Appendf(data, "%0*d", length, v)
			offsets = append(offsets, int32(len(data)))
		}
		c, err := keyhash.Strings(offsets, data)
		return c, offsets, data, err
	}
	of, _, _, err := column(present)
	if err != nil {
		return err
	}
	f, err := filtersOf(size, keyhash.XX64.AppendColumn(nil, of))
	if err != nil {
		return err
	}
	texts, _, data, err := column(queried)
	if err != nil {
		return err
	}
	return add(r, fmt.Sprintf("strings of %d bytes", length), size, f.ours, texts, func(from int) int {
		var values [atOnce]arrowparquet.ByteArray
		for i := range values {
			values[i] = data[(from+i)*length:][:length]
		}
		return theirs(f, metadata.GetHashes(f.arrow.Hasher(), values[:]))
	}, func(from int) int {
		var hashes [atOnce]uint64
		for i := range hashes {
			hashes[i] = xxhash.Sum64(data[(from+i)*length:][:length])
		}
		return check(f.parquet, hashes[:])
	})
}

// theirs looks up hashes by arrow-go, and check by parquet-go. They count hits.
func theirs(f filters, hashes []uint64) (n int) {
	for _, hit := range f.bulk.CheckBulk(hashes) {
		n += one(hit)
	}
	return n
}

func check(f bloom.SplitBlockFilter, hashes []uint64) (n int) {
	for _, hash := range hashes {
		n += one(f.Check(hash))
	}
	return n
}

// one is 1 for a hit, without a branch.
func one(hit bool) int { return int(*(*uint8)(unsafe.Pointer(&hit))) }

func words(values []int64) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(values))), len(values))
}

// add measures the lookups of a column: all of it by us, which set bits, and atOnce values in a call by the others,
// whose hits are counted.
func add(r *results.Run, name string, size int, f *simdbloom.Filter, column keyhash.Column, arrow, parquet func(from int) int) error {
	c := results.Column{Values: name, Bytes: size}
	hits := make([]uint64, queries/64)
	f.ContainsColumn(column, hits)
	want := 0
	for _, word := range hits {
		want += bits.OnesCount64(word)
	}
	parts := func(look func(from int) int) func() error {
		return func() error {
			found := 0
			for from := 0; from < queries; from += atOnce {
				found += look(from)
			}
			if found != want {
				return fmt.Errorf("%s: %d hits, and not %d", name, found, want)
			}
			return nil
		}
	}
	err := turns(r.Rounds,
		timed{&c.Ours, queries, 8, func() error { f.ContainsColumn(column, hits); return nil }},
		timed{&c.Arrow, queries, 1, parts(arrow)},
		timed{&c.Parquet, queries, 4, parts(parquet)},
	)
	ours := measured.Median(c.Ours)
	fmt.Printf("%s, filter of %d KiB: %.2f ns a value; arrow-go %.1f (%.2f), parquet-go %.1f (%.2f)\n", name, size>>10,
		ours, measured.Median(c.Arrow), ours/measured.Median(c.Arrow), measured.Median(c.Parquet), ours/measured.Median(c.Parquet))
	r.Columns = append(r.Columns, c)
	return err
}
