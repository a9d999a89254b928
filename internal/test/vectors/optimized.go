package vectors

// Optimized has filters that one policy of RocksDB built, one after the other, with
// optimize_filters_for_memory: their sizes depend on the allocator, here on a model of one, and on
// the filters before.
type Optimized struct {
	BitsPerKey float64 `json:"bits_per_key"`
	Kind       string  // "ribbon" or "fastlocal"
	Seed       uint64  // of the first filter's hashes; the next filter has the next seed
	Filters    []struct {
		N        int
		TotalLen int   `json:"total_len"`
		Balance  int64 // of the policy's rates, behind this filter
		Trailer  Hex   `json:"trailer_hex"`
		SHA256   Hex
	}
}

// OptimizedForMemory returns them.
func OptimizedForMemory() []Optimized { return list[Optimized]("optimize_memory.json") }
