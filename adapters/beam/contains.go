package beam

import (
	"unsafe"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/simdbloom/simdbloom"
)

func init() {
	registerContains[string]()
	registerContains[[]byte]()
	registerContains[int64]()
	registerContains[uint64]()
}

func registerContains[K key]() {
	register.DoFn4x1[beam.EventTime, K, []byte, func(beam.EventTime, K), error](&containsFn[K]{})
	register.DoFn5x1[beam.EventTime, K, beam.V, []byte, func(beam.EventTime, K, beam.V), error](&containsPairFn[K]{})
	register.Emitter2[beam.EventTime, K]()
}

// MayContain returns those keys that may be in a filter. The collection has keys, or pairs (KV) of which the first is the
// key: so it is a semi-join, which drops nearly all rows without a partner before they are joined. filter is a
// collection of one element, the bytes of a filter file, such as of [BuildFilter]. Keys are looked up in
// batches if they are in the global window, and one by one otherwise. Timestamps stay.
//
// Each machine needs the filter in its memory. Bytes that are no filter file are an error of the pipeline.
func MayContain(s beam.Scope, filter, keys beam.PCollection) beam.PCollection {
	s = s.Scope("simdbloom.MayContain")
	batch := 1
	if global(keys) {
		batch = 1024
	}
	side := beam.SideInput{Input: filter}
	if t, pairs := keyType(keys); pairs {
		return beam.ParDo(s, ofType(t, &containsPairFn[string]{Batch: batch}, &containsPairFn[[]byte]{Batch: batch},
			&containsPairFn[int64]{Batch: batch}, &containsPairFn[uint64]{Batch: batch}), keys, side)
	} else {
		return beam.ParDo(s, ofType(t, &containsFn[string]{Batch: batch}, &containsFn[[]byte]{Batch: batch},
			&containsFn[int64]{Batch: batch}, &containsFn[uint64]{Batch: batch}), keys, side)
	}
}

// containsFn emits the keys that may be in the filter.
type containsFn[K key] struct {
	Batch int

	side  sideFilter
	batch batch[K]
}

func (fn *containsFn[K]) ProcessElement(at beam.EventTime, k K, data []byte, emit func(beam.EventTime, K)) error {
	if err := fn.side.open(data); err != nil {
		return err
	}
	fn.batch.add(at, sum(fn.side.filter.Hash(), k), k)
	if len(fn.batch.hashes) >= fn.Batch {
		fn.FinishBundle(data, emit)
	}
	return nil
}

func (fn *containsFn[K]) FinishBundle(_ []byte, emit func(beam.EventTime, K)) {
	for _, i := range fn.batch.hits(&fn.side.filter) {
		emit(fn.batch.times[i], fn.batch.elements[i])
	}
	fn.batch.reset()
}

// containsPairFn emits the pairs whose keys may be in the filter.
type containsPairFn[K key] struct {
	Batch int

	side  sideFilter
	batch batch[pair[K]]
}

type pair[K key] struct {
	key   K
	value beam.V
}

func (fn *containsPairFn[K]) ProcessElement(at beam.EventTime, k K, v beam.V, data []byte, emit func(beam.EventTime, K, beam.V)) error {
	if err := fn.side.open(data); err != nil {
		return err
	}
	fn.batch.add(at, sum(fn.side.filter.Hash(), k), pair[K]{k, v})
	if len(fn.batch.hashes) >= fn.Batch {
		fn.FinishBundle(data, emit)
	}
	return nil
}

func (fn *containsPairFn[K]) FinishBundle(_ []byte, emit func(beam.EventTime, K, beam.V)) {
	for _, i := range fn.batch.hits(&fn.side.filter) {
		emit(fn.batch.times[i], fn.batch.elements[i].key, fn.batch.elements[i].value)
	}
	fn.batch.reset()
}

// sideFilter is the filter of a side input, which is opened again only if it is another one.
type sideFilter struct {
	data   []byte
	filter simdbloom.Filter
}

func (s *sideFilter) open(data []byte) error {
	if unsafe.SliceData(data) == unsafe.SliceData(s.data) && len(data) == len(s.data) && data != nil {
		return nil
	}
	s.data = data
	return s.filter.UnmarshalBinary(data)
}

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
func (b *batch[E]) hits(filter *simdbloom.Filter) []int {
	if len(b.hashes) == 0 {
		return nil // the bundle had no elements: the filter is not opened
	}
	b.found = filter.AppendHits(b.found[:0], b.hashes)
	return b.found
}

func (b *batch[E]) reset() {
	clear(b.elements)
	b.times, b.hashes, b.elements = b.times[:0], b.hashes[:0], b.elements[:0]
}
