package goleveldb_test

import (
	"errors"
	"sync/atomic"

	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/storage"
)

// counted is a filter that counts its queries and the filters that it builds.
type counted struct {
	filter.Filter
	queried, maybe       atomic.Int64
	keys, filters, bytes atomic.Int64
}

func (c *counted) Contains(data, key []byte) bool {
	c.queried.Add(1)
	maybe := c.Filter.Contains(data, key)
	if maybe {
		c.maybe.Add(1)
	}
	return maybe
}

func (c *counted) NewGenerator() filter.FilterGenerator {
	return &countedGenerator{c.Filter.NewGenerator(), c}
}

type countedGenerator struct {
	filter.FilterGenerator
	of *counted
}

func (g *countedGenerator) Add(key []byte) {
	g.of.keys.Add(1)
	g.FilterGenerator.Add(key)
}

func (g *countedGenerator) Generate(b filter.Buffer) {
	g.of.filters.Add(1)
	g.of.bytes.Add(4) // for where it begins
	g.FilterGenerator.Generate(countedBuffer{b, g.of})
}

type countedBuffer struct {
	filter.Buffer
	of *counted
}

func (b countedBuffer) Alloc(n int) []byte {
	b.of.bytes.Add(int64(n))
	return b.Buffer.Alloc(n)
}

func (b countedBuffer) Write(p []byte) (int, error) {
	b.of.bytes.Add(int64(len(p)))
	return b.Buffer.Write(p)
}

// countedReads is a storage that counts how often tables are read, and how much of them. One read may fail.
type countedReads struct {
	storage.Storage
	reads, bytes atomic.Int64
	fails        atomic.Int64 // the number of the read that fails, or 0
}

var errRead = errors.New("this read fails, for a test")

func (s *countedReads) Open(fd storage.FileDesc) (storage.Reader, error) {
	r, err := s.Storage.Open(fd)
	if err != nil || fd.Type != storage.TypeTable {
		return r, err
	}
	return &countedReader{r, s}, nil
}

type countedReader struct {
	storage.Reader
	of *countedReads
}

func (r *countedReader) ReadAt(p []byte, at int64) (int, error) {
	if r.of.reads.Add(1) == r.of.fails.Load() {
		return 0, errRead
	}
	r.of.bytes.Add(int64(len(p)))
	return r.Reader.ReadAt(p, at)
}
