package inspect

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/simdbloom/simdbloom/adapters/parquet"
)

// WriteRowGroups writes which row groups may have each of the values, which are text: numbers as Go has them, the bytes of BYTE_ARRAY as they are, and those of FIXED_LEN_BYTE_ARRAY and INT96 in
// hexadecimal digits.
func WriteRowGroups(w io.Writer, f *parquet.File, column string, values []string) error {
	for _, value := range values {
		rowGroups, err := RowGroups(f, column, value)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s: may be in %d of %d row groups: %v\n", value, len(rowGroups), f.NumRowGroups(), rowGroups); err != nil {
			return err
		}
	}
	return nil
}

// RowGroups returns the row groups that may have the value, which is text as WriteRowGroups takes it.
func RowGroups(f *parquet.File, column, value string) ([]int, error) {
	index, err := f.Column(column)
	if err != nil {
		return nil, err
	}
	switch f.Columns()[index].Type {
	case parquet.Int32:
		return prune(f, column, value, func(s string) (int32, error) {
			v, err := strconv.ParseInt(s, 0, 32)
			return int32(v), err
		})
	case parquet.Int64:
		return prune(f, column, value, func(s string) (int64, error) { return strconv.ParseInt(s, 0, 64) })
	case parquet.Int96:
		return prune(f, column, value, func(s string) (v [12]byte, err error) {
			n, err := hex.Decode(v[:], []byte(s[:min(len(s), 2*len(v))]))
			if err == nil && (n != len(v) || len(s) != 2*n) {
				err = fmt.Errorf("%q are not 24 hexadecimal digits", s)
			}
			return v, err
		})
	case parquet.Float:
		return prune(f, column, value, func(s string) (float32, error) {
			v, err := strconv.ParseFloat(s, 32)
			return float32(v), err
		})
	case parquet.Double:
		return prune(f, column, value, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
	case parquet.FixedLenByteArray:
		return prune(f, column, value, hex.DecodeString)
	case parquet.Boolean:
		return nil, fmt.Errorf("column %q is BOOLEAN, whose values filters do not tell apart", column)
	default:
		return prune(f, column, value, func(s string) (string, error) { return s, nil })
	}
}

func prune[T parquet.Value](f *parquet.File, column, value string, parse func(string) (T, error)) ([]int, error) {
	v, err := parse(value)
	var number *strconv.NumError
	if errors.As(err, &number) {
		return nil, fmt.Errorf("column %q: %q is not a number of the column's type: %w", column, value, number.Err)
	}
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", column, err)
	}
	return parquet.Prune(f, column, []T{v})
}
