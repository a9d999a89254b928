package vectors

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/simdbloom/simdbloom/internal/test/splitmix"
)

// Narrow is one filter of a format whose hashes have 32 bits.
type Narrow struct {
	Keys          string  // the keys' encoding, if hashes were not given
	Seed          uint64  // of the hashes, if they were
	N             int     // how many
	BitsPerKey    float64 `json:"bits_per_key"`
	TotalLen      int     `json:"total_len"`
	NumProbes     int     `json:"num_probes"`
	NumLines      int     `json:"num_lines"` // 0 if there are none, or the file does not say
	Trailer       Hex     `json:"trailer_hex"`
	SHA256        Hex
	Bytes         Hex  `json:"hex"`             // only of short ones
	SameAsRocksDB bool `json:"same_as_rocksdb"` // of Pebble's
	answers
}

// NarrowRead has a reader's answers for bytes of a given content and a trailer.
type NarrowRead struct {
	BodyLen  int    `json:"body_len"`
	BodyFill string `json:"body_fill"`
	Trailer  Hex    `json:"trailer_hex"` // RocksDB's
	HasK     bool   `json:"has_k"`       // LevelDB's
	K        int
	Ones     int // of 256 answers
	answers
}

// answers are a reader's answers, in order.
type answers struct {
	FalsePositives int    `json:"false_positives"`
	First          string `json:"answers64"` // '1' or '0'
	Sum            Hex    `json:"answers_sha256"`
}

// CheckAnswers returns an error for other answers than the original's.
func (a answers) CheckAnswers(hits []bool) error {
	bitmap := make([]byte, (len(hits)+7)/8)
	for i, hit := range hits {
		if hit {
			bitmap[i/8] |= 1 << (i % 8)
		}
		if i < len(a.First) && hit != (a.First[i] == '1') {
			return fmt.Errorf("answer %d is %v", i, hit)
		}
	}
	if sum := sha256.Sum256(bitmap); !bytes.Equal(sum[:], a.Sum) {
		return fmt.Errorf("the answers' SHA-256 is %x, not %x", sum, a.Sum)
	}
	return nil
}

// Data returns the bytes that were read.
func (r NarrowRead) Data() []byte {
	body := make([]byte, (r.BodyLen+7)/8*8)
	for i := 0; i < len(body); i += 8 {
		word := uint64(0)
		switch r.BodyFill {
		case "ff":
			word = ^word
		case "mix":
			word = splitmix.Value(0xf111, uint64(i/8))
		case "dense":
			word = splitmix.Value(0xf111, uint64(i/8)) | splitmix.Value(0xf112, uint64(i/8))
		}
		binary.LittleEndian.PutUint64(body[i:], word)
	}
	data := append(body[:r.BodyLen], r.Trailer...)
	if r.HasK {
		data = append(data, byte(r.K))
	}
	return data
}

// LegacyRaw returns RocksDB's legacy filters of given hashes.
func LegacyRaw() []Narrow { return list[Narrow]("legacy_raw.json") }

// LegacyKeys returns RocksDB's legacy filters of given keys.
func LegacyKeys() []Narrow { return list[Narrow]("legacy_keys.json") }

// PebbleKeys returns the filters of Pebble's own policy.
func PebbleKeys() []Narrow { return list[Narrow]("pebble_keys.json") }

// LevelDBKeys returns LevelDB's filters of given keys.
func LevelDBKeys() []Narrow { return list[Narrow]("leveldb_keys.json") }

// LegacyReader returns the answers of RocksDB's reader for 256 hashes.
func LegacyReader() []NarrowRead { return list[NarrowRead]("legacy_reader.json") }

// LevelDBReader returns the answers of LevelDB's reader for the "user8" keys 0 to 255.
func LevelDBReader() []NarrowRead { return list[NarrowRead]("leveldb_reader.json") }

// LegacySpace has the sizes of RocksDB's legacy filters.
type LegacySpace struct {
	BitsPerKey float64     `json:"bits_per_key"`
	Rows       [][2]uint64 // a number of keys, and the size
}

// LegacySpaces returns them.
func LegacySpaces() []LegacySpace { return list[LegacySpace]("legacy_space.json") }

// KeyHash32 is the 32-bit hashes of a key, named as in KeyHash.
type KeyHash32 struct {
	Len              int
	RocksDB, LevelDB Hex32
}

// Hashes32 returns 32-bit hashes of keys.
func Hashes32() []KeyHash32 { return list[KeyHash32]("hash32.json") }

// Hex32 is a number that is written in hexadecimal.
type Hex32 uint32

// UnmarshalText reads it.
func (h *Hex32) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text), "%x", (*uint32)(h))
	return err
}
