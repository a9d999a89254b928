package arrow_test

import (
	"bytes"
	"fmt"
	"testing"

	arrowparquet "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// TestLogicalTypes: arrow-go's logical types are those of the footer as package parquet reads it.
func TestLogicalTypes(t *testing.T) {
	types := arrowparquet.Types
	required := arrowparquet.Repetitions.Required
	var fields schema.FieldList
	var want []string
	add := func(is string, of arrowparquet.Type, length int, l schema.LogicalType) {
		n, err := schema.NewPrimitiveNodeLogical(fmt.Sprint("c", len(fields)), required, l, of, length, -1)
		if err != nil {
			t.Fatal(err)
		}
		fields, want = append(fields, n), append(want, is)
	}
	add("", types.Int32, 0, schema.NoLogicalType{})
	add("STRING", types.ByteArray, 0, schema.StringLogicalType{})
	add("ENUM", types.ByteArray, 0, schema.EnumLogicalType{})
	add("JSON", types.ByteArray, 0, schema.JSONLogicalType{})
	add("BSON", types.ByteArray, 0, schema.BSONLogicalType{})
	add("UUID", types.FixedLenByteArray, 16, schema.UUIDLogicalType{})
	add("FLOAT16", types.FixedLenByteArray, 2, schema.Float16LogicalType{})
	add("DATE", types.Int32, 0, schema.DateLogicalType{})
	add("INTERVAL", types.FixedLenByteArray, 12, schema.IntervalLogicalType{})
	add("UINT(8)", types.Int32, 0, schema.NewIntLogicalType(8, false))
	add("INT(64)", types.Int64, 0, schema.NewIntLogicalType(64, true))
	add("DECIMAL(9,2)", types.Int32, 0, schema.NewDecimalLogicalType(9, 2))
	add("DECIMAL(30,3)", types.ByteArray, 0, schema.NewDecimalLogicalType(30, 3))
	add("TIME(MILLIS,UTC)", types.Int32, 0, schema.NewTimeLogicalType(true, schema.TimeUnitMillis))
	add("TIME(NANOS,local)", types.Int64, 0, schema.NewTimeLogicalType(false, schema.TimeUnitNanos))
	add("TIMESTAMP(MICROS,UTC)", types.Int64, 0, schema.NewTimestampLogicalType(true, schema.TimeUnitMicros))
	add("TIMESTAMP(NANOS,local)", types.Int64, 0, schema.NewTimestampLogicalType(false, schema.TimeUnitNanos))
	var sink bytes.Buffer
	w := file.NewParquetWriter(&sink, schema.MustGroup(schema.NewGroupNode("schema", required, fields, -1)))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for i, c := range opened(t, sink.Bytes()).Columns() {
		if got := c.Logical; got != want[i] {
			t.Errorf("column %d, %v: %q, want %q", i, c.Type, got, want[i])
		}
	}
}
