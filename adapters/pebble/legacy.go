package pebble

import (
	"fmt"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/policy"
)

// Legacy returns Pebble's own filter, of whole bits per key, under its own name: it writes the
// bytes of [bloom.FilterPolicy], and reads them faster. Replace that one
// with it, and lookups in existing tables get faster; switch back at any time.
//
// The false-positive rate is 1.2 % at 10 bits per key, and several times that for numbers of
// keys whose lines are near a power of two: see [legacy.PredictedFPR]. [FastLocal] has lower
// rates in the same memory.
//
// No bytes of a filter make the policy panic: one without lines, on which Pebble's reader does,
// may contain every key. The newer filters of the same name, which RocksDB and [ForRocksDB] write,
// are read, too. Legacy panics if bitsPerKey is negative. Any number of goroutines may use the
// policy at once.
func Legacy(bitsPerKey int) pebble.FilterPolicy {
	if bitsPerKey < 0 {
		panic(fmt.Sprintf("pebble: Legacy: bits per key must be at least 0, not %d", bitsPerKey))
	}
	p := &legacyPolicy{bitsPerKey: bitsPerKey}
	p.builders.Put(p.builder()) // panics here, and not in a compaction
	return p
}

type legacyPolicy struct {
	bitsPerKey int
	builders   sync.Pool // empty ones, which have memory for the keys of a table
}

// anyLegacy reads every filter that is named as Pebble's.
var anyLegacy = policy.Legacy(10)

func (p *legacyPolicy) Name() string { return bloom.FilterPolicy(p.bitsPerKey).Name() }

func (p *legacyPolicy) MayContain(ftype pebble.FilterType, filter, key []byte) bool {
	// Pebble writes five bytes without keys: a filter of none is truncated.
	if ftype != pebble.TableFilter || len(filter) == 0 {
		return true
	}
	return anyLegacy.MayContain(filter, key)
}

func (p *legacyPolicy) NewWriter(pebble.FilterType) pebble.FilterWriter {
	return &legacyWriter{policy: p}
}

func (p *legacyPolicy) builder() *simdbloom.Builder {
	b, err := legacy.NewBuilder(float64(p.bitsPerKey), keyhash.RocksDB32, legacy.WithPebble())
	if err != nil {
		panic("pebble: " + err.Error())
	}
	return b
}

// legacyWriter builds the filter of one table, or of several, one after another.
type legacyWriter struct {
	policy  *legacyPolicy
	builder *simdbloom.Builder // nil before a table's first key
}

func (w *legacyWriter) begin() {
	b, ok := w.policy.builders.Get().(*simdbloom.Builder)
	if !ok {
		b = w.policy.builder()
	}
	w.builder = b
}

func (w *legacyWriter) AddKey(key []byte) {
	if w.builder == nil {
		w.begin()
	}
	w.builder.Add(key)
}

// Finish writes one that may contain every key if the filter cannot be built: it would take more
// than 4 GiB.
func (w *legacyWriter) Finish(dst []byte) []byte {
	if w.builder == nil {
		w.begin()
	}
	data := policy.AppendFilter(dst, w.builder)
	w.policy.builders.Put(w.builder)
	w.builder = nil
	return data
}
