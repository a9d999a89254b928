// Package beam builds filters in pipelines of Apache Beam (github.com/apache/beam/sdks/v2), which run on
// one machine, or on many with Flink, Spark or Dataflow:
//
//	import filters "github.com/simdbloom/simdbloom/adapters/beam"
//
//	filters.BuildSet(s, filters.Set{Dir: "gs://bucket/users", Policy: "simdbloom.Linear:16", Parts: 1024}, keys)
//
// [BuildSet] writes a set of filters for any number of keys, the bytes that [filterset.Builder] writes on one
// machine. [BuildFilter] builds one filter of at most 4 GiB. [MayContain] looks up the keys of another collection in
// it, and [MayContainSet] in a set: a semi-join. [MayContainSetAt] reads ranges of a set that stays in its store.
//
// Keys are strings, []byte, int64 or uint64. Integers are hashed as 8 little-endian bytes, as [simdbloom.Filter]'s
// ContainsUint64 does. Collections must be bounded and in the global window. Mistakes such as keys of
// another type panic while the pipeline is built, as the transforms of Beam do. [Set.Check], [Filter.Check] and
// [CheckFileSystem] return mistakes in a program's flags as errors.
//
// [docs/files.md] explains how to run such a pipeline, and which runners were tried.
//
// [docs/files.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/files.md#sets-from-apache-beam
package beam
