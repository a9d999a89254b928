package beam

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/keyhash"
)

// The functions here call those of the pipelines, without an engine.

// TestHashesBecomeAFilter as soon as that is smaller, and not before, by adding and by merging.
func TestHashesBecomeAFilter(t *testing.T) {
	fn := &unionFn{Filter: Filter{Policy: "simdbloom.FastLocal:16", Keys: 400, AllowEmpty: true}} // of 6,400 bits, or 100 hashes
	of := func(from, n int) union {
		u, err := union{}, error(nil)
		for h := range n {
			if u, err = fn.AddInput(u, appendBlock(nil, []uint64{uint64(from+h) * 0x9E3779B97F4A7C15})); err != nil {
				t.Fatal(err)
			}
		}
		return u
	}
	for _, c := range []struct {
		what    string
		u       union
		filters bool
		hashes  int
	}{
		{"99 hashes", of(0, 99), false, 99},
		{"100 hashes", of(0, 100), true, 0},
	} {
		if (c.u.filter != nil) != c.filters || len(c.u.hashes) != c.hashes {
			t.Errorf("%s: a filter: %v, and %d hashes", c.what, c.u.filter != nil, len(c.u.hashes))
		}
	}
	for _, c := range []struct {
		n, m   int
		hashes int // 0: a filter
	}{{0, 0, 0}, {1, 0, 1}, {0, 1, 1}, {50, 49, 99}, {50, 50, 0}, {99, 150, 0}, {150, 1, 0}, {150, 150, 0}} {
		u, err := fn.MergeAccumulators(of(0, c.n), of(c.n, c.m))
		isFilter := c.n+c.m >= 100
		if err != nil || (u.filter != nil) != isFilter || len(u.hashes) != c.hashes {
			t.Errorf("%d and %d: a filter: %v, and %d hashes, %v", c.n, c.m, u.filter != nil, len(u.hashes), err)
		}
		got, err := fn.ExtractOutput(u)
		want, err2 := fn.ExtractOutput(of(0, c.n+c.m))
		if err != nil || err2 != nil || !bytes.Equal(got, want) {
			t.Errorf("%d and %d: another filter, %v, %v", c.n, c.m, err, err2)
		}
	}
}

// TestAccumulatorsArrive: each kind arrives as it was sent.
func TestAccumulatorsArrive(t *testing.T) {
	fn := &unionFn{Filter: Filter{Policy: "simdbloom.FastLocal:16", Keys: 4, AllowEmpty: true}}
	for _, hashes := range [][]uint64{nil, {7}, {1 << 63, 2, 3}} {
		for _, u := range []union{{hashes: hashes}, mustBe(fn.filled(union{hashes: hashes}))(t)} {
			arrived := mustBe(decodeUnion(mustBe(encodeUnion(u))(t)))(t)
			got, want := mustBe(fn.ExtractOutput(arrived))(t), mustBe(fn.ExtractOutput(u))(t)
			if (arrived.filter != nil) != (u.filter != nil) || !slices.Equal(arrived.hashes, u.hashes) || !bytes.Equal(got, want) {
				t.Errorf("%d hashes, a filter: %v: others", len(hashes), u.filter != nil)
			}
		}
	}
}

func mustBe[V any](v V, err error) func(*testing.T) V {
	return func(t *testing.T) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// TestBlocksOfHashes: every hash leaves in a block of its part, in full blocks until the bundle ends, and no block
// changes once it was emitted.
func TestBlocksOfHashes(t *testing.T) {
	const keys = 40_000
	for parts, full := range map[int]int{1: 32 << 10, 4: 32 << 10, 1024: 8 << 10, 1 << 14: 512} {
		fn := &hashFn[uint64]{Policy: "simdbloom.Linear:16", Parts: parts}
		if err := fn.Setup(); err != nil || fn.full != full {
			t.Fatal(fn.full, err)
		}
		var emitted, copies [][]byte
		found := make(map[uint64]int)
		most := full
		emit := func(part int, block []byte) {
			emitted, copies = append(emitted, block), append(copies, bytes.Clone(block))
			if len(block) == 0 || len(block) > full || len(block) < most {
				t.Fatalf("%d parts: a block of %d bytes", parts, len(block))
			}
			for _, h := range appendHashes(nil, block) {
				if found[h]++; filterset.PartOf(h, parts) != part {
					t.Fatalf("%d parts: %x in part %d", parts, h, part)
				}
			}
		}
		for bundle := range 2 {
			for v := range uint64(keys / 2) {
				fn.ProcessElement(v+uint64(bundle)*keys/2, emit)
			}
			most = 8
			fn.FinishBundle(emit)
			before := len(emitted)
			if fn.FinishBundle(emit); len(emitted) != before {
				t.Errorf("%d parts: blocks are emitted twice", parts)
			}
			most = full
		}
		if !slices.EqualFunc(emitted, copies, bytes.Equal) {
			t.Errorf("%d parts: a block has changed", parts)
		}
		for v := range uint64(keys) {
			if n := found[keyhash.XX64.SumUint64(v)]; n != 1 {
				t.Fatalf("%d parts: key %d %d times", parts, v, n)
			}
		}
	}
}

// TestKeysWithTheirTimes: every key that may be in the filter leaves once, with its own time, when the batch is full or
// the bundle ends.
func TestKeysWithTheirTimes(t *testing.T) {
	filter := func(keys ...uint64) []byte {
		m := mustBe(bloom.NewMutable(1000, 30, keyhash.XX64))(t)
		for _, k := range keys {
			m.AddUint64(k)
		}
		return mustBe(m.MarshalBinary())(t)
	}
	type left struct {
		at    beam.EventTime
		key   uint64
		value beam.V
	}
	type function struct {
		process func(at beam.EventTime, k uint64, data []byte, emit func(left)) error
		finish  func(data []byte, emit func(left))
		value   bool
	}
	data := filter(2, 4, 5)
	for what, c := range map[string]struct {
		process func(at beam.EventTime, k uint64, data []byte, emit func(left)) error
		finish  func(data []byte, emit func(left))
		value   bool
	}{
		"keys": func() (c function) {
			fn := &containsFn[uint64]{Lookups: lookups{Batch: 3}}
			as := func(emit func(left)) func(beam.EventTime, uint64) {
				return func(at beam.EventTime, k uint64) { emit(left{at, k, nil}) }
			}
			c.process = func(at beam.EventTime, k uint64, data []byte, emit func(left)) error {
				return fn.ProcessElement(t.Context(), at, k, data, as(emit))
			}
			c.finish = func(data []byte, emit func(left)) { fn.FinishBundle(t.Context(), data, as(emit)) }
			return c
		}(),
		"pairs": func() (c function) {
			fn := &containsPairFn[uint64]{Lookups: lookups{Batch: 3}}
			as := func(emit func(left)) func(beam.EventTime, uint64, beam.V) {
				return func(at beam.EventTime, k uint64, v beam.V) { emit(left{at, k, v}) }
			}
			c.process = func(at beam.EventTime, k uint64, data []byte, emit func(left)) error {
				return fn.ProcessElement(t.Context(), at, k, 100*k, data, as(emit))
			}
			c.finish = func(data []byte, emit func(left)) { fn.FinishBundle(t.Context(), data, as(emit)) }
			c.value = true
			return c
		}(),
	} {
		var got []left
		emit := func(l left) { got = append(got, l) }
		want := func(step string, keys ...uint64) {
			t.Helper()
			var wanted []left
			for _, k := range keys {
				l := left{at: beam.EventTime(10 * k), key: k}
				if c.value {
					l.value = 100 * k
				}
				wanted = append(wanted, l)
			}
			if !slices.Equal(got, wanted) {
				t.Errorf("%s, %s: %v, want %v", what, step, got, wanted)
			}
			got = nil
		}
		process := func(data []byte, keys ...uint64) {
			t.Helper()
			for _, k := range keys {
				if err := c.process(beam.EventTime(10*k), k, data, emit); err != nil {
					t.Fatal(err)
				}
			}
		}
		c.finish(data, emit)
		want("an empty bundle")
		process(data, 1, 2)
		want("a batch that is not full")
		process(data, 3)
		want("a full batch", 2)
		process(data, 4, 5)
		c.finish(data, emit)
		want("the end of a bundle", 4, 5)
		c.finish(data, emit)
		want("another one")
		other := filter(1)
		process(other, 1, 2, 3)
		want("another filter", 1)
		if err := c.process(0, 1, other[:len(other)-1], emit); err == nil {
			t.Errorf("%s: a filter that was cut off is no error", what)
		}
	}
}

// TestBlocksAreLittleEndian: blocks of hashes are the same on all machines.
func TestBlocksAreLittleEndian(t *testing.T) {
	block := appendBlock([]byte{9}, []uint64{1, 1 << 56})
	if want := append(append([]byte{9}, binary.LittleEndian.AppendUint64(nil, 1)...), 0, 0, 0, 0, 0, 0, 0, 1); !bytes.Equal(block, want) {
		t.Errorf("%v", block)
	}
	if got := appendHashes([]uint64{7}, append(block[1:], 1, 2, 3)); !slices.Equal(got, []uint64{7, 1, 1 << 56}) {
		t.Errorf("%v", got)
	}
}
