package parquet

import "github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"

// WriteOption is a setting of [WriteWithFilters] and [AddFilters]. A nil one changes nothing.
type WriteOption func(*writing)

type writing struct{ anyType bool }

// WithAnyType allows filters of columns for which DuckDB 1.5.6 gives wrong results with right filters, because it
// hashes other bytes than the file has: BYTE_ARRAY and FIXED_LEN_BYTE_ARRAY that it reads as BLOB, FLOAT16, and FLOAT
// and DOUBLE with NaN or, if a filter has only one of them, +0 and -0. Give it if no such reader
// reads the file.
func WithAnyType() WriteOption {
	return func(w *writing) { w.anyType = true }
}

// misread reports whether the column has one of WithAnyType's types.
func misread(c *footer.Column) bool {
	switch c.Type {
	case footer.Float, footer.Double:
		return true
	case footer.ByteArray:
		return c.Logical.Kind == footer.NoLogical || c.Logical.Kind == footer.BSON
	case footer.FixedLenByteArray:
		return c.Logical.Kind == footer.NoLogical || c.Logical.Kind == footer.Float16
	}
	return false
}
