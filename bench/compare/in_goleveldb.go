package main

import (
	"iter"

	leveldb "github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/util"

	"github.com/simdbloom/simdbloom/internal/test/tables"
)

// inGoleveldb is a filter as goleveldb has it.
type inGoleveldb struct{ filter leveldb.Filter }

func (f inGoleveldb) write(keys iter.Seq[[]byte]) []byte {
	var buffer util.Buffer
	g := f.filter.NewGenerator()
	for key := range keys {
		g.Add(key)
	}
	g.Generate(&buffer)
	return buffer.Bytes()
}

func (f inGoleveldb) added(filters, keys [][]byte) (found int) {
	at := 0
	for _, key := range keys {
		found += tables.One(f.filter.Contains(filters[at], key))
		at = tables.Next(at, filters)
	}
	return found
}

func (f inGoleveldb) branch(filters, keys [][]byte) (found int) {
	at := 0
	for _, key := range keys {
		if f.filter.Contains(filters[at], key) {
			found += tables.Read()
		}
		at = tables.Next(at, filters)
	}
	return found
}
