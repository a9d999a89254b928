package main

import (
	"os"

	arrowparquet "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// writeArrow writes a file with arrow-go, and with its filters.
func writeArrow(path string, n, version, rows int, mail string) error {
	id, repetition := schema.NewInt64Node("id", arrowparquet.Repetitions.Required, -1), arrowparquet.Repetitions.Optional
	if version == 0 {
		id, repetition = schema.NewInt32Node("id", arrowparquet.Repetitions.Required, -1), arrowparquet.Repetitions.Required
	}
	fields := schema.FieldList{id, schema.NewByteArrayNode(mail, repetition, -1)}
	if version == 2 {
		fields = append(fields, schema.NewByteArrayNode("country", arrowparquet.Repetitions.Required, -1))
	}
	root, err := schema.NewGroupNode("row", arrowparquet.Repetitions.Required, fields, -1)
	if err != nil {
		return err
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	perGroup := (rows + rowGroups - 1) / rowGroups
	properties := arrowparquet.NewWriterProperties(
		arrowparquet.WithBloomFilterEnabledFor("id", true), arrowparquet.WithBloomFilterEnabledFor(mail, true),
		arrowparquet.WithBloomFilterNDVFor("id", int64(perGroup)), arrowparquet.WithBloomFilterNDVFor(mail, int64(perGroup)))
	w := file.NewParquetWriter(out, root, file.WithWriterProps(properties))
	for from := 0; from < rows; from += perGroup {
		group, err := w.AppendRowGroupChecked()
		if err != nil {
			return err
		}
		for column := range fields {
			c, err := group.NextColumn()
			if err != nil {
				return err
			}
			if err := writeColumn(c, column, n, version, from, min(from+perGroup, rows)); err != nil {
				return err
			}
			if err := c.Close(); err != nil {
				return err
			}
		}
		if err := group.Close(); err != nil {
			return err
		}
	}
	return w.Close()
}

func writeColumn(c file.ColumnChunkWriter, column, n, version, from, to int) (err error) {
	var narrow []int32
	var ids []int64
	var texts []arrowparquet.ByteArray
	var levels []int16
	for i := from; i < to; i++ {
		k := keyOf(n, i, version)
		narrow, ids = append(narrow, int32(k.id)), append(ids, k.id)
		if column == 2 {
			k.mail = "NL"
		}
		levels = append(levels, 0)
		if k.mail != "" {
			levels[len(levels)-1] = 1
			texts = append(texts, arrowparquet.ByteArray(k.mail))
		}
	}
	if c.Descr().MaxDefinitionLevel() == 0 {
		levels = nil
	}
	switch c := c.(type) {
	case *file.Int32ColumnChunkWriter:
		_, err = c.WriteBatch(narrow, nil, nil)
	case *file.Int64ColumnChunkWriter:
		_, err = c.WriteBatch(ids, nil, nil)
	case *file.ByteArrayColumnChunkWriter:
		_, err = c.WriteBatch(texts, levels, nil)
	}
	return err
}
