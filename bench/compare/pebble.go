package main

import (
	"encoding/binary"
	"fmt"
	"iter"
	"unsafe"

	legacy "github.com/cockroachdb/pebble/v2/bloom"

	"github.com/simdbloom/simdbloom/internal/test/tables"
)

// pebble is the filter of Pebble's tables. It hashes keys itself.
type pebble struct {
	policy legacy.FilterPolicy
	data   []byte
}

// pebbleTable is pebble.TableFilter, without all of the database.
const pebbleTable = 0

func (p *pebble) name() string { return "pebble" }

// build rounds the bits per key down: Pebble takes whole ones.
func (p *pebble) build(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (bytes int, has chosen, err error) {
	p.policy = legacy.FilterPolicy(fill.bitsPerKey)
	w := p.policy.NewWriter(pebbleTable)
	key := make([]byte, 8)
	for chunk := range hashes {
		for _, hash := range chunk {
			binary.LittleEndian.PutUint64(key, hash)
			w.AddKey(key)
		}
	}
	p.data = w.Finish(memory[:0])
	if unsafe.SliceData(p.data) != unsafe.SliceData(memory) {
		return 0, chosen{}, fmt.Errorf("%d bytes are beyond what there was room for", len(p.data))
	}
	const trailer = 5 // k and the number of lines
	return len(p.data), probes(int(p.data[len(p.data)-trailer])), nil
}

func (p *pebble) rows() []*row {
	return countingRows(p.name(), func(hashes []uint64) (found int) {
		var key [8]byte
		for _, hash := range hashes {
			binary.LittleEndian.PutUint64(key[:], hash)
			found += tables.One(p.policy.MayContain(pebbleTable, p.data, key[:]))
		}
		return found
	})
}
