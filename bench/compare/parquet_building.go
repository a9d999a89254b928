package main

import (
	split "github.com/parquet-go/parquet-go/bloom"

	"github.com/simdbloom/simdbloom/bench/internal/pages"
)

// parquetBuilder fills a filter that is as large as it will be from the beginning.
type parquetBuilder struct{ split.SplitBlockFilter }

// parquetMapped is one whose memory is not Go's.
type parquetMapped struct {
	parquetBuilder
	*pages.Mapping
}

func (p *parquet) building() *building {
	return &building{
		concurrency: 1,
		begin:       p.begin,
		open: func(_ builder, data []byte) (reader, chosen, error) {
			return parquetBuilder{split.MakeSplitBlockFilter(data)}, probes(len(split.Block{})), nil
		},
		suits: func(fill filling, bytes int) bool { return bytes == fill.bytes },
	}
}

func (p *parquet) begin(fill filling) (builder, error) {
	if !inHugePages(p.pages, fill) {
		return parquetBuilder{make(split.SplitBlockFilter, fill.bytes/split.BlockSize)}, nil
	}
	memory, err := pages.Map(p.pages, fill.bytes)
	if err != nil {
		return nil, err
	}
	return parquetMapped{parquetBuilder{split.MakeSplitBlockFilter(memory.Bytes)}, memory}, nil
}

// inHugePages reports whether a filter is built in memory that is mapped so. For less
// than a page of them, that would take longer than it saves.
func inHugePages(kind pages.Kind, fill filling) bool {
	return kind == pages.Huge && fill.bytes >= pages.HugeBytes
}

func (b parquetBuilder) AddHashes(hashes []uint64) { b.InsertBulk(hashes) }

func (b parquetBuilder) Finish() ([]byte, error) { return b.Bytes(), nil }

func (b parquetBuilder) ContainsHash(hash uint64) bool { return b.Check(hash) }
