package main

import (
	"iter"

	split "github.com/parquet-go/parquet-go/bloom"
)

// parquet is Parquet's filter of split blocks, 32 bytes each, as parquet-go has
// it.
type parquet struct{ filter split.SplitBlockFilter }

func (p *parquet) name() string { return reference }

func (p *parquet) build(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (bytes, probes int, err error) {
	p.filter = split.MakeSplitBlockFilter(memory)
	for chunk := range hashes {
		p.filter.InsertBulk(chunk)
	}
	return fill.bytes, len(split.Block{}), nil
}

func (p *parquet) rows() []*row {
	return asking(p.name(), func(hashes []uint64) (found int) {
		filter := p.filter
		for _, hash := range hashes {
			found += one(filter.Check(hash))
		}
		return found
	})
}
