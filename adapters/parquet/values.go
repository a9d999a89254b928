package parquet

import (
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Value is a type that a column's values have in Go: int32 or uint32 for INT32, int64 or uint64 for INT64, [12]byte for
// INT96, float32 for FLOAT, float64 for DOUBLE, string or []byte for BYTE_ARRAY and FIXED_LEN_BYTE_ARRAY. What they
// mean to the logical type does not matter: a DATE is an int32, a TIMESTAMP an int64, a UUID 16 bytes, and a DECIMAL
// what the column's physical type has.
//
// BOOLEAN is missing: the specification does not say how its values are hashed, and writers differ. parquet-go
// v0.32.0 hashes eight values at once, so its filters of BOOLEAN columns lack values that are there.
type Value interface {
	int32 | uint32 | int64 | uint64 | [12]byte | float32 | float64 | string | []byte
}

// AppendHashes appends the hashes of values, by which filters have them, and returns the extended slice: XXH64 of
// each value's PLAIN encoding, without the length of BYTE_ARRAY. NULLs are in no filter.
//
// For strings as Apache Arrow has them, and for NULLs between values, AppendColumn of keyhash.XX64 appends
// the same hashes.
func AppendHashes[T Value](dst []uint64, values []T) []uint64 {
	switch values := any(values).(type) {
	case []int32:
		return keyhash.XX64.AppendColumn(dst, keyhash.Values(values))
	case []uint32:
		return keyhash.XX64.AppendColumn(dst, keyhash.Values(values))
	case []int64:
		return keyhash.XX64.AppendColumn(dst, keyhash.Values(values))
	case []uint64:
		return keyhash.XX64.AppendColumn(dst, keyhash.Values(values))
	case []float32:
		return keyhash.XX64.AppendColumn(dst, keyhash.Values(values))
	case []float64:
		return keyhash.XX64.AppendColumn(dst, keyhash.Values(values))
	case [][12]byte:
		for i := range values {
			dst = append(dst, keyhash.XX64.Sum64(values[i][:]))
		}
	case []string:
		for _, v := range values {
			dst = append(dst, keyhash.XX64.Sum64String(v))
		}
	case [][]byte:
		return keyhash.XX64.AppendHashes(dst, values)
	}
	return dst
}

// sought returns the hashes that values may be in filters by, or all if they are too many to look up.
func sought[T Value](values []T) (hashes []uint64, all bool) {
	hashes = AppendHashes(make([]uint64, 0, len(values)), values)
	switch values := any(values).(type) {
	case []float32:
		return withZeros(hashes, values)
	case []float64:
		return withZeros(hashes, values)
	}
	return hashes, false
}

// withZeros adds both zeros if one of them is sought: they are equal, but not in filters. A NaN may be there with
// any of many bits.
func withZeros[T float32 | float64](hashes []uint64, values []T) (_ []uint64, nan bool) {
	zero := false
	for _, v := range values {
		zero, nan = zero || v == 0, nan || v != v
	}
	if zero {
		hashes = AppendHashes(hashes, []T{0, T(math.Copysign(0, -1))})
	}
	return hashes, nan
}

// fits returns an error if values are not of the column's type.
func fits[T Value](c *footer.Column, values []T) error {
	var ok bool
	switch any(values).(type) {
	case []int32, []uint32:
		ok = c.Type == footer.Int32
	case []int64, []uint64:
		ok = c.Type == footer.Int64
	case [][12]byte:
		ok = c.Type == footer.Int96
	case []float32:
		ok = c.Type == footer.Float
	case []float64:
		ok = c.Type == footer.Double
	case []string, [][]byte:
		ok = c.Type == footer.ByteArray || c.Type == footer.FixedLenByteArray
	}
	if !ok {
		return fmt.Errorf("parquet: column %q is %v, and values of it cannot be %T", c.Name(), c.Type, values)
	}
	if c.Type != footer.FixedLenByteArray {
		return nil
	}
	for _, v := range values {
		length := 0
		switch v := any(v).(type) {
		case string:
			length = len(v)
		case []byte:
			length = len(v)
		}
		if length != c.Length {
			return fmt.Errorf("parquet: column %q has %d-byte values, got %d bytes", c.Name(), c.Length, length)
		}
	}
	return nil
}
