package main

import (
	"iter"

	split "github.com/parquet-go/parquet-go/bloom"
	"github.com/parquet-go/parquet-go/bloom/xxhash"

	"github.com/simdbloom/simdbloom/bench/internal/pages"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/tables"
)

// parquet is Parquet's filter of split blocks, 32 bytes each, as parquet-go has
// it.
type parquet struct {
	filter split.SplitBlockFilter
	pages  pages.Kind // of what is built
}

func (p *parquet) name() string { return reference }

func (p *parquet) build(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (bytes int, has chosen, err error) {
	p.filter = split.MakeSplitBlockFilter(memory)
	for chunk := range hashes {
		p.filter.InsertBulk(chunk)
	}
	return fill.bytes, probes(len(split.Block{})), nil
}

func (p *parquet) rows() []*row {
	hashes := countingRows(p.name(), func(hashes []uint64) (found int) {
		filter := p.filter
		for _, hash := range hashes {
			found += tables.One(filter.Check(hash))
		}
		return found
	})
	keys := &row{name: p.name() + " keys", level: cpu.Current(), keys: true, query: p.queryKeys, hits: (*queries).trues}
	built := &row{name: p.name(), level: cpu.Current(), build: p.building()}
	return append(hashes, keys, built)
}

// queryKeys hashes keys with parquet-go's own XXH64, which is XX64.
func (p *parquet) queryKeys(q *queries) {
	filter := p.filter
	for i, key := range q.keys {
		q.bools[i] = filter.Check(xxhash.Sum64(key))
	}
}
