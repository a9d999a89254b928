package arrow_test

import (
	"bytes"
	"fmt"
	"log"

	arrowparquet "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/arrow"
)

// Example adds filters to a file that arrow-go wrote, and prunes its row groups.
func Example() {
	data := exampleFile([]int64{1, 2, 3}, []int64{4, 5, 6})
	reader, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		log.Fatal(err)
	}
	filters, err := arrow.Build(reader, 0.01, "id")
	if err != nil {
		log.Fatal(err)
	}
	var added bytes.Buffer
	if err := parquet.WriteWithFilters(&added, bytes.NewReader(data), int64(len(data)), filters); err != nil {
		log.Fatal(err)
	}

	r := bytes.NewReader(added.Bytes())
	if reader, err = file.NewParquetReader(r); err != nil {
		log.Fatal(err)
	}
	f, err := arrow.Open(r, r.Size(), reader.MetaData()) // arrow-go has read the footer
	if err != nil {
		log.Fatal(err)
	}
	rowGroups, err := parquet.Prune(f, "id", []int64{5, 17})
	fmt.Println("read row groups", rowGroups, err)
	// Output: read row groups [1] <nil>
}

// exampleFile returns a file of arrow-go with a column, and a row group for each of the slices.
func exampleFile(rowGroups ...[]int64) []byte {
	root := schema.MustGroup(schema.NewGroupNode("schema", arrowparquet.Repetitions.Required,
		schema.FieldList{schema.NewInt64Node("id", arrowparquet.Repetitions.Required, -1)}, -1))
	var sink bytes.Buffer
	w := file.NewParquetWriter(&sink, root)
	for _, ids := range rowGroups {
		group, err := w.AppendRowGroupChecked()
		if err != nil {
			log.Fatal(err)
		}
		column, err := group.NextColumn()
		if err == nil {
			_, err = column.(*file.Int64ColumnChunkWriter).WriteBatch(ids, nil, nil)
		}
		if err == nil {
			err = group.Close()
		}
		if err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	return sink.Bytes()
}
