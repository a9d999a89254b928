package beam

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.Function1x1(bytesOfName)
	registerContains[string]()
	registerContains[[]byte]()
	registerContains[int64]()
	registerContains[uint64]()
}

func registerContains[K key]() {
	registerDoFn(func(fn *containsFn[K]) func(context.Context, beam.EventTime, K, []byte, func(beam.EventTime, K)) error {
		return fn.ProcessElement
	}, make5x1)
	registerDoFn(func(fn *containsPairFn[K]) func(context.Context, beam.EventTime, K, beam.V, []byte, func(beam.EventTime, K, beam.V)) error {
		return fn.ProcessElement
	}, make6x1)
	register.Emitter2[beam.EventTime, K]()
}

// MayContain returns those keys that may be in a filter. The collection has keys, or pairs (KV) of which the first is
// the key: so it is a semi-join, which drops nearly all rows without a partner before they are joined. filter is a
// collection of one element, the bytes of a filter file, such as of [BuildFilter]. Keys are looked up in batches if
// they are in the global window, and one by one otherwise. Timestamps stay.
//
// Each machine needs the filter in its memory. Bytes that are no filter file are an error of the pipeline.
func MayContain(s beam.Scope, filter, keys beam.PCollection) beam.PCollection {
	return mayContain(s.Scope("simdbloom.MayContain"), lookups{Batch: 1024}, filter, keys)
}

// MayContainSet is [MayContain] with a set of filters of any size. manifest is a collection of one element, the name of
// the set's manifest: the result of [BuildSet], or for a finished set
//
//	beam.Create(s, dir+"/"+filterset.Manifest)
//
// Each machine opens the set: a local folder is mapped into memory, and one in another file system is copied to a
// folder for temporary files, once for each process, until Beam tears its workers down: there must be room for it.
// [MayContainSetAt] copies nothing. Files that cannot be read, or are not what the manifest lists, are an error of the
// pipeline. It panics as [MayContain] does.
func MayContainSet(s beam.Scope, manifest, keys beam.PCollection) beam.PCollection {
	s = s.Scope("simdbloom.MayContainSet")
	return mayContain(s, lookups{Batch: 1024, OfSet: true}, beam.ParDo(s, bytesOfName, manifest), keys)
}

func bytesOfName(name string) []byte { return []byte(name) }

func mayContain(s beam.Scope, l lookups, filter, keys beam.PCollection) beam.PCollection {
	if !global(keys) {
		l.Batch = 1
	}
	side := beam.SideInput{Input: filter}
	if t, pairs := keyType(keys); pairs {
		return beam.ParDo(s, ofType(t, &containsPairFn[string]{Lookups: l}, &containsPairFn[[]byte]{Lookups: l},
			&containsPairFn[int64]{Lookups: l}, &containsPairFn[uint64]{Lookups: l}), keys, side)
	} else {
		return beam.ParDo(s, ofType(t, &containsFn[string]{Lookups: l}, &containsFn[[]byte]{Lookups: l},
			&containsFn[int64]{Lookups: l}, &containsFn[uint64]{Lookups: l}), keys, side)
	}
}

// lookups opens a filter or set for lookups, and has the number of keys in a call.
type lookups struct {
	Batch int
	OfSet bool // the side input is the name of a set's manifest, not a filter file

	Remote *Remote // or nil: the set is opened in a local folder
}

// containsFn emits the keys that may be in the filter.
type containsFn[K key] struct {
	Lookups lookups

	side  sideFilter
	batch batch[K]
}

func (fn *containsFn[K]) ProcessElement(ctx context.Context, at beam.EventTime, k K, data []byte, emit func(beam.EventTime, K)) error {
	if err := fn.side.open(ctx, fn.Lookups, data); err != nil {
		return err
	}
	fn.batch.add(at, sum(fn.side.Hash(), k), k)
	if len(fn.batch.hashes) >= fn.Lookups.Batch {
		return fn.FinishBundle(ctx, data, emit)
	}
	return nil
}

func (fn *containsFn[K]) FinishBundle(ctx context.Context, _ []byte, emit func(beam.EventTime, K)) error {
	hits, err := fn.batch.hits(ctx, &fn.side)
	for _, i := range hits {
		emit(fn.batch.times[i], fn.batch.elements[i])
	}
	fn.batch.reset()
	return err
}

func (fn *containsFn[K]) Teardown() { fn.side.close() }

// containsPairFn emits the pairs whose keys may be in the filter.
type containsPairFn[K key] struct {
	Lookups lookups

	side  sideFilter
	batch batch[pair[K]]
}

type pair[K key] struct {
	key   K
	value beam.V
}

func (fn *containsPairFn[K]) ProcessElement(ctx context.Context, at beam.EventTime, k K, v beam.V, data []byte, emit func(beam.EventTime, K, beam.V)) error {
	if err := fn.side.open(ctx, fn.Lookups, data); err != nil {
		return err
	}
	fn.batch.add(at, sum(fn.side.Hash(), k), pair[K]{k, v})
	if len(fn.batch.hashes) >= fn.Lookups.Batch {
		return fn.FinishBundle(ctx, data, emit)
	}
	return nil
}

func (fn *containsPairFn[K]) FinishBundle(ctx context.Context, _ []byte, emit func(beam.EventTime, K, beam.V)) error {
	hits, err := fn.batch.hits(ctx, &fn.side)
	for _, i := range hits {
		emit(fn.batch.times[i], fn.batch.elements[i].key, fn.batch.elements[i].value)
	}
	fn.batch.reset()
	return err
}

func (fn *containsPairFn[K]) Teardown() { fn.side.close() }

// batch has elements that are not looked up yet.
type batch[E any] struct {
	times    []beam.EventTime
	hashes   []uint64
	elements []E
	found    []int
}

func (b *batch[E]) add(at beam.EventTime, hash uint64, e E) {
	b.times = append(b.times, at)
	b.hashes = append(b.hashes, hash)
	b.elements = append(b.elements, e)
}

// hits returns the indexes of the elements that may be in the filter.
func (b *batch[E]) hits(ctx context.Context, side *sideFilter) (_ []int, err error) {
	if len(b.hashes) == 0 {
		return nil, nil // the bundle had no elements: the filter is not opened
	}
	b.found, err = side.appendHits(ctx, b.found[:0], b.hashes)
	return b.found, err
}

func (b *batch[E]) reset() {
	clear(b.elements)
	b.times, b.hashes, b.elements = b.times[:0], b.hashes[:0], b.elements[:0]
}
