package main

import (
	"fmt"
	"iter"
	"sync"
	"unsafe"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/keyhash"
)

// own is a filter of simdbloom's own, of any kind.
type own[F filter[F]] struct {
	kind[F]
	levels []cpu.Level
	ways   []building // to build, at every level
	offset int        // of the body behind a multiple of 64
	copies bool       // whether copies are queried, too

	body []byte // in whole lines
	data []byte // the body and its trailer
}

// kind is what simdbloom's filters differ in.
type kind[F any] struct {
	title      string
	prefix     string                     // of its rows' names
	bitsPerKey func(fill filling) float64 // nil if they are the filling's
	newBuilder func(bitsPerKey float64, way building) (builder, error)
	// write appends a filter of all hashes to memory.
	write  func(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (data []byte, err error)
	open   func(data []byte, hash keyhash.Hash) (F, error)
	chosen func(f F) chosen
	// smaller says that filters may be smaller than their bits per key are.
	smaller bool
	// inPureGo returns the lookup of a hash in a body.
	inPureGo func(f F, body []byte) func(hash uint64) bool

	// The ways to query. Each kind has loops of its own that do nothing else:
	// through an interface, eight hashes take a tenth longer, and the compiler's
	// layout of a loop around a call of assembly matters as much.
	batch, bits, keys func(f F, q *queries)
	single            func(f F, hashes []uint64) (found int)
	stateless         func(data []byte, hashes []uint64) (found int)
}

// filter has methods of all of simdbloom's filters.
type filter[F any] interface {
	reader
	CopyAligned() F
}

func newOwn[F filter[F]](s *settings, k kind[F]) *own[F] {
	return &own[F]{kind: k, levels: s.levels.values, ways: waysToBuild(s), offset: s.offset, copies: s.copies}
}

func (o *own[F]) name() string { return o.title }

func (o *own[F]) build(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (bytes int, has chosen, err error) {
	memory = memory[o.offset:o.offset]
	fill.bitsPerKey = o.bitsPerKeyOf(fill)
	if o.data, err = o.write(memory, fill, hashes); err != nil {
		return 0, chosen{}, err
	}
	if unsafe.SliceData(o.data) != unsafe.SliceData(memory) {
		return 0, chosen{}, fmt.Errorf("%d bytes are beyond what there was room for", len(o.data))
	}
	o.body = o.data[:len(o.data)/asm.BlockBytes*asm.BlockBytes]
	return len(o.data), o.chosen(o.opened()), nil
}

func (o *own[F]) bitsPerKeyOf(fill filling) float64 {
	if o.bitsPerKey != nil {
		return o.bitsPerKey(fill)
	}
	return fill.bitsPerKey
}

// opened returns the filter, which keeps to the level that it is opened at.
func (o *own[F]) opened() F {
	f, err := o.open(o.data, keyhash.XX64)
	if err != nil {
		panic(err) // build has made it
	}
	return f
}

func (o *own[F]) rows() (rows []*row) {
	for _, level := range o.levels {
		add := func(way string, query func(q *queries), hits func(q *queries) int) *row {
			r := &row{name: o.prefix + level.String() + " " + way, level: level, own: true, query: query, hits: hits}
			rows = append(rows, r)
			return r
		}
		add("batch", func(q *queries) { o.batch(o.opened(), q) }, (*queries).trues)
		if o.copies {
			copied := sync.OnceValue(func() F { return o.opened().CopyAligned() })
			add("copied", func(q *queries) { o.batch(copied(), q) }, (*queries).trues)
		}
		add("bits", func(q *queries) { o.bits(o.opened(), q) }, (*queries).ones)
		add("single", func(q *queries) { q.found = o.single(o.opened(), q.hashes) }, (*queries).count)
		add("stateless", func(q *queries) { q.found = o.stateless(o.data, q.hashes) }, (*queries).count)
		add("keys", func(q *queries) { o.keys(o.opened(), q) }, (*queries).trues).keys = true
		for _, way := range o.ways {
			add(way.String(), nil, nil).build = o.building(way)
		}
	}
	return rows
}

// building fills in what the filter's kind is for a way to build.
func (o *own[F]) building(way building) *building {
	way.begin = func(fill filling) (builder, error) { return o.newBuilder(o.bitsPerKeyOf(fill), way) }
	way.open = func(_ builder, data []byte) (reader, chosen, error) {
		f, err := o.open(data, keyhash.XX64)
		if err != nil {
			return nil, chosen{}, err
		}
		return f, o.chosen(f), nil
	}
	way.suits = func(fill filling, bytes int) bool {
		body := bytes / asm.BlockBytes * asm.BlockBytes
		return body == fill.bytes || o.smaller && body < fill.bytes
	}
	return &way
}

// verify compares every level's answers, given in every way, with pure Go's.
func (o *own[F]) verify(q *queries) error {
	for _, level := range o.levels {
		if err := o.verifyAt(level, q); err != nil {
			return err
		}
	}
	return nil
}

func (o *own[F]) verifyAt(level cpu.Level, q *queries) error {
	restore := cpu.Limit(level)
	defer restore()
	f := o.opened()
	if q.keys != nil {
		o.keys(f, q)
	} else {
		o.batch(f, q)
	}
	o.bits(f, q)
	contains := o.inPureGo(f, o.body)
	for i, hash := range q.hashes {
		bit, single, stateless := q.bit(i), f.ContainsHash(hash), o.stateless(o.data, q.hashes[i:i+1]) == 1
		if want := contains(hash); q.bools[i] != want || bit != want || single != want || stateless != want {
			return fmt.Errorf("level %s, hash %#x: bools say %v, bits %v, single %v, stateless %v, and %v is right",
				level, hash, q.bools[i], bit, single, stateless, want)
		}
	}
	return nil
}
