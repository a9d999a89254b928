package goleveldb

// FilterBaseLg is a value for opt.Options.FilterBaseLg, the binary logarithm of the number
// of bytes of a table that share a filter: 1 GiB, more than tables have, so that each table
// has one filter.
//
// goleveldb's default is 11. Then every 2 KiB of a table, or every block that is larger, has
// a filter of its own, with a few dozen keys, and each is rounded up: by FastLocal to whole
// lines of 64 bytes and 5 bytes more, by Paired to 2 KiB and 4 bytes. With 34 keys a block,
// 10 bits per key thus become 17, and Paired's 23.4 become 489. From 19 on, rounding adds less
// than 3 %.
//
// One filter per table has no disadvantage: goleveldb reads, checks and caches all filters of
// a table as one block in any case. A single filter begins at a multiple of 64 in memory,
// where lookups are fastest. A generator keeps 8 bytes for each of the table's keys. From 64
// on goleveldb panics. A table records its own value, so it may be changed at any time.
const FilterBaseLg = 30
