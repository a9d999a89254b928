package vectors

import "fmt"

// SplitBlock has other programs' results for Parquet's split-block filters.
type SplitBlock struct {
	File struct { // of parquet-testing: zeros but for the blocks of some values
		Header Hex
		Blocks int
		Values []struct {
			Value string
			Hash  Hex64
			Block int
			Bytes Hex
		}
	}
	OneKey []struct { // the block of a filter of one, with one key
		Hash  Hex64
		Bytes Hex
	} `json:"one_key"`
	Whole []struct { // filters of Z blocks, with the seed Z's first N hashes
		Z, N  int
		XXH64 Hex64
	}
	Hashes []struct { // of values of Parquet's types
		Type  string
		Bytes Hex
		Hash  Hex64
	}
}

// SplitBlocks returns them.
func SplitBlocks() SplitBlock { return load[SplitBlock]("splitblock.json") }

// Bits returns the file's filter.
func (s *SplitBlock) Bits() []byte {
	data := make([]byte, 32*s.File.Blocks)
	for _, v := range s.File.Values {
		copy(data[32*v.Block:], v.Bytes)
	}
	return data
}

// Hex64 is a number of 64 bits, in hexadecimal digits.
type Hex64 uint64

// UnmarshalText reads it.
func (h *Hex64) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text), "%x", (*uint64)(h))
	return err
}
