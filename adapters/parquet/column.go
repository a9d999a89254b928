package parquet

import "strings"

// Column is a leaf of a file's schema.
type Column struct {
	Path   []string // of names from the schema's root, without the root's
	Type   string   // of its values in the file, by its name in parquet.thrift: "INT32", "BYTE_ARRAY"
	Length int      // of the values of a FIXED_LEN_BYTE_ARRAY, in bytes

	// Logical is what the values mean, as parquet-format's pages write it, such as "STRING", "DECIMAL(9,2)",
	// "INT(16)", "UINT(8)" or "TIMESTAMP(MILLIS,UTC)", or empty.
	Logical string
}

// Name returns the path's names joined by dots, by which functions of this package take a column.
func (c *Column) Name() string { return strings.Join(c.Path, ".") }
