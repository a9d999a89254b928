package arrow_test

import (
	"bytes"
	"strings"
	"testing"

	arrowparquet "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/arrow"
)

// TestNamesWithDots: of two columns with the same path, none is taken silently.
func TestNamesWithDots(t *testing.T) {
	required := arrowparquet.Repetitions.Required
	leaf := func(name string) schema.Node { return schema.NewInt64Node(name, required, -1) }
	group := schema.MustGroup(schema.NewGroupNode("c", required, schema.FieldList{leaf("d"), leaf("e.f")}, -1))
	root := schema.MustGroup(schema.NewGroupNode("schema", required, schema.FieldList{leaf("a.b"), group, leaf("c.d")}, -1))
	var sink bytes.Buffer
	w := file.NewParquetWriter(&sink, root)
	rows, err := w.AppendRowGroupChecked()
	if err != nil {
		t.Fatal(err)
	}
	for i := range int64(4) {
		c, err := rows.NextColumn()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.(*file.Int64ColumnChunkWriter).WriteBatch([]int64{i}, nil, nil); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	filters, err := arrow.Build(reader(t, sink.Bytes()), 0.001, "a.b", "c.e.f")
	if err != nil {
		t.Fatal(err)
	}
	var changed bytes.Buffer
	if err := parquet.WriteWithFilters(&changed, bytes.NewReader(sink.Bytes()), int64(sink.Len()), filters); err != nil {
		t.Fatal(err)
	}
	f := opened(t, changed.Bytes())
	for column, value := range map[string]int64{"a.b": 0, "c.e.f": 2} {
		for v := range int64(4) {
			if got, err := parquet.Prune(f, column, []int64{v}); err != nil || (len(got) == 1) != (v == value) {
				t.Errorf("%s: %d is in %v, %v", column, v, got, err)
			}
		}
	}
	if _, err := arrow.Build(reader(t, sink.Bytes()), 0.001, "c.d"); err == nil || !strings.Contains(err.Error(), `two columns are named "c.d"`) {
		t.Error(err)
	}
}
