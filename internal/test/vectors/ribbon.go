package vectors

import (
	"fmt"
	"strings"

	"github.com/simdbloom/simdbloom/internal/test/splitmix"
)

// Ribbon is one filter that RocksDB's Ribbon policy built.
type Ribbon struct {
	Keys       string  // the keys' encoding, if hashes were not given
	Set        string  // how Hashes makes the hashes, if they were
	Seed       uint64  // theirs
	N          int     // how many
	BitsPerKey float64 `json:"bits_per_key"`
	Kind       string  // "ribbon", "fastlocal", "empty", or "fail" where no seed works
	NumBlocks  uint32  `json:"num_blocks"`
	NumSlots   uint32  `json:"num_slots"`  // of RibbonSized
	BodyLen    int     `json:"body_len"`   // of RibbonSized
	FirstSeed  byte    `json:"first_seed"` // of RibbonSized
	SeedUsed   byte    `json:"seed_used"`
	TotalLen   int     `json:"total_len"`
	Trailer    Hex     `json:"trailer_hex"`
	SHA256     Hex
	Bytes      Hex `json:"hex"` // only of short ones
	answers
}

// RibbonRaw returns Ribbon filters of given hashes.
func RibbonRaw() []Ribbon { return list[Ribbon]("ribbon_raw.json") }

// RibbonKeys returns Ribbon filters of given keys, hashed with XXPH3.
func RibbonKeys() []Ribbon { return list[Ribbon]("ribbon_keys.json") }

// RibbonSized returns Ribbon filters of a given number of slots, size of the body, and seed that
// is tried first.
func RibbonSized() []Ribbon { return list[Ribbon]("ribbon_sized.json") }

// RibbonReader returns the answers of RocksDB's reader for 256 hashes.
func RibbonReader() []NarrowRead { return list[NarrowRead]("ribbon_reader.json") }

// Hashes returns the hashes that were added.
func (r Ribbon) Hashes() []uint64 {
	of, number, _ := strings.Cut(r.Set, ":")
	if of != "dup" && of != "cluster" {
		return Hashes(r.Seed, r.N)
	}
	var m uint32
	if _, err := fmt.Sscan(number, &m); err != nil {
		panic("vectors: unknown set of hashes " + r.Set)
	}
	inverse := uint32(1)
	for inverse*0x236a3a0d != 1 {
		inverse *= 2 - inverse*0x236a3a0d
	}
	hashes := make([]uint64, r.N)
	for i := range hashes {
		if of == "dup" {
			hashes[i] = splitmix.Value(r.Seed, uint64(i)%uint64(m))
		} else {
			hashes[i] = uint64(uint32(i)*m*inverse)<<32 | 0x5eed1234
		}
	}
	return hashes
}

// RibbonPolicy is RocksDB's result for bits per key.
type RibbonPolicy struct {
	BitsPerKey float64 `json:"bits_per_key"`
	Millibits  int     // 0 if there is no filter
	OneIn      float64 `json:"one_in_fpr,string"` // the wanted rate is 1/OneIn
}

// RibbonPolicies returns them.
func RibbonPolicies() []RibbonPolicy { return list[RibbonPolicy]("ribbon_policy.json") }

// RibbonSpace has the sizes of filters. A row has the number of keys, the upper half of the first
// hash, the number of slots before and after rounding (0 for a FastLocal filter), and the size.
type RibbonSpace struct {
	BitsPerKey float64 `json:"bits_per_key"`
	Rows       [][5]uint64
}

// RibbonSpaces returns them.
func RibbonSpaces() []RibbonSpace { return list[RibbonSpace]("ribbon_space.json") }

// ApproxEntries has the numbers of keys that a number of bytes is enough for. A row has the bytes
// and the keys.
type ApproxEntries struct {
	Kind       string  // "fastlocal", "ribbon" or "legacy"
	BitsPerKey float64 `json:"bits_per_key"`
	Rows       [][2]int
}

// ApproximateEntries returns them.
func ApproximateEntries() []ApproxEntries { return list[ApproxEntries]("approx_entries.json") }

// RibbonLevel is where a table goes, and which filter RocksDB's Ribbon policy builds for it.
type RibbonLevel struct {
	BloomBeforeLevel int    `json:"bloom_before_level"`
	Style            int    // of compaction: 0 level, 1 universal, 2 FIFO, 3 none
	Level            int    // -1 if it is unknown
	Flush            bool   // the table is flushed from memory
	Kind             string // "ribbon" or "fastlocal"
}

// RibbonLevels returns them.
func RibbonLevels() []RibbonLevel { return list[RibbonLevel]("ribbon_level.json") }
