// Package pebble puts simdbloom's filters into Pebble
// (github.com/cockroachdb/pebble/v2), where they replace its own Bloom filter:
//
//	import simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
//
//	for i := range opts.Levels {
//		opts.Levels[i].FilterPolicy = simdbloom.Paired(23.4)
//	}
//
// A table records the filter's name, which has the format, the batch and the key hash,
// but not the bits per key: filters in old tables are still used after those change.
// Tables with filters of another name are read without a filter, unless Options.Filters
// knows the name: see [Filters].
//
// Pebble's DB.Get never uses the filters of the last level, L6, which has most of a
// store's tables. [GetMany] does, for keys of which many are absent.
//
// [docs/pebble.md] has measurements, and explains how to migrate and how to go back.
//
// [docs/pebble.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/pebble.md
package pebble
