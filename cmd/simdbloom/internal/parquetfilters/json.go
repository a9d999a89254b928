package parquetfilters

import (
	"encoding/json"
	"io"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/inspect"
)

// fileJSON is a file's object of -json.
type fileJSON struct {
	File      string       `json:"file"`
	RowGroups int          `json:"row_groups"`
	Columns   []columnJSON `json:"columns,omitempty"`
	Column    string       `json:"column,omitempty"` // that has the values
	Values    []valueJSON  `json:"values,omitempty"`
}

type columnJSON struct {
	Name     string         `json:"name"`
	Path     []string       `json:"path"`
	Type     string         `json:"type"`
	Length   int            `json:"length,omitempty"`
	Logical  string         `json:"logical_type,omitempty"`
	Filters  int            `json:"filters"`
	Bytes    int            `json:"bytes"`
	BitsSet  float64        `json:"bits_set"`
	Values   float64        `json:"values"` // of a row group, estimated
	FPR      float64        `json:"fpr"`
	Better   int            `json:"bytes_for_rate"`
	Unusable []unusableJSON `json:"unusable,omitempty"`
}

type unusableJSON struct {
	RowGroup int    `json:"row_group"`
	Error    string `json:"error"`
}

type valueJSON struct {
	Value     string `json:"value"`
	RowGroups []int  `json:"row_groups"`     // that may have it
	Note      string `json:"note,omitempty"` // why it is in none
}

// writeJSON prints the same as show, as JSON.
func (c *Command) writeJSON(w io.Writer, name string, f *parquet.File) error {
	out := fileJSON{File: name, RowGroups: f.NumRowGroups()}
	if len(c.columns) == 1 {
		out.Column = c.columns[0]
		for _, value := range c.values {
			rowGroups, note, err := inspect.RowGroups(f, out.Column, value)
			if err != nil {
				return err
			}
			out.Values = append(out.Values, valueJSON{value, append([]int{}, rowGroups...), note})
		}
		return json.NewEncoder(w).Encode(out)
	}
	columns, err := inspect.Columns(f, c.rate)
	if err != nil {
		return err
	}
	for _, column := range columns {
		described := columnJSON{
			Name: column.Name(), Path: column.Path, Type: column.Type, Length: column.Length, Logical: column.Logical,
			Filters: column.Filters, Bytes: column.SizeBytes, BitsSet: column.Fill, Values: column.Keys, FPR: column.FPR, Better: column.Better,
		}
		for _, unusable := range column.Unusable {
			described.Unusable = append(described.Unusable, unusableJSON{unusable.RowGroup, unusable.Err.Error()})
		}
		out.Columns = append(out.Columns, described)
	}
	return json.NewEncoder(w).Encode(out)
}
