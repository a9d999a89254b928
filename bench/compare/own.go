package main

import (
	"fmt"
	"iter"
	"slices"
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
	seed   uint64     // of keys

	body []byte // without the trailer
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
	// smaller says that filters may be smaller than their bits per key are, and more by how
	// many bytes they may be larger then.
	smaller bool
	more    int
	oneCPU  bool                    // whether building has no concurrency
	pureGo  bool                    // whether there are no kernels
	keyHash func(key []byte) uint64 // nil for keyhash.XX64
	// bodyBytes is how many of a filter's bytes are not the trailer, nil if they are the whole
	// lines.
	bodyBytes func(bytes int) int
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
	o := &own[F]{kind: k, levels: s.levels.values, ways: waysToBuild(s), offset: s.offset, copies: s.copies, seed: s.seed}
	if o.pureGo {
		o.levels = []cpu.Level{cpu.Generic}
	}
	if o.oneCPU {
		o.ways = slices.DeleteFunc(o.ways, func(way building) bool { return way.concurrency > 1 })
	}
	return o
}

func (o *own[F]) name() string { return o.title }

func (o *own[F]) build(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (bytes int, has chosen, err error) {
	memory = memory[o.offset:o.offset]
	fill.bitsPerKey = o.bitsPerKeyOf(fill)
	if fill.keyBytes > 0 && o.keyHash != nil {
		hashes = o.keyHashes(fill, hashes)
	}
	if o.data, err = o.write(memory, fill, hashes); err != nil {
		return 0, chosen{}, err
	}
	if unsafe.SliceData(o.data) != unsafe.SliceData(memory) {
		return 0, chosen{}, fmt.Errorf("%d bytes are beyond what there was room for", len(o.data))
	}
	o.body = o.data[:o.bodyOf(len(o.data))]
	return len(o.data), o.chosen(o.opened()), nil
}

// suits reports whether a filter of the filling's keys may have that many bytes.
func (k *kind[F]) suits(fill filling, bytes int) bool {
	body := k.bodyOf(bytes)
	return body == fill.bytes || k.smaller && body <= fill.bytes+k.more
}

func (k *kind[F]) bodyOf(bytes int) int {
	if k.bodyBytes != nil {
		return k.bodyBytes(bytes)
	}
	return bytes / asm.BlockBytes * asm.BlockBytes
}

// keyHashes returns the filter's own hashes of the keys that have the given ones.
func (o *own[F]) keyHashes(fill filling, hashes iter.Seq[[]uint64]) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		var some [1024]uint64
		n := 0
		for key := range fill.keysOf(o.seed, hashes) {
			if some[n], n = o.keyHash(key), n+1; n == len(some) {
				if !yield(some[:]) {
					return
				}
				n = 0
			}
		}
		yield(some[:n])
	}
}

// hashed returns the queries with the filter's own hashes of their keys.
func (o *own[F]) hashed(q *queries) *queries {
	if q.keys == nil || o.keyHash == nil {
		return q
	}
	own := *q
	own.hashes, own.narrow = nil, nil
	for _, key := range q.keys {
		hash := o.keyHash(key)
		own.hashes, own.narrow = append(own.hashes, hash), append(own.narrow, uint32(hash))
	}
	return &own
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
	way.suits = o.suits
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
	q = o.hashed(q)
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
