package main

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"sync/atomic"

	"github.com/simdbloom/simdbloom/filterblock"
)

// table reads a table. Any number of goroutines may use it at once.
type table struct {
	blocks blockReader
	index  *filterblock.Index // of data blocks: it stays in memory
	filter filter
	prefix *filterblock.Extractor

	// What lookups that found their key are reported to. Either is nil, which counts nothing, if the filter
	// has no whole keys, or other prefixes.
	keys, prefixes *filterblock.Counters

	dataReads, partitionReads atomic.Int64
}

// openTable opens a table of the given size. It accepts any bytes; an error about them wraps errCorrupt or
// simdbloom.ErrCorrupt. o.WholeKeys and o.PrefixName are the table's own.
func openTable(file io.ReaderAt, size int64, o filterblock.ReadOptions) (*table, error) {
	f, end, err := readFooter(file, size)
	if err != nil {
		return nil, err
	}
	t := &table{blocks: blockReader{file, end}, prefix: o.Prefix}
	block, err := t.blocks.read(f.properties)
	if err != nil {
		return nil, fmt.Errorf("properties: %w", err)
	}
	p, err := propertiesIn(block)
	if err != nil {
		return nil, fmt.Errorf("properties: %w", err)
	}
	if block, err = t.blocks.read(f.index); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	if t.index, err = filterblock.ReadIndex(block, o.Index); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	if block, err = t.blocks.read(f.filter); err != nil {
		return nil, fmt.Errorf("index of partitions: %w", err)
	}
	if t.filter, err = openFilter(p, block, t.partition, o); err != nil {
		return nil, err
	}
	if p.wholeKeys {
		t.keys = o.Counters
	}
	if p.prefix == o.Prefix.Name() {
		t.prefixes = o.Counters
	}
	return t, nil
}

// partition reads one of the filter's. The filter's cache comes before it.
func (t *table) partition(h filterblock.Handle) ([]byte, error) {
	t.partitionReads.Add(1)
	return t.blocks.read(h)
}

// data reads a data block. An engine's block cache comes before it.
func (t *table) data(i int) ([]byte, error) {
	t.dataReads.Add(1)
	return t.blocks.read(t.index.Handle(i))
}

// blockOf returns the data block that a key is in, if it is in the table, or false if it is behind the last one.
func (t *table) blockOf(key []byte) (i int, ok bool) {
	i = t.index.Find(key, nil)
	return i, i >= 0 && bytes.Compare(t.index.Key(i), key) >= 0
}

// get returns the value of a key. Where the filter answers "no", it reads no data block.
func (t *table) get(key []byte) (value []byte, ok bool, err error) {
	if !t.filter.MayContain(key) {
		return nil, false, nil
	}
	i, ok := t.blockOf(key)
	if !ok {
		return nil, false, nil
	}
	block, err := t.data(i)
	if err != nil {
		return nil, false, err
	}
	if value, ok, err = valueIn(block, key); ok {
		t.countFound(key)
	}
	return value, ok, err
}

// getMany sets values[i] to the value of keys[i], or to nil if the table does not have it. Keys in order take the
// least time: then no block is read twice, of the filter nor of the data.
func (t *table) getMany(keys, values [][]byte) error {
	hits := make([]bool, len(keys))
	t.filter.MayContainKeys(keys, hits)
	var block []byte
	inMemory := -1
	for i, key := range keys {
		values[i] = nil
		at, ok := t.blockOf(key)
		if !hits[i] || !ok {
			continue
		}
		if at != inMemory {
			var err error
			if block, err = t.data(at); err != nil {
				return err
			}
			inMemory = at
		}
		value, ok, err := valueIn(block, key)
		if err != nil {
			return err
		}
		if ok {
			t.countFound(key)
			values[i] = value
		}
	}
	return nil
}

// seek yields the rows from a key on, as long as they have its prefix; from a key without prefix on, all of them. To
// see all rows of a prefix, seek the prefix itself. Where the filter answers "no", it reads no data block.
func (t *table) seek(key []byte) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		prefix, bounded := t.prefix.Prefix(key)
		if bounded && !t.filter.MayContainSeek(key) {
			return
		}
		found := false
		for r, err := range t.from(key) {
			if err == nil && bounded {
				if p, ok := t.prefix.Prefix(r.key); !ok || !bytes.Equal(p, prefix) {
					return
				}
				if !found {
					t.prefixes.FoundSeek(r.key)
					found = true
				}
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// from yields the rows from a key on, and ends with an error.
func (t *table) from(key []byte) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		i, ok := t.blockOf(key)
		for ; ok && i < t.index.Len(); i++ {
			block, err := t.data(i)
			if err != nil {
				yield(row{}, err)
				return
			}
			for r, err := range eachRow(block) {
				if err == nil && bytes.Compare(r.key, key) < 0 {
					continue
				}
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}

// countFound counts a true positive of a lookup of a key. A filter without whole keys answered for its prefix.
func (t *table) countFound(key []byte) {
	if t.keys != nil {
		t.keys.Found(key)
	} else if _, ok := t.prefix.Prefix(key); ok {
		t.prefixes.Found(key)
	}
}
