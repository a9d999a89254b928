package footer

import (
	"math"
	"slices"
	"strings"

	"github.com/simdbloom/simdbloom/keyhash"
)

// Type is the physical type of a column, as numbered in parquet.thrift.
type Type int32

// The physical types.
const (
	Boolean Type = iota
	Int32
	Int64
	Int96
	Float
	Double
	ByteArray
	FixedLenByteArray
)

var typeNames = [...]string{"BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"}

// String returns the type's name in parquet.thrift.
func (t Type) String() string {
	if t < 0 || int(t) >= len(typeNames) {
		return "an unknown type"
	}
	return typeNames[t]
}

// Column is a leaf of a file's schema.
type Column struct {
	Path    []string // of names from the schema's root, without the root's
	Type    Type     // of its values in the file
	Length  int      // of the values of a FixedLenByteArray, in bytes
	Logical Logical  // meaning of the values
}

// Name returns the path's names joined by dots.
func (c *Column) Name() string { return strings.Join(c.Path, ".") }

// AppendZeros appends the hash of -0 if hashes has that of 0, and of 0 if it has that of -0, for a column of FLOAT,
// DOUBLE or FLOAT16; for others it appends nothing. The two are equal, but not in a filter, and readers may look up one
// of them only.
func (c *Column) AppendZeros(hashes []uint64) []uint64 {
	var zeros []uint64
	switch {
	case c.Type == Float:
		zeros = keyhash.XX64.AppendColumn(nil, keyhash.Values([]float32{0, float32(math.Copysign(0, -1))}))
	case c.Type == Double:
		zeros = keyhash.XX64.AppendColumn(nil, keyhash.Values([]float64{0, math.Copysign(0, -1)}))
	case c.Logical.Kind == Float16:
		zeros = []uint64{keyhash.XX64.Sum64String("\x00\x00"), keyhash.XX64.Sum64String("\x00\x80")}
	default:
		return hashes
	}
	for i, zero := range zeros {
		if slices.Contains(hashes, zero) && !slices.Contains(hashes, zeros[1-i]) {
			return append(hashes, zeros[1-i])
		}
	}
	return hashes
}

// Chunk is a column in a row group, as far as filters need it.
type Chunk struct {
	Values       int64 // NULLs included
	FilterOffset int64 // in the file, or 0 if it has no filter that can be read
	FilterLength int   // of header and bits, or 0 if the file does not say it

	Codec     int    // its compression, as numbered in parquet.thrift
	Encodings uint32 // of its data pages: bit i is set for encoding i of parquet.thrift, or for all of the chunk if it does not say of which pages
}
