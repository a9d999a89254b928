package main

import (
	"slices"

	split "github.com/parquet-go/parquet-go/bloom"
	"github.com/parquet-go/parquet-go/bloom/xxhash"

	"github.com/simdbloom/simdbloom/internal/test/tables"
)

// parquetGrowing is parquet-go's filter, with Insert and Check.
type parquetGrowing struct {
	filter split.SplitBlockFilter
	inMemory
}

func (*parquetGrowing) name() string { return reference }

func (p *parquetGrowing) place(memory []byte, _ filling) (bytes int, has chosen, err error) {
	p.filter, p.memory = split.MakeSplitBlockFilter(memory), memory
	return len(p.filter.Bytes()), probes(len(split.Block{})), nil
}

func (p *parquetGrowing) addHashes(hashes []uint64) {
	f := p.filter
	for _, hash := range hashes {
		f.Insert(hash)
	}
}

func (p *parquetGrowing) addKeys(keys [][]byte) {
	f := p.filter
	for _, key := range keys {
		f.Insert(xxhash.Sum64(key))
	}
}

func (p *parquetGrowing) turnHashes(added, queried []uint64) (found int) {
	f := p.filter
	for i, hash := range added {
		f.Insert(hash)
		found += tables.One(f.Check(queried[i]))
	}
	return found
}

func (p *parquetGrowing) turnKeys(added, queried [][]byte) (found int) {
	f := p.filter
	for i, key := range added {
		f.Insert(xxhash.Sum64(key))
		found += tables.One(f.Check(xxhash.Sum64(queried[i])))
	}
	return found
}

func (p *parquetGrowing) batchHashes(hashes []uint64) { p.filter.InsertBulk(hashes) }

// batchKeys hashes some keys and inserts them, as a Parquet writer does.
func (p *parquetGrowing) batchKeys(keys [][]byte) {
	var hashes [512]uint64
	for some := range slices.Chunk(keys, len(hashes)) {
		for i, key := range some {
			hashes[i] = xxhash.Sum64(key)
		}
		p.filter.InsertBulk(hashes[:len(some)])
	}
}
