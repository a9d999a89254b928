package goleveldb

// FilterBaseLg is for opt.Options.FilterBaseLg, the logarithm of how many bytes of a table
// one filter is for: 1 GiB, more than tables have, so that a table has one filter.
//
// goleveldb's default is 11. Then every 2 KiB of a table, or every block that is larger than
// that, has a filter of its own, of some dozen keys, and each is rounded up: to whole lines of
// 64 bytes and 5 bytes more by FastLocal, to 2 KiB and 4 bytes by Paired. For 34 keys a block,
// 10 bits per key become 17 so, and Paired's 23.4 become 489. From 19 on rounding is below 3 %.
//
// Nothing is lost by it: goleveldb reads, checks and caches all filters of a table as one
// block in either case. A single one begins at a multiple of 64 in memory, where lookups are
// fastest; a generator keeps 8 bytes for each of the table's keys. From 64 on goleveldb
// panics. A table records its own, so it may be changed at any time.
const FilterBaseLg = 30
