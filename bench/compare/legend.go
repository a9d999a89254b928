package main

const legend = `
Legend:
  "ns/key"  nanoseconds a query, the median of the rounds; "min" and "max" are
     those of the rounds
  "x parquet", "x touch"  the median over the rounds of the row's time divided by
     that of the parquet row, or of the fastest touch row, in the same round
  "hits %"  queries answered yes: the present ones and the false positives
  "LEVEL batch", "LEVEL bits"  simdbloom's bloom.Filter: ContainsHashes and
     ContainsHashBits, many keys in a call
  "LEVEL single"  its ContainsHash in a loop
  "LEVEL copied"  LEVEL batch of the copy that CopyAligned makes in Go's memory,
     from 8 MiB on in huge pages if there are any, whatever -pages says
  "LEVEL keys"  its ContainsKeys, with many keys in a call, whose hashing counts
  "paired LEVEL ..."  the same of paired.Filter, for which a present key is two
     lines, in touch rows one
  "touch HINT DISTANCE"  loads each key's line and does nothing else, with such a
     prefetch so many keys ahead: about what memory allows. (Prefetching twice, as
     simdbloom does, it allows a little more.) Only the fastest is shown, unless
     -touch=all says otherwise
  "hashing"  hashes the keys, as keys rows do, and does nothing else
  "parquet", "blobloom"  are given hashes, too, one in a call
  "parquet keys"  hashes each key with parquet-go's own function, and asks for it
  "pebble", "bits-and-blooms"  take keys, here of 8 bytes, and hash them: their
     times include it. Pebble takes whole bits per key
  All filters have the same keys, as much memory and the same kind of pages. Every
  round has fresh queries in random order, the same for all rows, and other orders
  of rows. Before its timed pass a row answers other queries, untimed. Keys that are
  hashed are in ordinary Go memory, one behind the other in the order they are asked.
`
