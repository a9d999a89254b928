package pebble

import (
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"

	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/policy"
)

// Legacy returns Pebble's own filter, of whole bits per key, under its own name: it writes the
// bytes of [bloom.FilterPolicy], and reads them faster. Put it where a store has that one, and
// all existing tables are looked up faster; put that one back, and nothing has changed.
//
// The false-positive rate is 1.2 % at 10 bits per key, and several times that for numbers of
// keys whose lines are near a power of two: see [legacy.PredictedFPR]. [FastLocal] has lower
// rates in the same memory.
//
// No bytes of a filter make the policy panic: one without lines, on which Pebble's reader does,
// may contain every key. Tables that RocksDB wrote with its newer filters, of the same name, are
// read, too. Legacy panics if bitsPerKey is negative. Any number of goroutines may use the
// policy at once.
func Legacy(bitsPerKey int) pebble.FilterPolicy {
	p := legacyPolicy(bitsPerKey)
	p.builder() // panics here, and not in a compaction
	return p
}

type legacyPolicy int

// lookUpLegacy reads every filter that is named as Pebble's.
var lookUpLegacy = func() policy.Lookup {
	p, err := policy.Parse("rocksdb.internal.LegacyBloomFilter:10")
	if err != nil {
		panic(err)
	}
	return policy.LookupOf(p)
}()

func (p legacyPolicy) Name() string { return bloom.FilterPolicy(p).Name() }

func (p legacyPolicy) MayContain(ftype pebble.FilterType, filter, key []byte) bool {
	// Pebble writes five bytes without keys: a filter of none is truncated.
	if ftype != pebble.TableFilter || len(filter) == 0 {
		return true
	}
	return lookUpLegacy(filter, key)
}

func (p legacyPolicy) NewWriter(pebble.FilterType) pebble.FilterWriter {
	return legacyWriter{p.builder()}
}

func (p legacyPolicy) builder() *legacy.Builder {
	b, err := legacy.NewBuilder(float64(p), legacy.WithPebble())
	if err != nil {
		panic("pebble: " + err.Error())
	}
	return b
}

type legacyWriter struct{ builder *legacy.Builder }

func (w legacyWriter) AddKey(key []byte) { w.builder.Add(key) }

// Finish writes a filter that may contain every key if one would take more than 4 GiB.
func (w legacyWriter) Finish(dst []byte) []byte {
	data, err := w.builder.AppendFinish(dst)
	if err != nil {
		w.builder.Reset()
		return append(dst, make([]byte, 6)...)
	}
	return data
}
