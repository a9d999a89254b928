package main

import (
	"fmt"
	"iter"
	"sync"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/keyhash"
)

// own is a filter of simdbloom's own, of either kind.
type own[F filter[F]] struct {
	kind[F]
	levels []cpu.Level
	ways   []building // to build, at every level
	offset int        // of the body behind a multiple of 64
	copies bool       // whether copies are queried, too

	body []byte
	data []byte // the body and its trailer
}

// kind is what simdbloom's filters differ in.
type kind[F any] struct {
	title      string
	prefix     string // of its rows' names
	newBuilder func(bitsPerKey float64, way building) (builder, error)
	// fill does to the body what a builder would, without holding the hashes of
	// all keys.
	fill     func(body []byte, probes int, hashes iter.Seq[[]uint64])
	open     func(data []byte, hash keyhash.Hash) (F, error)
	contains func(body []byte, probes int, hash uint64) bool // in pure Go

	// The ways to query. Each kind has loops of its own that do nothing else:
	// through an interface, eight hashes take a tenth longer, and the compiler's
	// layout of a loop around a call of assembly matters as much.
	batch, bits, keys func(f F, q *queries)
	single            func(f F, hashes []uint64) (found int)
}

// filter has methods of bloom.Filter and paired.Filter.
type filter[F any] interface {
	reader
	CopyAligned() F
}

func newOwn[F filter[F]](s *settings, k kind[F]) *own[F] {
	return &own[F]{kind: k, levels: s.levels.values, ways: waysToBuild(s), offset: s.offset, copies: s.copies}
}

func (o *own[F]) name() string { return o.title }

func (o *own[F]) build(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (bytes, probes int, err error) {
	trailer, probes, err := o.trailer(fill.bitsPerKey)
	if err != nil {
		return 0, 0, err
	}
	o.body = memory[o.offset:][:fill.bytes]
	o.fill(o.body, probes, hashes)
	o.data = append(o.body, trailer...)
	if opened := o.opened().NumProbes(); opened != probes {
		err = fmt.Errorf("a filter of %d probes was built, and one of %d opened", probes, opened)
	}
	return len(o.data), probes, err
}

// trailer returns what follows the blocks of all filters with so many bits per
// key.
func (o *own[F]) trailer(bitsPerKey float64) (trailer []byte, probes int, err error) {
	b, err := o.newBuilder(bitsPerKey, building{concurrency: 1})
	if err != nil {
		return nil, 0, err
	}
	b.AddHashes([]uint64{0})
	data, err := b.Finish()
	if err != nil {
		return nil, 0, err
	}
	f, err := o.open(data, keyhash.XX64)
	if err != nil {
		return nil, 0, err
	}
	return data[len(data)/asm.BlockBytes*asm.BlockBytes:], f.NumProbes(), nil
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
			r := &row{name: o.prefix + level.String() + " " + way, level: level, query: query, hits: hits}
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
		add("keys", func(q *queries) { o.keys(o.opened(), q) }, (*queries).trues).keys = true
		for _, way := range o.ways {
			add(way.String(), nil, nil).build = o.building(way)
		}
	}
	return rows
}

// building fills in what the filter's kind is for a way to build.
func (o *own[F]) building(way building) *building {
	way.begin = func(fill filling) (builder, error) { return o.newBuilder(fill.bitsPerKey, way) }
	way.open = func(data []byte) (reader, error) { return o.open(data, keyhash.XX64) }
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
	for i, hash := range q.hashes {
		bit, single := q.bit(i), f.ContainsHash(hash)
		if want := o.contains(o.body, f.NumProbes(), hash); q.bools[i] != want || bit != want || single != want {
			return fmt.Errorf("level %s, hash %#x: bools say %v, bits %v, single %v, and %v is right",
				level, hash, q.bools[i], bit, single, want)
		}
	}
	return nil
}
