package parquet

import (
	"cmp"
	"slices"

	"github.com/simdbloom/simdbloom/adapters/parquet/internal/thrift"
)

// location is where a filter will be: what two fields of a column chunk's metadata say of it.
type location struct {
	at     place // of the metadata in the footer
	offset int64
	length int
}

// withLocations returns a copy of the footer in which column chunks have filters at other
// locations. All other fields stay as they are, also those that nobody knows yet.
func withLocations(footer []byte, locations []location) []byte {
	slices.SortFunc(locations, func(a, b location) int { return cmp.Compare(a.at.from, b.at.from) })
	changed := make([]byte, 0, len(footer)+16*len(locations))
	end := 0
	for _, l := range locations {
		changed = append(changed, footer[end:l.at.from]...)
		changed = appendColumnMetaData(changed, footer[l.at.from:l.at.to], l)
		end = l.at.to
	}
	return append(changed, footer[end:]...)
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
		if id != metaFilterOffset && id != metaFilterLength {
			fields = append(fields, field{id, t, r.Span(from)})
		}
	}
	fields = append(fields,
		field{metaFilterOffset, thrift.I64, thrift.AppendInt(nil, l.offset)},
		field{metaFilterLength, thrift.I32, thrift.AppendInt(nil, int64(l.length))})
	slices.SortStableFunc(fields, func(a, b field) int { return cmp.Compare(a.id, b.id) })
	last := int16(0)
	for _, f := range fields {
		dst = append(thrift.AppendField(dst, last, f.id, f.of), f.value...)
		last = f.id
	}
	return append(dst, byte(thrift.Stop))
}
