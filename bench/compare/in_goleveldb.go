package main

import (
	"iter"

	leveldb "github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/util"
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
		found += one(f.filter.Contains(filters[at], key))
		at = next(at, filters)
	}
	return found
}

func (f inGoleveldb) branch(filters, keys [][]byte) (found int) {
	at := 0
	for _, key := range keys {
		if f.filter.Contains(filters[at], key) {
			found += readTable()
		}
		at = next(at, filters)
	}
	return found
}
