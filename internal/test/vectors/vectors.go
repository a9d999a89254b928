// Package vectors has the test vectors: the output of RocksDB's and Speedb's own code for
// known inputs. Only tests import it.
//
// The original programs were run on hashes and keys that can be made again (Hashes, Keys).
// Their output is in testdata; each file's notes say how it was made.
package vectors

import (
	"embed"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/simdbloom/simdbloom/internal/test/splitmix"
)

//go:embed testdata
var files embed.FS

// NegativeSeed is the seed of the hashes that are queried but never added.
const NegativeSeed = 0x00C0FFEE

// Negatives is the number of these hashes that false positives are counted among.
const Negatives = 100_000

// Hashes returns splitmix64's first n values from the seed.
func Hashes(seed uint64, n int) []uint64 {
	hashes := make([]uint64, n)
	for i := range hashes {
		hashes[i] = splitmix.Value(seed, uint64(i))
	}
	return hashes
}

// Sum is an order-independent checksum of a set of hashes. Sorting them instead would take
// most of the tests' time.
type Sum struct {
	n                   int
	ofHashes, ofSquares uint64
}

// SumOf returns that of hashes.
func SumOf(hashes []uint64) Sum {
	s := Sum{n: len(hashes)}
	for _, hash := range hashes {
		s.ofHashes += hash
		s.ofSquares += hash * hash
	}
	return s
}

// Keys returns the keys from one number up to another: "le64" and "le32" are the
// number's bytes, little-endian, "user8" is "user:" and eight digits. "bin" are 1 to 24 random
// bytes, "group" shares prefixes, and "short" has 0 to 4 bytes; the notes of the files that
// use them say how.
func Keys(encoding string, from, to int) [][]byte {
	keys := make([][]byte, 0, to-from)
	for i := from; i < to; i++ {
		switch encoding {
		case "le64":
			keys = append(keys, binary.LittleEndian.AppendUint64(nil, uint64(i)))
		case "le32":
			keys = append(keys, binary.LittleEndian.AppendUint32(nil, uint32(i)))
		case "user8":
			keys = append(keys, fmt.Appendf(nil, "user:%08d", i))
		case "group":
			keys = append(keys, fmt.Appendf(nil, "g%05d.k%03d", i/13, i%13))
		case "short":
			keys = append(keys, []byte("abcd")[:i/2%5])
		case "bin":
			var key []byte
			for word := range 3 {
				key = binary.LittleEndian.AppendUint64(key, splitmix.Value(0xb17e5, uint64(3*i+word)))
			}
			keys = append(keys, key[:1+i%24])
		default:
			panic("vectors: unknown encoding of keys " + encoding)
		}
	}
	return keys
}

// FirstNegativeKey is the number of the first key that is queried but never added.
const FirstNegativeKey = 10_000_000

// Built is one filter that was built.
type Built struct {
	Keys           string  // the keys' encoding, if hashes were not given
	Seed           uint64  // of the hashes, if they were
	N              int     // how many
	BitsPerKey     float64 `json:"bits_per_key"`
	IsBottommost   bool    `json:"is_bottommost"`
	TotalLen       int     `json:"total_len"`
	NumProbes      int     `json:"num_probes"` // 0 where there is no filter
	Trailer        Hex     `json:"trailer_hex"`
	SHA256         Hex     `json:"sha256"`
	FalsePositives int     `json:"false_positives"`
	Bytes          Hex     `json:"hex"` // only of short ones
}

// Read has a reader's answers for bytes that are a repeated byte and a trailer.
type Read struct {
	TotalLen int    `json:"total_len"`
	BodyLen  int    `json:"body_len"`
	BodyFill byte   `json:"body_fill"`
	Trailer  Hex    `json:"trailer_hex"`
	Matches  string // '1' or '0' for each of the first negatives
}

// Data returns the bytes that were read.
func (r Read) Data() []byte {
	data := make([]byte, r.BodyLen, r.TotalLen)
	for i := range data {
		data[i] = r.BodyFill
	}
	return append(data, r.Trailer...)
}

// Space is the size of a filter.
type Space struct {
	Millibits    int
	N            uint64
	IsBottommost int    `json:"is_bottommost"`
	TotalLen     uint64 `json:"total_len"`
}

// Schema is one check of RocksDB's FullBloomTest.Schema.
type Schema struct {
	BitsPerKey float64 `json:"bits_per_key"`
	From, To   int     // the keys' numbers, "le32"
	NumProbes  int     `json:"num_probes"`
	TotalLen   int     `json:"total_len"`
	BloomHash  uint32  // hashing.Signed32 of the filter
	FirstFPs   []int   `json:"first_fps"` // of the keys from FirstFPKey on
}

// FirstFPKey is the number of the first key among which Schema counts false positives.
const FirstFPKey = 1_000_000

// KeyHash is the hash of a key of the given length, whose byte j is
// (131j + 7len) mod 256.
type KeyHash struct {
	Len  int
	Hash string // 16 hexadecimal digits
}

// FastLocalRaw returns RocksDB's filters of given hashes.
func FastLocalRaw() []Built { return list[Built]("fastlocal_raw.json") }

// FastLocalKeys returns RocksDB's filters of given keys, hashed with XXPH3.
func FastLocalKeys() []Built { return list[Built]("fastlocal_keys.json") }

// FastLocalReader returns the answers of RocksDB's reader for many trailers.
func FastLocalReader() []Read { return list[Read]("fastlocal_reader.json") }

// FastLocalSchema returns the constants of RocksDB's own test.
func FastLocalSchema() []Schema { return list[Schema]("fastlocal_schema.json") }

// Paired32Raw returns Speedb's filters of given hashes.
func Paired32Raw() []Built { return list[Built]("paired32_raw.json") }

// Paired32Keys returns Speedb's filters of given keys, hashed with XXPH3.
func Paired32Keys() []Built { return list[Built]("paired32_keys.json") }

// Paired32Reader returns the answers of Speedb's reader for many trailers.
func Paired32Reader() []Read { return list[Read]("paired32_reader.json") }

// Paired128Raw returns the filters of Speedb's code compiled for batches of 128.
func Paired128Raw() []Built { return list[Built]("paired128_raw.json") }

// Paired21Keys returns the filters of Speedb 2.1.1, which rounds all of them down, of given keys, hashed with XXPH3.
func Paired21Keys() []Built { return list[Built]("paired21_keys.json") }

// XXPH3 returns hashes of keys.
func XXPH3() []KeyHash { return list[KeyHash]("xxph3_keyhash.json") }

// Spaces returns the sizes under a name: "rocksdb_fastlocal", "speedb_paired_b32"
// or "speedb_paired_b128".
func Spaces(name string) []Space { return load[map[string][]Space]("calculate_space.json")[name] }

// NumProbes returns, under one of the same names, pairs of the first number of
// bits per key in thousandths that a number of probes applies to, and that number.
func NumProbes(name string) [][2]int {
	return load[struct{ Tables map[string][][2]int }]("num_probes.json").Tables[name]
}

// User1000 returns the filter block of a RocksDB table with the 1,000 "user8"
// keys from 0 at 10 bits per key.
func User1000() []byte { return read("user1000.sst.filter") }

// Hex is bytes that are written in hexadecimal.
type Hex []byte

// UnmarshalText reads them.
func (h *Hex) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

func list[T any](name string) []T { return load[struct{ Vectors []T }](name).Vectors }

func load[T any](name string) (v T) {
	if err := json.Unmarshal(read(name), &v); err != nil {
		panic("vectors: " + name + ": " + err.Error())
	}
	return v
}

func read(name string) []byte {
	data, err := files.ReadFile("testdata/" + name)
	if err != nil {
		panic("vectors: " + err.Error())
	}
	return data
}
