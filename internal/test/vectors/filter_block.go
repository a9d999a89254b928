package vectors

import (
	"encoding/json"
	"fmt"
)

// FilterBlock is a filter block that LevelDB or RocksDB wrote.
type FilterBlock struct {
	Writer     string `json:"impl"` // "leveldb", or "rocksdb", whose blocks may have prefixes
	Keys       string // the keys' encoding
	BitsPerKey int    `json:"bits_per_key"`
	Prefix     int    // 0 for none, p for the first p bytes of longer keys, -p for the first p or fewer
	WholeKey   bool   `json:"whole_key"` // RocksDB's
	Steps      []FilterBlockStep
	Queries    []FilterBlockQuery // of LevelDB's
	SHA256     Hex                `json:"sha256"`
	Bytes      Hex                `json:"hex"`
}

// FilterBlockStep is the start of a data block, and the keys that are then added: Count of them
// from number From on.
type FilterBlockStep struct {
	Offset      uint64
	From, Count int
}

// UnmarshalJSON reads [offset, from, count].
func (s *FilterBlockStep) UnmarshalJSON(data []byte) error {
	return numbers(data, &s.Offset, &s.From, &s.Count)
}

// FilterBlockQuery is LevelDB's answer for a key in the data block at an offset.
type FilterBlockQuery struct {
	Offset uint64
	Key    int // its number
	Answer int // 1 for yes
}

// UnmarshalJSON reads [offset, key, answer].
func (q *FilterBlockQuery) UnmarshalJSON(data []byte) error {
	return numbers(data, &q.Offset, &q.Key, &q.Answer)
}

// numbers reads an array of as many numbers.
func numbers(data []byte, to ...any) error {
	want := len(to)
	if err := json.Unmarshal(data, &to); err != nil {
		return err
	}
	if len(to) != want {
		return fmt.Errorf("%d numbers, not %d: %s", len(to), want, data)
	}
	return nil
}

// PrefixOf returns the prefix of a key, if it has one.
func (b FilterBlock) PrefixOf(key []byte) (prefix []byte, ok bool) {
	n := b.Prefix
	if n < 0 {
		n = min(-n, len(key))
	}
	if n > len(key) {
		return nil, false
	}
	return key[:n], true
}

// LevelDBBlocks returns filter blocks of LevelDB, and of RocksDB 6.29's block-based filter.
func LevelDBBlocks() []FilterBlock { return list[FilterBlock]("leveldb_block.json") }
