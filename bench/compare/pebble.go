package main

import (
	"encoding/binary"
	"fmt"
	"iter"
	"unsafe"

	pebbledb "github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"

	simdpebble "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/tables"
)

// pebble is the filter of Pebble's tables, as Pebble or simdbloom writes and reads it. It
// hashes keys itself.
type pebble struct {
	title  string
	levels []cpu.Level
	own    bool // whether it is simdbloom's
	with   func(bitsPerKey int) pebbledb.FilterPolicy
	policy pebbledb.FilterPolicy
	data   []byte
}

// newPebble returns Pebble's own policy.
func newPebble() *pebble {
	return &pebble{
		title: "pebble", levels: []cpu.Level{cpu.Current()},
		with: func(bitsPerKey int) pebbledb.FilterPolicy { return bloom.FilterPolicy(bitsPerKey) },
	}
}

// newPebbleLegacy returns simdbloom's, which writes and reads the same bytes.
func newPebbleLegacy(s *settings) *pebble {
	return &pebble{title: "pebble Legacy", levels: s.levels.values, own: true, with: simdpebble.Legacy}
}

func (p *pebble) name() string { return p.title }

// build rounds the bits per key down: Pebble takes whole ones.
func (p *pebble) build(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (bytes int, has chosen, err error) {
	b := p.begin(fill)
	for chunk := range hashes {
		b.AddHashes(chunk)
	}
	p.policy, p.data = b.policy, b.writer.Finish(memory[:0])
	if unsafe.SliceData(p.data) != unsafe.SliceData(memory) {
		return 0, chosen{}, fmt.Errorf("%d bytes are beyond what there was room for", len(p.data))
	}
	return len(p.data), pebbleProbes(p.data), nil
}

// pebbleProbes reads the trailer: k and the number of lines.
func pebbleProbes(data []byte) chosen {
	const trailer = 5
	return probes(int(data[len(data)-trailer]))
}

func (p *pebble) rows() (rows []*row) {
	for _, level := range p.levels {
		name := p.title
		if p.own {
			name += " " + level.String()
		}
		rows = append(rows, &row{
			name: name, level: level, own: p.own, hits: (*queries).count,
			query: func(q *queries) { q.found = pebbleQuery(p.policy, p.data, q.hashes) },
		}, &row{name: name + " build", level: level, own: p.own, build: p.building()})
	}
	return rows
}

func pebbleQuery(policy pebbledb.FilterPolicy, data []byte, hashes []uint64) (found int) {
	var key [8]byte
	for _, hash := range hashes {
		binary.LittleEndian.PutUint64(key[:], hash)
		found += tables.One(policy.MayContain(pebbledb.TableFilter, data, key[:]))
	}
	return found
}

func (p *pebble) building() *building {
	return &building{
		concurrency: 1,
		begin:       func(fill filling) (builder, error) { return p.begin(fill), nil },
		open: func(b builder, data []byte) (reader, chosen, error) {
			return pebbleReader{b.(*pebbleBuilder).policy, data}, pebbleProbes(data), nil
		},
		suits: legacyKind.suits,
	}
}

func (p *pebble) begin(fill filling) *pebbleBuilder {
	policy := p.with(int(fill.bitsPerKey))
	return &pebbleBuilder{policy: policy, writer: policy.NewWriter(pebbledb.TableFilter)}
}

// pebbleBuilder is given hashes, which are its keys.
type pebbleBuilder struct {
	policy pebbledb.FilterPolicy
	writer pebbledb.FilterWriter
	key    [8]byte
}

func (b *pebbleBuilder) AddHashes(hashes []uint64) {
	for _, hash := range hashes {
		binary.LittleEndian.PutUint64(b.key[:], hash)
		b.writer.AddKey(b.key[:])
	}
}

func (b *pebbleBuilder) Finish() ([]byte, error) { return b.writer.Finish(nil), nil }

// pebbleReader is what it has built.
type pebbleReader struct {
	policy pebbledb.FilterPolicy
	data   []byte
}

func (r pebbleReader) ContainsHash(hash uint64) bool {
	return pebbleQuery(r.policy, r.data, []uint64{hash}) == 1
}
