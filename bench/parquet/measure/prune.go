//go:build iceberg && unix

package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	_ "unsafe" // for go:linkname

	arrowparquet "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"
	_ "github.com/apache/iceberg-go/table" // has checkRowGroup

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/bench/parquet/results"
	"github.com/simdbloom/simdbloom/internal/test/measured"
	"github.com/simdbloom/simdbloom/splitblock"
)

const groups, rows = 64, 10_000_000

// values returns n different values, others for other ranges.
func values(from, n int) []int64 {
	all := make([]int64, n)
	for i := range all {
		all[i] = int64(uint64(from+i) * 0x9e3779b97f4a7c15)
	}
	return all
}

// write writes a file of different values, with filters of the given rate.
func write(path string, fpr float64) error {
	node, err := schema.NewPrimitiveNode("id", arrowparquet.Repetitions.Required, arrowparquet.Types.Int64, -1, 0)
	if err != nil {
		return err
	}
	root, err := schema.NewGroupNode("schema", arrowparquet.Repetitions.Required, schema.FieldList{node}, -1)
	if err != nil {
		return err
	}
	var sink bytes.Buffer
	w := file.NewParquetWriter(&sink, root, file.WithWriterProps(arrowparquet.NewWriterProperties(arrowparquet.WithDictionaryDefault(false))))
	filters := make(parquet.Filters)
	for g := range groups {
		ids := values(g*rows/groups, rows/groups)
		group, err := w.AppendRowGroupChecked()
		if err != nil {
			return err
		}
		c, err := group.NextColumn()
		if err == nil {
			_, err = c.(*file.Int64ColumnChunkWriter).WriteBatch(ids, nil, nil)
		}
		if err == nil {
			err = c.Close()
		}
		if err == nil {
			err = group.Close()
		}
		if err != nil {
			return err
		}
		f, err := parquet.NewFilter(parquet.AppendHashes(nil, ids), fpr)
		if err != nil {
			return err
		}
		filters["id"] = append(filters["id"], f)
	}
	if err := w.Close(); err != nil {
		return err
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	return parquet.WriteWithFilters(out, bytes.NewReader(sink.Bytes()), int64(sink.Len()), filters)
}

// sought is iceberg-go's RowGroupBloomPred.
type sought struct {
	FieldID   int
	PhysBytes [][]byte
}

// checkRowGroup is iceberg-go's own function, which is exported to nobody: for a row group it reads the filter, hashes
// one value after the other, and stops at the first that the row group may have.
//
//go:linkname checkRowGroup github.com/apache/iceberg-go/table/internal.checkRowGroupBloomFilters
func checkRowGroup(r *metadata.BloomFilterReader, rowGroup int, columns map[int]int, all []sought) (bool, error)

// loop prunes as iceberg-go does.
func loop(r *file.Reader, ids [][]byte) (left []int, err error) {
	reader := r.GetBloomFilterReader()
	for g := range r.NumRowGroups() {
		use, err := checkRowGroup(reader, g, map[int]int{1: 0}, []sought{{1, ids}})
		if err != nil {
			return nil, err
		}
		if use {
			left = append(left, g)
		}
	}
	return left, nil
}

// counted counts reads and their bytes.
type counted struct {
	io.ReaderAt
	reads, bytes int
}

func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	c.reads++
	c.bytes += len(p)
	return c.ReaderAt.ReadAt(p, at)
}

// prune looks up values that the file lacks. At a rate of 1 %, a row group is left after about 100 of them, and at
// 1 in 100,000 most of 10,000 values are looked up everywhere.
func prune(r *results.Run) error {
	folder, err := os.MkdirTemp("", "prune")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for _, fpr := range []float64{0.01, 0.00001} {
		path := filepath.Join(folder, "a.parquet")
		if err := write(path, fpr); err != nil {
			return err
		}
		for _, n := range []int{1, 100, 10_000} {
			p := results.Prune{Rate: fpr, Values: n}
			if err := pruneOne(&p, path, r.Rounds); err != nil {
				return err
			}
			r.Prune = append(r.Prune, p)
			fmt.Printf("rate %v, %d values: loop %.0f, ours %.0f mapped; loop %.0f, ours %.0f read, %d reads of %d bytes; kept %.1f\n", fpr, n,
				measured.Median(p.LoopMapped), measured.Median(p.OursMapped), measured.Median(p.LoopRead), measured.Median(p.OursRead), p.Reads, p.ReadBytes, measured.Median(p.Kept))
		}
	}
	return nil
}

func pruneOne(p *results.Prune, path string, rounds int) error {
	opened, err := os.Open(path)
	if err != nil {
		return err
	}
	defer opened.Close()
	info, err := opened.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	mapped, err := syscall.Mmap(int(opened.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return err
	}
	defer syscall.Munmap(mapped)
	theirsMapped, err := file.OpenParquetFile(path, true)
	if err != nil {
		return err
	}
	defer theirsMapped.Close()
	theirs, err := file.NewParquetReader(opened)
	if err != nil {
		return err
	}
	kept, err := parquet.OpenBytes(mapped)
	if err != nil {
		return err
	}

	ids := values(rows+1, p.Values)
	plain := make([][]byte, len(ids))
	for i, id := range ids {
		plain[i] = binary.LittleEndian.AppendUint64(nil, uint64(id))
	}
	want, err := parquet.Prune(kept, "id", ids)
	if err != nil {
		return err
	}
	same := func(got []int, err error) error {
		if err == nil && !slices.Equal(got, want) {
			err = fmt.Errorf("row groups %v, and not %v", got, want)
		}
		return err
	}
	ours := func(f *parquet.File, err error) error {
		if err != nil {
			return err
		}
		return same(parquet.Prune(f, "id", ids))
	}

	err = kept.EachFilter(0, func(_ int, filter *simdbloom.Filter) error {
		p.FilterBytes += len(splitblock.AppendHeader(nil, filter.SizeBytes())) + filter.SizeBytes()
		return nil
	})
	if err != nil {
		return err
	}
	counter := &counted{ReaderAt: opened}
	const fileCost = 16 << 10 // as for an *os.File, which counter hides
	if err := ours(parquet.Open(counter, size, parquet.WithReadCost(fileCost))); err != nil {
		return err
	}
	p.Reads, p.ReadBytes = counter.reads, counter.bytes
	const us = 1000
	return turns(rounds,
		timed{&p.LoopMapped, us, 1, func() error { return same(loop(theirsMapped, plain)) }},
		timed{&p.OursMapped, us, 20, func() error { return ours(parquet.OpenBytes(mapped)) }},
		timed{&p.LoopRead, us, 1, func() error { return same(loop(theirs, plain)) }},
		timed{&p.OursRead, us, 1, func() error { return ours(parquet.Open(opened, size)) }},
		timed{&p.Kept, us, 10 + 1000/p.Values, func() error { return ours(kept, nil) }},
	)
}
