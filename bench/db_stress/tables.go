package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"

	pebblestore "github.com/simdbloom/simdbloom/bench/internal/store"
)

// filterBlock is a table's filter on disk.
type filterBlock struct {
	path   string
	offset int64
	policy string // the name that the table records
	bytes  []byte // the filter, a byte for its compression, and four of checksum

	first, last int      // keys of the table
	keys        [][]byte // of the filter: the table's, or their prefixes, each once, in order
}

const (
	checksumBytes = 4
	trailerBytes  = 1 + checksumBytes
)

func (b *filterBlock) filter() []byte { return b.bytes[:len(b.bytes)-trailerBytes] }

func (b *filterBlock) table() string { return filepath.Base(b.path) }

// checksum is the checksum that Pebble has behind a block: CRC-32C of the block and its compression, masked.
func (b *filterBlock) checksum() uint32 {
	crc := crc32.Checksum(b.bytes[:len(b.bytes)-checksumBytes], crc32.MakeTable(crc32.Castagnoli))
	return (crc>>15 | crc<<17) + 0xa282ead8
}

func (b *filterBlock) recorded() uint32 {
	return binary.LittleEndian.Uint32(b.bytes[len(b.bytes)-checksumBytes:])
}

// write writes a block's bytes, of the same number, into its table.
func (b *filterBlock) write(bytes []byte) error {
	file, err := os.OpenFile(b.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(bytes, b.offset)
	return errors.Join(err, file.Close())
}

// tablesIn returns the paths of a store's tables. Some may be leftovers of a killed compaction.
func tablesIn(store string) ([]string, error) {
	return filepath.Glob(filepath.Join(glob(store), "*.sst"))
}

// glob has a path stand for itself in a pattern.
func glob(path string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// filterOf finds a table's filter, and returns nil if it has none.
func filterOf(path string, prefixSize int) (_ *filterBlock, err error) {
	o := &pebble.Options{Comparer: pebblestore.PrefixComparer(prefixSize)}
	o.EnsureDefaults()
	reader, err := pebblestore.OpenTable(path, o)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	layout, err := reader.Layout()
	if err != nil || len(layout.Filter) == 0 {
		return nil, err
	}
	table, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	at := layout.Filter[0]
	b := &filterBlock{
		path: path, offset: int64(at.Offset), policy: strings.TrimPrefix(at.Name, "fullfilter."),
		bytes: table[at.Offset:][:at.Length+trailerBytes],
	}
	iter, err := reader.NewIter(sstable.NoTransforms, nil, nil, sstable.AssertNoBlobHandles)
	if err != nil {
		return nil, err
	}
	defer iter.Close()
	for kv := iter.First(); kv != nil; kv = iter.Next() {
		b.last = keyNumber(kv.K.UserKey)
		key := kv.K.UserKey[:o.Comparer.Split(kv.K.UserKey)]
		if n := len(b.keys); n == 0 {
			b.first = b.last
		} else if bytes.Equal(key, b.keys[n-1]) {
			continue
		}
		b.keys = append(b.keys, bytes.Clone(key))
	}
	if err := iter.Error(); err != nil {
		return nil, err
	}
	if b.checksum() != b.recorded() {
		return nil, fmt.Errorf("%s: the filter's checksum is not %08x", path, b.recorded())
	}
	return b, nil
}
