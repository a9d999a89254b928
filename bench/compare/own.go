package main

import (
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	root "github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// own is a filter of simdbloom's own, of any kind.
type own struct {
	kind
	levels []cpu.Level
	ways   []building // to build, at every level
	offset int        // of the body behind a multiple of 64
	copies bool       // whether copies are queried, too
	seed   uint64     // of keys

	body []byte // without the trailer
	data []byte // the body and its trailer
}

// kind is what simdbloom's filters differ in.
type kind struct {
	title      string
	prefix     string                     // of its rows' names
	bitsPerKey func(fill filling) float64 // nil if they are the filling's
	hash       keyhash.Hash

	newBuilder func(bitsPerKey float64, hash keyhash.Hash, options ...root.Option) (*root.Builder, error)
	open       func(data []byte, hash keyhash.Hash) (*root.Filter, error)
	// inBytes counts the hashes that MayContainHash finds. The compiler inlines that into each format's own loop.
	inBytes func(data []byte, hashes []uint64) (found int)
	// fill does to the body what a builder would, without holding the hashes of all keys. It is nil for
	// filters whose builder has to hold them.
	fill func(body []byte, probes int, hashes iter.Seq[[]uint64])
	// smaller says that filters may be smaller than their bits per key are, and more by how
	// many bytes they may be larger then.
	smaller bool
	more    int
	oneCPU  bool // whether building has no concurrency
	pureGo  bool // whether there are no kernels
	// bodyBytes is how many of a filter's bytes are not the trailer, nil if they are the whole
	// lines.
	bodyBytes func(bytes int) int
	// inPureGo returns the lookup of a hash in a body.
	inPureGo func(f *root.Filter, body []byte) func(hash uint64) bool
}

func newOwn(s *settings, k kind) *own {
	o := &own{kind: k, levels: s.levels.values, ways: waysToBuild(s), offset: s.offset, copies: s.copies, seed: s.seed}
	if o.pureGo {
		o.levels = []cpu.Level{cpu.Generic}
	}
	if o.oneCPU {
		o.ways = slices.DeleteFunc(o.ways, func(way building) bool { return way.concurrency > 1 })
	}
	return o
}

// chosenBy returns what a filter has for its bits per key.
func chosenBy(f *root.Filter) chosen {
	if f.Format() == root.Linear {
		return chosen{Fingerprint: linear.FingerprintBits(f)}
	}
	return probes(f.NumProbes())
}

// builder returns a builder for one of the ways to build.
func (k *kind) builder(bitsPerKey float64, way building) (*root.Builder, error) {
	options := []root.Option{root.WithConcurrency(max(way.concurrency, 1))}
	if way.verification {
		options = append(options, root.WithVerification())
	}
	return k.newBuilder(bitsPerKey, k.hash, options...)
}

// write appends a filter of all hashes to memory.
func (k *kind) write(memory []byte, fill filling, hashes iter.Seq[[]uint64]) ([]byte, error) {
	if k.fill != nil {
		return k.writeBlocks(memory, fill, hashes)
	}
	b, err := k.builder(fill.bitsPerKey, building{concurrency: runtime.NumCPU()})
	if err != nil {
		return nil, err
	}
	for chunk := range hashes {
		b.AddHashes(chunk)
	}
	return b.AppendFinish(memory)
}

func (o *own) name() string { return o.title }

func (o *own) build(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (bytes int, has chosen, err error) {
	memory = memory[o.offset:o.offset]
	fill.bitsPerKey = o.bitsPerKeyOf(fill)
	if fill.keyBytes > 0 && o.hash != keyhash.XX64 {
		hashes = o.keyHashes(fill, hashes)
	}
	if o.data, err = o.write(memory, fill, hashes); err != nil {
		return 0, chosen{}, err
	}
	if unsafe.SliceData(o.data) != unsafe.SliceData(memory) {
		return 0, chosen{}, fmt.Errorf("%d bytes are beyond what there was room for", len(o.data))
	}
	o.body = o.data[:o.bodyOf(len(o.data))]
	return len(o.data), chosenBy(o.opened()), nil
}

// suits reports whether a filter of the filling's keys may have that many bytes.
func (k *kind) suits(fill filling, bytes int) bool {
	body := k.bodyOf(bytes)
	return body == fill.bytes || k.smaller && body <= fill.bytes+k.more
}

func (k *kind) bodyOf(bytes int) int {
	if k.bodyBytes != nil {
		return k.bodyBytes(bytes)
	}
	return bytes / asm.BlockBytes * asm.BlockBytes
}

// keyHashes returns the filter's own hashes of the keys that have the given ones.
func (o *own) keyHashes(fill filling, hashes iter.Seq[[]uint64]) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		var some [1024]uint64
		n := 0
		for key := range fill.keysOf(o.seed, hashes) {
			if some[n], n = o.hash.Sum64(key), n+1; n == len(some) {
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
func (o *own) hashed(q *queries) *queries {
	if q.keys == nil || o.hash == keyhash.XX64 {
		return q
	}
	own := *q
	own.hashes = o.hash.AppendHashes(nil, q.keys)
	return &own
}

func (o *own) bitsPerKeyOf(fill filling) float64 {
	if o.bitsPerKey != nil {
		return o.bitsPerKey(fill)
	}
	return fill.bitsPerKey
}

// opened returns the filter, which keeps to the level that it is opened at.
func (o *own) opened() *root.Filter {
	f, err := o.open(o.data, o.hash)
	if err != nil {
		panic(err) // build has made it
	}
	return f
}

func (o *own) rows() (rows []*row) {
	for _, level := range o.levels {
		add := func(way string, query func(q *queries), hits func(q *queries) int) *row {
			r := &row{name: o.prefix + level.String() + " " + way, level: level, own: true, query: query, hits: hits}
			rows = append(rows, r)
			return r
		}
		add("batch", func(q *queries) { lookUpBatches(o.opened(), q) }, (*queries).trues)
		if o.copies {
			copied := sync.OnceValue(func() *root.Filter { return o.opened().CopyAligned() })
			add("copied", func(q *queries) { lookUpBatches(copied(), q) }, (*queries).trues)
		}
		add("bits", func(q *queries) { lookUpBits(o.opened(), q) }, (*queries).ones)
		add("single", func(q *queries) { q.found = lookUpEach(o.opened(), q.hashes) }, (*queries).count)
		add("stateless", func(q *queries) { q.found = o.inBytes(o.data, q.hashes) }, (*queries).count)
		add("keys", func(q *queries) { lookUpKeys(o.opened(), q) }, (*queries).trues).keys = true
		for _, way := range o.ways {
			add(way.String(), nil, nil).build = o.building(way)
		}
	}
	return rows
}

// building fills in what the filter's kind is for a way to build.
func (o *own) building(way building) *building {
	way.begin = func(fill filling) (builder, error) { return o.builder(o.bitsPerKeyOf(fill), way) }
	way.open = func(_ builder, data []byte) (reader, chosen, error) {
		f, err := o.open(data, o.hash)
		if err != nil {
			return nil, chosen{}, err
		}
		return f, chosenBy(f), nil
	}
	way.suits = o.suits
	return &way
}

// verify compares every level's answers, given in every way, with pure Go's.
func (o *own) verify(q *queries) error {
	for _, level := range o.levels {
		if err := o.verifyAt(level, q); err != nil {
			return err
		}
	}
	return nil
}

func (o *own) verifyAt(level cpu.Level, q *queries) error {
	restore := cpu.Limit(level)
	defer restore()
	f := o.opened()
	q = o.hashed(q)
	if q.keys != nil {
		lookUpKeys(f, q)
	} else {
		lookUpBatches(f, q)
	}
	lookUpBits(f, q)
	contains := o.inPureGo(f, o.body)
	for i, hash := range q.hashes {
		bit, single, stateless := q.bit(i), f.ContainsHash(hash), o.inBytes(o.data, q.hashes[i:i+1]) == 1
		if want := contains(hash); q.bools[i] != want || bit != want || single != want || stateless != want {
			return fmt.Errorf("level %s, hash %#x: bools say %v, bits %v, single %v, stateless %v, and %v is right",
				level, hash, q.bools[i], bit, single, stateless, want)
		}
	}
	return nil
}

// The ways to query. They are loops that do nothing else: through an interface, eight hashes take a
// tenth longer, and the compiler's layout of a loop around a call of assembly matters as much.

func lookUpBatches(f *root.Filter, q *queries) {
	for from, to := range q.calls() {
		f.ContainsHashes(q.hashes[from:to], q.bools[from:to])
	}
}

func lookUpBits(f *root.Filter, q *queries) {
	words := q.words
	for from, to := range q.calls() {
		f.ContainsHashBits(q.hashes[from:to], words)
		words = words[wordsOf(to-from):]
	}
}

func lookUpKeys(f *root.Filter, q *queries) {
	for from, to := range q.calls() {
		f.ContainsKeys(q.keys[from:to], q.bools[from:to])
	}
}

func lookUpEach(f *root.Filter, hashes []uint64) (found int) {
	for _, hash := range hashes {
		found += tables.One(f.ContainsHash(hash))
	}
	return found
}
