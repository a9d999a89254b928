package parquetgo_test

import (
	"bytes"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"
)

// TestLogicalTypes: parquet-go's logical types are those of the footer as package parquet reads it.
func TestLogicalTypes(t *testing.T) {
	nodes := map[string]parquetgo.Node{
		"INT(32)": parquetgo.Leaf(parquetgo.Int32Type), "STRING": parquetgo.String(), "ENUM": parquetgo.Enum(), "JSON": parquetgo.JSON(), "BSON": parquetgo.BSON(),
		"UUID": parquetgo.UUID(), "DATE": parquetgo.Date(), "INT(8)": parquetgo.Int(8), "UINT(64)": parquetgo.Uint(64),
		"DECIMAL(9,2)":           parquetgo.Decimal(2, 9, parquetgo.Int32Type),
		"DECIMAL(20,3)":          parquetgo.Decimal(3, 20, parquetgo.FixedLenByteArrayType(9)),
		"TIME(MILLIS,UTC)":       parquetgo.Time(parquetgo.Millisecond),
		"TIMESTAMP(MICROS,UTC)":  parquetgo.Timestamp(parquetgo.Microsecond),
		"TIMESTAMP(NANOS,local)": parquetgo.TimestampAdjusted(parquetgo.Nanosecond, false),
	}
	var sink bytes.Buffer
	w := parquetgo.NewWriter(&sink, parquetgo.NewSchema("schema", parquetgo.Group(nodes)))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range opened(t, sink.Bytes()).Columns() {
		if got := c.Logical; got != c.Name() {
			t.Errorf("%v: %q, want %q", c.Type, got, c.Name())
		}
	}
}
