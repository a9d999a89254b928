package footer

import (
	"fmt"

	"github.com/simdbloom/simdbloom/adapters/parquet/internal/thrift"
)

// Kind is the logical type of a column's values, by the names of parquet.thrift.
type Kind int

// The kinds of logical types.
const (
	NoLogical Kind = iota // values of the physical type, or with a logical type that is not listed here
	String
	Enum
	JSON
	BSON
	UUID
	Float16
	Integer
	Decimal
	Date
	Time
	Timestamp
	Interval
)

var kindNames = [...]string{"", "STRING", "ENUM", "JSON", "BSON", "UUID", "FLOAT16", "INT", "DECIMAL", "DATE", "TIME", "TIMESTAMP", "INTERVAL"}

// Logical is a column's logical type.
type Logical struct {
	Kind             Kind // meaning of the values
	Bits             int  // of an Integer: 8, 16, 32 or 64
	Unsigned         bool // of an Integer
	Precision, Scale int  // of a Decimal, in decimal digits
	PerSecond        int  // the units of a Time or Timestamp in a second: 1e3, 1e6 or 1e9
	UTC              bool // a Time or Timestamp is in UTC, and otherwise local
}

// String returns the type as parquet-format's pages write it, or "" if there is none.
func (l Logical) String() string {
	name := kindNames[l.Kind]
	switch l.Kind {
	case Integer:
		if l.Unsigned {
			name = "UINT"
		}
		return fmt.Sprintf("%s(%d)", name, l.Bits)
	case Decimal:
		return fmt.Sprintf("%s(%d,%d)", name, l.Precision, l.Scale)
	case Time, Timestamp:
		zone := "local"
		if l.UTC {
			zone = "UTC"
		}
		return fmt.Sprintf("%s(%s,%s)", name, map[int]string{1e3: "MILLIS", 1e6: "MICROS", 1e9: "NANOS"}[l.PerSecond], zone)
	}
	return name
}

// Of returns l for a column of the physical type, whose values have the given length if that is fixed, or the zero
// Logical if such a column cannot have it.
func (l Logical) Of(t Type, length int) Logical {
	ok := false
	switch l.Kind {
	case String, Enum, JSON, BSON:
		ok = t == ByteArray
	case UUID:
		ok = t == FixedLenByteArray && length == 16
	case Float16:
		ok = t == FixedLenByteArray && length == 2
	case Interval:
		ok = t == FixedLenByteArray && length == 12
	case Integer:
		ok = t == Int32 && (l.Bits == 8 || l.Bits == 16 || l.Bits == 32) || t == Int64 && l.Bits == 64
	case Decimal:
		ok = t == Int32 || t == Int64 || t == ByteArray || t == FixedLenByteArray
	case Date:
		ok = t == Int32
	case Time:
		ok = t == Int32 && l.PerSecond == 1e3 || t == Int64 && (l.PerSecond == 1e6 || l.PerSecond == 1e9)
	case Timestamp:
		ok = t == Int64 && (l.PerSecond == 1e3 || l.PerSecond == 1e6 || l.PerSecond == 1e9)
	}
	if !ok {
		return Logical{}
	}
	return l
}

// Converted returns the logical type of a ConvertedType of parquet.thrift, which old writers have in place of it.
func Converted(of, precision, scale int) Logical {
	switch of {
	case 0:
		return Logical{Kind: String}
	case 4:
		return Logical{Kind: Enum}
	case 5:
		return Logical{Kind: Decimal, Precision: precision, Scale: scale}
	case 6:
		return Logical{Kind: Date}
	case 7:
		return Logical{Kind: Time, PerSecond: 1e3, UTC: true}
	case 8:
		return Logical{Kind: Time, PerSecond: 1e6, UTC: true}
	case 9:
		return Logical{Kind: Timestamp, PerSecond: 1e3, UTC: true}
	case 10:
		return Logical{Kind: Timestamp, PerSecond: 1e6, UTC: true}
	case 11, 12, 13, 14:
		return Logical{Kind: Integer, Bits: 8 << (of - 11), Unsigned: true}
	case 15, 16, 17, 18:
		return Logical{Kind: Integer, Bits: 8 << (of - 15)}
	case 19:
		return Logical{Kind: JSON}
	case 20:
		return Logical{Kind: BSON}
	case 21:
		return Logical{Kind: Interval}
	}
	return Logical{}
}

// logicalKinds are the members of the union LogicalType.
var logicalKinds = map[int16]Kind{
	1: String, 4: Enum, 5: Decimal, 6: Date, 7: Time, 8: Timestamp, 10: Integer, 12: JSON, 13: BSON, 14: UUID, 15: Float16,
}

// readLogical reads a LogicalType. Anything unexpected makes the type another one, which a column then cannot have,
// but not the file unreadable.
func readLogical(r *thrift.Reader, t thrift.Type) (l Logical) {
	if t != thrift.Struct {
		r.Skip(t)
		return l
	}
	for id, t := r.Field(0); t != thrift.Stop; id, t = r.Field(id) {
		if t != thrift.Struct {
			r.Skip(t)
			continue
		}
		l = Logical{Kind: logicalKinds[id]}
		for id, t := r.Field(0); t != thrift.Stop; id, t = r.Field(id) {
			readLogicalField(r, &l, id, t)
		}
	}
	return l
}

func readLogicalField(r *thrift.Reader, l *Logical, id int16, t thrift.Type) {
	timed := l.Kind == Time || l.Kind == Timestamp
	switch {
	case l.Kind == Decimal && id == 1 && t == thrift.I32:
		l.Scale = int(r.Int(t, thrift.I32))
	case l.Kind == Decimal && id == 2 && t == thrift.I32:
		l.Precision = int(r.Int(t, thrift.I32))
	case l.Kind == Integer && id == 1 && t == thrift.Byte:
		from := r.At()
		r.Skip(t)
		if bits := r.Span(from); len(bits) == 1 {
			l.Bits = int(bits[0])
		}
	case l.Kind == Integer && id == 2:
		l.Unsigned = t == thrift.False
		r.Skip(t)
	case timed && id == 1:
		l.UTC = t == thrift.True
		r.Skip(t)
	case timed && id == 2 && t == thrift.Struct:
		for unit, t := r.Field(0); t != thrift.Stop; unit, t = r.Field(unit) {
			l.PerSecond = map[int16]int{1: 1e3, 2: 1e6, 3: 1e9}[unit]
			r.Skip(t)
		}
	default:
		r.Skip(t)
	}
}
