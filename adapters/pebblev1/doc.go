// Package pebblev1 puts simdbloom's filters into Pebble v1
// (github.com/cockroachdb/pebble v1.1.5), where they replace its own Bloom filter. It is
// adapters/pebble for v1:
//
//	import simdbloom "github.com/simdbloom/simdbloom/adapters/pebblev1"
//
//	opts.Levels = []pebble.LevelOptions{{FilterPolicy: simdbloom.Paired(23.4)}}
//
// In v1, Levels is a slice, empty at first. Its last element also holds for the levels
// below.
//
// A table records the filter's name, which has the format, the batch and the key hash,
// but not the bits per key: filters in old tables are still used after those change.
// Tables with filters of another name are read without a filter, unless Options.Filters
// knows the name: see [Filters].
//
// Pebble's DB.Get never uses the filters of the last level, L6, which has most of a
// store's tables. [GetMany] does, for keys of which many are absent. It needs a Comparer with a Split, or
// Pebble panics. v1's default Comparer has no Split. You may add one to an existing store
// at any time, which changes nothing else if its prefixes are whole keys:
//
//	comparer := *pebble.DefaultComparer
//	comparer.Split = func(key []byte) int { return len(key) }
//	opts.Comparer = &comparer
//
// See [docs/pebble.md].
//
// [docs/pebble.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/pebble.md
package pebblev1

//go:generate go run copy.go
