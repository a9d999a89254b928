// Package filterblock builds and reads the filter block of a sorted table, as a storage engine has it: that of RocksDB
// since 9.6, byte for byte, which older versions and Speedb read, too, or one of this module's own filters in the same
// form.
//
// A table's filter tells whether a key may be in the table, so that a lookup need not read it.
// Around the filter itself, which is one of package [policy] or your own ([policy.New]), a filter block adds three
// things:
//
//   - Prefixes. The filter can have the keys, their prefixes, or both. An iterator that only wants
//     the keys of one prefix then skips tables without any: [Reader.MayContainSeek] and
//     [Reader.MayContainPrefix]. An [Extractor] returns the prefix of a key.
//   - Partitions. The filter of a large table can be cut into partitions of some KiB, with an index
//     over them, so that a lookup reads one partition and not the whole filter. A batch
//     ([Reader.MayContainKeys]) reads each partition that it needs once.
//   - Counting. [Counters] have RocksDB's statistics.
//
// A [Writer] reads a table's keys in order, and returns the block. A [Reader] looks keys and
// prefixes up in it. "No" is certain. Whatever the block cannot answer, whether it has no prefixes,
// or cannot be read, is "may contain".
//
//	p, err := policy.Parse("rocksdb.BloomFilter:10")
//	w, err := filterblock.NewWriter(p, filterblock.Options{WholeKeys: true})
//	w.Add(key)                  // ... every key of a table
//	block, err := w.Finish()    // the bytes to store in the table
//
//	r, err := filterblock.Open(p, block, filterblock.ReadOptions{WholeKeys: true})
//	r.MayContain(key)           // before reading the table
//
// The block does not record its settings. A table must record the policy's name, whether the
// filter has whole keys, and the extractor's name, as RocksDB does in its table properties.
//
// For one filter of n keys a Writer needs 8 bytes a key (4 with filters of 32-bit hashes), and with
// partitions that much of one partition only. A Reader of partitions keeps their index, some 40
// bytes a partition. LevelDB's filter blocks have another form: see package leveldb.
//
// [docs/engines.md] explains which filter to choose for which level, and when partitions pay;
// examples/sortedtable is a small table file with all of this.
//
// [docs/engines.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/engines.md
package filterblock
