package main

const legend = `
Legend:
  "ns/key"  nanoseconds a query, the median of the rounds; "min" and "max" are
     those of the rounds
  "x parquet", "x touch"  the median over the rounds of the row's time divided by
     that of the parquet row, or of the fastest touch row, in the same round
  "hits %"  queries answered yes: the present ones and the false positives
  "LEVEL batch", "LEVEL bits"  simdbloom's Filter.ContainsHashes and
     ContainsHashBits, many keys in a call
  "LEVEL single"  its ContainsHash in a loop
  "touch HINT DISTANCE"  loads each key's line and does nothing else, with such a
     prefetch so many keys ahead: about what memory allows. (Prefetching twice, as
     simdbloom does, it allows a little more.) Only the fastest is shown, unless
     -touch=all says otherwise
  "parquet", "blobloom"  are given hashes, too, one in a call
  "pebble", "bits-and-blooms"  take keys, here of 8 bytes, and hash them: their
     times include it. Pebble takes whole bits per key
  All filters have the same keys, as much memory and the same kind of pages. Every
  round has fresh queries in random order, the same for all rows, and other orders
  of rows. Before its timed pass a row answers other queries, untimed.
`
