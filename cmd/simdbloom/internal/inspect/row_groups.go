package inspect

import (
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom/adapters/parquet"
)

// WriteRowGroups writes which row groups may have each of the values, which are text as [RowGroups] reads it, and how
// many row groups have no filter.
func WriteRowGroups(w io.Writer, f *parquet.File, column string, values []string) error {
	for _, value := range values {
		rowGroups, note, err := RowGroups(f, column, value)
		if err != nil {
			return err
		}
		if note != "" {
			note = " (" + note + ")"
		}
		if _, err := fmt.Fprintf(w, "%s: may be in %d of %d row groups: %v%s\n", value, len(rowGroups), f.NumRowGroups(), rowGroups, note); err != nil {
			return err
		}
	}
	i, err := f.Column(column)
	if err != nil {
		return err
	}
	without := 0
	for _, unusable := range f.Unusable() { // lookups have read all headers
		if unusable.Column == i {
			without++
		}
	}
	for g := range f.NumRowGroups() {
		if !f.HasFilter(g, i) {
			without++
		}
	}
	if without > 0 {
		_, err = fmt.Fprintf(w, "%d of %d row groups have no usable filter: they may have any value\n", without, f.NumRowGroups())
	}
	return err
}
