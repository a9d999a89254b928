package footer

import (
	"testing"

	"github.com/simdbloom/simdbloom/adapters/parquet/internal/thrift"
)

// TestLogicalTypesAreRead in Thrift's compact protocol: a field begins with a byte, the difference to the number of the
// one before and a type.
func TestLogicalTypesAreRead(t *testing.T) {
	const (
		yes, no, i8, i32, i64, record = 1, 2, 3, 5, 6, 12
		next                          = 1 << 4 // the number of a field is one more
	)
	for what, c := range map[string]struct {
		union []byte
		want  Logical
	}{
		"nothing":                 {[]byte{0}, Logical{}},
		"String":                  {[]byte{next | record, 0, 0}, Logical{Kind: String}},
		"Enum":                    {[]byte{4*next | record, 0, 0}, Logical{Kind: Enum}},
		"UUID":                    {[]byte{14*next | record, 0, 0}, Logical{Kind: UUID}},
		"unknown":                 {[]byte{9*next | record, 0, 0}, Logical{}},
		"Decimal":                 {[]byte{5*next | record, next | i32, 2 * 2, next | i32, 9 * 2, 0, 0}, Logical{Kind: Decimal, Scale: 2, Precision: 9}},
		"Decimal, I64":            {[]byte{5*next | record, next | i64, 2 * 2, next | i64, 9 * 2, 0, 0}, Logical{Kind: Decimal}},
		"Decimal, a third field":  {[]byte{5*next | record, next | i32, 2 * 2, 2*next | i32, 9 * 2, 0, 0}, Logical{Kind: Decimal, Scale: 2}},
		"8 bits":                  {[]byte{10*next | record, next | i8, 8, next | yes, 0, 0}, Logical{Kind: Integer, Bits: 8}},
		"64 bits, unsigned":       {[]byte{10*next | record, next | i8, 64, next | no, 0, 0}, Logical{Kind: Integer, Bits: 64, Unsigned: true}},
		"bits of another type":    {[]byte{10*next | record, next | i32, 64, next | no, 0, 0}, Logical{Kind: Integer, Unsigned: true}},
		"a sign of another type":  {[]byte{10*next | record, next | i8, 64, next | i32, 2, 0, 0}, Logical{Kind: Integer, Bits: 64}},
		"another byte":            {[]byte{10*next | record, next | i8, 8, 3*next | i8, 16, 0, 0}, Logical{Kind: Integer, Bits: 8}},
		"a byte in a decimal":     {[]byte{5*next | record, next | i8, 8, 0, 0}, Logical{Kind: Decimal}},
		"milliseconds":            {[]byte{7*next | record, next | yes, next | record, next | record, 0, 0, 0, 0}, Logical{Kind: Time, UTC: true, PerSecond: 1e3}},
		"microseconds":            {[]byte{7*next | record, next | no, next | record, 2*next | record, 0, 0, 0, 0}, Logical{Kind: Time, PerSecond: 1e6}},
		"nanoseconds":             {[]byte{8*next | record, next | yes, next | record, 3*next | record, 0, 0, 0, 0}, Logical{Kind: Timestamp, UTC: true, PerSecond: 1e9}},
		"a unit of another type":  {[]byte{8*next | record, next | yes, next | i32, 2, 0, 0}, Logical{Kind: Timestamp, UTC: true}},
		"UTC of another type":     {[]byte{7*next | record, next | i32, 2, next | record, next | record, 0, 0, 0, 0}, Logical{Kind: Time, PerSecond: 1e3}},
		"fields of another kind":  {[]byte{6*next | record, next | i32, 2, next | i8, 7, 0, 0}, Logical{Kind: Date}},
		"no struct, and a second": {[]byte{4*next | i32, 2, next | record, next | i32, 4, 0, 0}, Logical{Kind: Decimal, Scale: 2}},
	} {
		r := thrift.NewReader(append(c.union, 77))
		if got := readLogical(r, thrift.Struct); got != c.want || r.Err() != nil || r.At() != len(c.union) {
			t.Errorf("%s: %+v, want %+v, at %d of %d, %v", what, got, c.want, r.At(), len(c.union), r.Err())
		}
	}
	r := thrift.NewReader([]byte{2 * 7, 0})
	if got := readLogical(r, thrift.I32); got != (Logical{}) || r.At() != 1 {
		t.Errorf("a number: %+v, at %d", got, r.At())
	}
	for of, want := range map[thrift.Type]int{thrift.I32: 7, thrift.I64: 5} {
		if r := thrift.NewReader([]byte{2 * 7, 0}); optionalInt(r, of, 5) != want || r.At() != 1 {
			t.Errorf("a number of type %v, at %d", of, r.At())
		}
	}
}

// TestColumnsOfLogicalTypes has every pair of a logical type and a physical one.
func TestColumnsOfLogicalTypes(t *testing.T) {
	types := []Type{Boolean, Int32, Int64, Int96, Float, Double, ByteArray, FixedLenByteArray}
	for l, can := range map[Logical][]Type{
		{Kind: String}: {ByteArray}, {Kind: Enum}: {ByteArray}, {Kind: JSON}: {ByteArray}, {Kind: BSON}: {ByteArray},
		{Kind: Decimal, Precision: 9}: {Int32, Int64, ByteArray, FixedLenByteArray}, {Kind: Date}: {Int32},
		{Kind: Integer, Bits: 8}: {Int32}, {Kind: Integer, Bits: 16}: {Int32}, {Kind: Integer, Bits: 32, Unsigned: true}: {Int32}, {Kind: Integer, Bits: 64}: {Int64},
		{Kind: Integer, Bits: 7}: nil, {Kind: Integer}: nil,
		{Kind: Time, PerSecond: 1e3}: {Int32}, {Kind: Time, PerSecond: 1e6}: {Int64}, {Kind: Time, PerSecond: 1e9}: {Int64}, {Kind: Time}: nil,
		{Kind: Timestamp, PerSecond: 1e3}: {Int64}, {Kind: Timestamp, PerSecond: 1e6}: {Int64}, {Kind: Timestamp, PerSecond: 1e9}: {Int64}, {Kind: Timestamp}: nil,
		{Kind: UUID}: nil, {Kind: Float16}: nil, {Kind: Interval}: nil, {}: nil,
	} {
		for _, of := range types {
			want := Logical{}
			for _, one := range can {
				if one == of {
					want = l
				}
			}
			if got := l.Of(of, 0); got != want {
				t.Errorf("%+v of %v: %+v", l, of, got)
			}
		}
	}
	for kind, length := range map[Kind]int{UUID: 16, Float16: 2, Interval: 12} {
		for n := range 20 {
			for _, of := range types {
				want := Logical{}
				if of == FixedLenByteArray && n == length {
					want.Kind = kind
				}
				if got := (Logical{Kind: kind}).Of(of, n); got != want {
					t.Errorf("%v of %d bytes of %v: %+v", kind, n, of, got)
				}
			}
		}
	}
}

// TestConvertedTypes has parquet.thrift's list.
func TestConvertedTypes(t *testing.T) {
	want := map[int]Logical{
		0: {Kind: String}, 4: {Kind: Enum}, 5: {Kind: Decimal, Precision: 9, Scale: 2}, 6: {Kind: Date},
		7: {Kind: Time, PerSecond: 1e3, UTC: true}, 8: {Kind: Time, PerSecond: 1e6, UTC: true},
		9: {Kind: Timestamp, PerSecond: 1e3, UTC: true}, 10: {Kind: Timestamp, PerSecond: 1e6, UTC: true},
		11: {Kind: Integer, Bits: 8, Unsigned: true}, 12: {Kind: Integer, Bits: 16, Unsigned: true},
		13: {Kind: Integer, Bits: 32, Unsigned: true}, 14: {Kind: Integer, Bits: 64, Unsigned: true},
		15: {Kind: Integer, Bits: 8}, 16: {Kind: Integer, Bits: 16}, 17: {Kind: Integer, Bits: 32}, 18: {Kind: Integer, Bits: 64},
		19: {Kind: JSON}, 20: {Kind: BSON}, 21: {Kind: Interval},
	}
	for of := -2; of < 30; of++ {
		if got := Converted(of, 9, 2); got != want[of] {
			t.Errorf("%d: %+v, want %+v", of, got, want[of])
		}
	}
}
