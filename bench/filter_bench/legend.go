package main

const legend = `Legend:
  "Inside"  a key that was added to the filter
  "Outside"  a key that was not
  "FN"  a false negative; there must be none
  "FP"  a false positive; fine as long as they are rare
  "Reported total allocated memory"  what the filters add to Go's heap: their
     bytes, what aligns them and rounds them up, and the objects that read them
  "Predicted FP rate"  what the filters' PredictedFPR gives for their sizes
  "Tolerable FP rate"  2^-((b-1)/(1.4+b/50)) at b bits/key stored, RocksDB's
     bound; above it the program stops
  "Dry run"  making and hashing keys, and the loop around them
  "Gross filter"  the same and querying the filter
  "net"  gross less dry run: the filter's own part. It is wrong, and may be below 0,
     if other load slowed one of the two
  "ns/op"  nanoseconds per key, queried or added
  "Single filter"  one filter gets all queries: the least cost, if it fits the
     first-level cache
  "Batched, prepared"  each batch of queries goes to a filter chosen at random,
     in one call
  "Batched, unprepared"  the same, in a call for each key
  "Skewed X% in Y%"  Y% of the filters get X% of the queries
  "Random filter"  each query goes to a filter chosen at random
`
