package main

// legend explains the tables.
func (s *settings) legend() string {
	if s.build {
		return legendOfBuilding
	}
	if s.single {
		return legendOfSingle
	}
	if s.grow {
		return legendOfGrowing
	}
	return legendOfAsking
}

const legendOfAsking = `
Legend:
  "ns/key"  nanoseconds a query, the median of the rounds; "min" and "max" are
     those of the rounds
  "x parquet", "x touch"  the median over the rounds of the row's time divided by
     that of the parquet row, or of the fastest touch row, in the same round
  "hits %"  queries answered yes: the present ones and the false positives
  "LEVEL batch", "LEVEL bits"  a simdbloom.Filter's ContainsHashes and
     ContainsHashBits, many keys in a call
  "LEVEL single"  its ContainsHash in a loop
  "LEVEL stateless"  bloom.MayContainHash, which is given the filter's bytes, in a loop
  "LEVEL copied"  LEVEL batch of the copy that CopyAligned makes in Go's memory,
     from 8 MiB on in huge pages if there are any, whatever -pages says
  "LEVEL keys"  its ContainsKeys, with many keys in a call, whose hashing counts
  "paired LEVEL ..."  the same of paired.Filter, for which a present key is two
     lines, in touch rows one
  "linear LEVEL ..."  the same of linear.Filter, for which most keys are one line
  "ribbon LEVEL ..."  the same of ribbon.Filter, built for the rate that FastLocal has, in
     two thirds to three quarters of its memory
  "legacy LEVEL ...", "leveldb generic ..."  the same of legacy.Filter and leveldb.Filter,
     whose hashes have 32 bits and whose bits per key are whole; leveldb is plain Go
  "fuse 8", "fuse 16"  xorfilter's binary fuse filters, which are given hashes, in
     tables of 9 to 12 and of 18 to 24 bits/key. They take what the keys need
  "linear as fuse 8 LEVEL ..."  a linear filter of the same false-positive rate
  "k"  probes of a lookup, or columns of ribbon filters; or "r=15": none, but
     fingerprints of 15 bits, and a false-positive rate of 2^-15
    "touch HINT DISTANCE"  loads each key's line and does nothing else, prefetching the
          line DISTANCE keys ahead: about what memory allows. (Prefetching twice, as
          simdbloom does, is a little faster.) Only the fastest is shown, unless
          -touch=all says otherwise
  "hashing"  hashes the keys, as keys rows do, and does nothing else
  "parquet", "blobloom"  are given hashes, too, one in a call
  "parquet keys"  hashes each key with parquet-go's own function, and looks it up
  "pebble", "bits-and-blooms"  take keys, here of 8 bytes, and hash them: their
     times include it. Pebble takes whole bits per key
  "pebble Legacy LEVEL"  the same keys and bytes as pebble, through the same interface,
     looked up by simdbloom
  All filters have the same keys, as much memory (but for ribbon and fuse filters, and
  linear ones like them) and the same kind of pages. "bits/key" is what they use of it. Every
  timed pass has fresh queries in random order, and every round another order of rows.
  Before its timed pass a row answers other queries, untimed. Keys that are hashed are
  in ordinary Go memory, one behind the other in the order they are looked up.
`

const legendOfSingle = `
Legend:
  "ns"  nanoseconds a lookup, the median of the rounds, with the key's hash
  "x"  the median over the rounds of the row's time divided by that of the same
     database's own filter at 10 bits/key in the same round
  "N % present"  N % of the keys looked up are in the filter, in random order
  "added"  answers are only added up, so that the processor may have many lookups
     under way
  "branch"  each answer decides a branch, as in a database
  "pebble", "goleveldb"  the databases' own filters
  "pebble Legacy LEVEL", "goleveldb BuiltIn"  simdbloom's adapters for the same bytes,
     which are compared. These have most false positives at sizes that are powers of
     two from 1 MiB on, or nearly: 1.7 % at 31000KiB, and 10 % at 32MiB
  "pebble FastLocal LEVEL", ...  simdbloom's adapters, at 10, 23.4 (Paired) and 16
     (Linear) bits/key, with kernels of that level. Ribbon has the rate that FastLocal
     has, in about three quarters of its memory
  All are called through the database's interface, one key a call, over filters of as
  many bytes (but for Ribbon's), in ordinary pages unless -pages says otherwise. Filters
  of the size 64x1MiB are taken in turn. Every timed pass has fresh keys, and every round
  another order of rows. With -turn, rows have turns of that number of keys, in random
  order, and "ns" and "x" are medians over the turns. Keys are one behind the other in
  memory; with -scattered each has cache lines of its own, in random order.
`

const legendOfBuilding = `
Legend:
  "ns/key"  nanoseconds a key, the median of the rounds; "min" and "max" are those
     of the rounds. It is the time from no builder, or from one that is empty again,
     to the filter's bytes: that of all calls, with their copies, allocations and
     page faults. Making the hashes is not timed: calls take them out of a buffer
     that is filled before, so they come from a cache
  "x parquet"  the median over the rounds of the row's time divided by that of the
     parquet row in the same round
  "LEVEL build"  simdbloom's bloom.NewBuilder, AddHashes, and Finish
  "LEVEL rebuild"  AddHashes and Finish of a builder that has just built, untimed, a
     filter of as many other keys, and kept for hashes what memory it keeps
  "..., 2 CPUs"  WithConcurrency(2), on any CPUs; all others keep to one
  "..., verified"  WithVerification
  "paired LEVEL ...", "linear LEVEL ...", "ribbon LEVEL ...", "legacy LEVEL ...",
     "leveldb generic ..."  the same of paired.Builder, linear.Builder, ribbon.Builder (for
     FastLocal's rate, in less memory), legacy.Builder and leveldb.Builder
  "pebble build", "pebble Legacy LEVEL build"  a table's filter as Pebble writes it, and
     simdbloom's adapter: they are given keys of 8 bytes, and hash them
  "linear as fuse 8 LEVEL ..."  a linear filter of the same keys and the same
     false-positive rate as the filter fuse 8, in less memory
  "parquet"  makes a filter of the right size, and calls InsertBulk
  "fuse 8", "fuse 16"  copy all hashes, and call xorfilter's NewBinaryFuse
    "peak MiB"  the process's peak of memory above what it had before. For rebuild rows
          it includes the untimed building and its filter. It is right to about half a MiB
  All rows of a round build filters of the same keys, in another order each round.
  Small filters are built several times in a round, each of other keys. Before each
  there are two garbage collections and, unless -memory=heaps says otherwise, free
  memory is returned to the system: the hashes of build rows, and the filters of all,
  are in pages that the system has to make, which is timed. Where the system is a virtual
  machine's, its host may take free memory back within a second, and takes 20 times as
  long as the page fault to lend it again, for all rows alike: so it is made to lend
  what a build will want before that, untimed, unless -memory=free says otherwise. Pages of parquet's
  filters are those of Go's memory or, if they are huge, of memory that is mapped for
  them, which is timed as well. What simdbloom's Finish takes is its own choice: huge
  ones from 8 MiB on, if there are any. Up to 10000 keys of each filter are looked for in
  it, and its bytes are the same in all rows of a kind, or the comparison fails.
`

const legendOfGrowing = `
Legend:
  "ns/key"  nanoseconds for each key that is added, the median of the rounds; "min" and
     "max" are those of the rounds, and a quarter of them took less than "quarter". In
     turns the lookup that follows is included
  "in turn"  adds a key and looks up another, half of which are present, and so on
  "add"  adds one key a call
  "batch"  adds many keys a call, by AddHashes or AddKeys, or InsertBulk
  "add, 2 goroutines"  each adds half of the keys, one a call, on a CPU of its own as long
     as there are any; all other rows keep to one. 1000/ns is million keys a second
  "x parquet", "x bits-and-blooms"  the median over the rounds of the row's time divided by
     that of the other filter's row in the same round, the one that adds in the same way;
     for batches and goroutines, if it has none, one key a call
  "x peer"  the same for the fastest of the other libraries' filters: for rows of filters
     that goroutines may add to at once, of those
  "x add"  the row's time divided by that of the same filter's one key a call
  "false %"  absent keys that the filter finds when it has all its keys, as many as are
     timed
  "LEVEL mutable", "LEVEL concurrent"  simdbloom.Mutable and simdbloom.Concurrent
  "parquet", "blobloom", "bits-and-blooms"  for one goroutine. The first two are given hashes
  "blobloom sync", "holiman"  blobloom.SyncFilter, and holiman/bloomfilter, which has a lock
     and is given hashes; both are for several goroutines
  All filters have as much memory, and k for those bits per key. Each begins with half of
  its keys. Every timed pass adds fresh keys, and when the filter is full it gets, untimed,
  the bytes that it had with half of them. Rows have turns in random order, after a pass
  over keys of the filter that changes nothing. Hashing counts: keys are hashed by XXH64,
  those of bits-and-blooms by itself, which takes keys of 8 bytes in place of hashes. Some
  of the keys that were added are looked for after each pass.
  Pages of less than 2 MiB of filters are ordinary. simdbloom's filters are in Go's memory,
  in huge pages from 8 MiB on if there are any; the others in memory that is mapped.
`
