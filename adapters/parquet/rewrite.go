package parquet

import (
	"cmp"
	"slices"

	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/thrift"
)

// location is where a filter will be, for two fields of a column chunk's metadata.
type location struct {
	at     footer.Place // of the metadata in the footer
	offset int64
	length int
}

// withLocations returns a copy of the footer in which column chunks have filters at other
// locations. All other fields stay as they are, also those that nobody knows yet.
func withLocations(foot []byte, locations []location) []byte {
	slices.SortFunc(locations, func(a, b location) int { return cmp.Compare(a.at.From, b.at.From) })
	changed := make([]byte, 0, len(foot)+16*len(locations))
	end := 0
	for _, l := range locations {
		changed = append(changed, foot[end:l.at.From]...)
		changed = appendColumnMetaData(changed, foot[l.at.From:l.at.To], l)
		end = l.at.To
	}
	return append(changed, foot[end:]...)
}

// field is a field of a struct, with the bytes of its value.
type field struct {
	id    int16
	of    thrift.Type
	value []byte
}

// appendColumnMetaData appends a ColumnMetaData with another location of the filter.
func appendColumnMetaData(dst, metadata []byte, l location) []byte {
	r := thrift.NewReader(metadata)
	var fields []field
	for id, t := r.Field(0); t != thrift.Stop; id, t = r.Field(id) {
		from := r.At()
		r.Skip(t)
		if id != footer.FilterOffsetField && id != footer.FilterLengthField {
			fields = append(fields, field{id, t, r.Span(from)})
		}
	}
	fields = append(fields,
		field{footer.FilterOffsetField, thrift.I64, thrift.AppendInt(nil, l.offset)},
		field{footer.FilterLengthField, thrift.I32, thrift.AppendInt(nil, int64(l.length))})
	slices.SortStableFunc(fields, func(a, b field) int { return cmp.Compare(a.id, b.id) })
	last := int16(0)
	for _, f := range fields {
		dst = append(thrift.AppendField(dst, last, f.id, f.of), f.value...)
		last = f.id
	}
	return append(dst, byte(thrift.Stop))
}
