// Package parquet reads the Bloom filters of Parquet files, tells which row groups may have any of
// many values, and adds filters to files. It decodes no data pages and needs no other library: packages
// arrow and parquetgo beside it, modules of their own, build filters from a file's values with
// arrow-go and parquet-go.
//
//	file, err := parquet.Open(r, size)                             // any io.ReaderAt: a file, an object
//	rowGroups, err := parquet.Prune(file, "customer.id", []int64{17, 4711})
//
// All values are looked up together, in the filters of all row groups. Those that lie side by side are read in one
// read, and kept for the next Prune; for few values, only the blocks that these have in the filters are read
// ([WithReadCost]). With [OpenBytes] filters are used where they are, for example in a mapped file.
//
// [WriteWithFilters] and [AddFilters] write a file again with more filters: all bytes of the data
// stay where they are, and the footer alone is new.
//
// [docs/parquet.md] lists the sizes that readers accept, and has measurements.
//
// [docs/parquet.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/parquet.md
package parquet
