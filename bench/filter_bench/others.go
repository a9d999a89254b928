package main

import (
	"fmt"
	"strconv"
	"strings"

	pebble "github.com/cockroachdb/pebble/v2/bloom"
	"github.com/parquet-go/parquet-go/bloom"
	"github.com/parquet-go/parquet-go/bloom/xxhash"
	leveldb "github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/util"
)

// others are the filters of other projects that a row of the table can be, by their name before
// the colon and the bits per key. They have no call for many keys.
var others = map[string]func(bitsPerKey float64) build{
	"Pebble":     buildPebble,
	"goleveldb":  buildGoleveldb,
	"parquet-go": buildParquet,
}

// build builds a filter of keys.
type build func(keys [][]byte) (keyFilter, error)

// otherFilter returns the builder of another project's filter, or nil for an unknown name.
func otherFilter(name string) (build, error) {
	project, setting, _ := strings.Cut(name, ":")
	of := others[project]
	if of == nil {
		return nil, nil
	}
	bitsPerKey, err := strconv.ParseFloat(setting, 64)
	if err != nil || !(bitsPerKey >= 1 && bitsPerKey <= 100) {
		return nil, fmt.Errorf("%s: bits per key must be 1 to 100", name)
	}
	return of(bitsPerKey), nil
}

// loop is a filter that has no call for many keys.
type loop struct {
	contains func(key []byte) bool
	bytes    int
}

func (f loop) SizeBytes() int           { return f.bytes }
func (f loop) Contains(key []byte) bool { return f.contains(key) }
func (f loop) ContainsKeys(keys [][]byte, hits []bool) {
	for i, key := range keys {
		hits[i] = f.contains(key)
	}
}

// buildPebble builds Pebble's own filter, from whole bits per key.
func buildPebble(bitsPerKey float64) build {
	const ofTable = 0 // pebble.TableFilter. That package would bring a whole store
	return func(keys [][]byte) (keyFilter, error) {
		p := pebble.FilterPolicy(bitsPerKey)
		w := p.NewWriter(ofTable)
		for _, key := range keys {
			w.AddKey(key)
		}
		data := w.Finish(nil)
		return loop{func(key []byte) bool { return p.MayContain(ofTable, data, key) }, len(data)}, nil
	}
}

// buildGoleveldb builds goleveldb's own filter, from whole bits per key.
func buildGoleveldb(bitsPerKey float64) build {
	return func(keys [][]byte) (keyFilter, error) {
		p, data := leveldb.NewBloomFilter(int(bitsPerKey)), new(util.Buffer)
		b := p.NewGenerator()
		for _, key := range keys {
			b.Add(key)
		}
		b.Generate(data)
		return loop{func(key []byte) bool { return p.Contains(data.Bytes(), key) }, data.Len()}, nil
	}
}

// buildParquet builds parquet-go's split-block filter.
func buildParquet(bitsPerKey float64) build {
	return func(keys [][]byte) (keyFilter, error) {
		f := make(bloom.SplitBlockFilter, int(bitsPerKey*float64(len(keys)))/(8*bloom.BlockSize)+1)
		for _, key := range keys {
			f.Insert(xxhash.Sum64(key))
		}
		return loop{func(key []byte) bool { return f.Check(xxhash.Sum64(key)) }, len(f.Bytes())}, nil
	}
}
