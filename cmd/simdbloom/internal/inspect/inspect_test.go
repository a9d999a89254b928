package inspect_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/inspect"
	"github.com/simdbloom/simdbloom/splitblock"
)

// file returns a file with a column of each type, of which all but the first have a filter in each of two row groups:
// of the hashes, and of no value.
func file(t *testing.T, hashes map[string][]uint64) *parquet.File {
	t.Helper()
	data := []byte("PAR1")
	var columns []parquet.Column
	groups := make([][]int, 2) // of filters' places
	for _, of := range types {
		columns = append(columns, parquet.Column{Path: []string{"a", of}, Type: of, Length: 4})
		for g := range groups {
			place := 0
			if of != "BOOLEAN" {
				f, err := parquet.NewFilter(hashes[of][:len(hashes[of])*(1-g)], 0.01)
				if err != nil {
					t.Fatal(err)
				}
				place = len(data)
				data = append(splitblock.AppendHeader(data, f.SizeBytes()), f.Bytes()...)
			}
			groups[g] = append(groups[g], place)
		}
	}
	f, err := opened(data, columns, groups)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestRowGroups(t *testing.T) {
	f := file(t, map[string][]uint64{
		"INT32":                parquet.AppendHashes(nil, []int32{-5}),
		"INT64":                parquet.AppendHashes(nil, []int64{1 << 40}),
		"INT96":                parquet.AppendHashes(nil, [][12]byte{{1, 2, 255}}),
		"FLOAT":                parquet.AppendHashes(nil, []float32{0.1}),
		"DOUBLE":               parquet.AppendHashes(nil, []float64{0.1}),
		"BYTE_ARRAY":           parquet.AppendHashes(nil, []string{"a b"}),
		"FIXED_LEN_BYTE_ARRAY": parquet.AppendHashes(nil, []string{"\x00\x01\xfe\xff"}),
	})
	for _, test := range [][4]string{ // a column, a value that is there, one that is not, and one that is an error
		{"INT32", "-5", "5", "2147483648"},
		{"INT64", "1099511627776", "1", "x"},
		{"INT96", "0102ff000000000000000000", "0102ff000000000000000001", "0102ff"},
		{"FLOAT", "0.1", "0.2", "x"},
		{"DOUBLE", "1e-1", "0.2", ""},
		{"BYTE_ARRAY", "a b", "a", ""},
		{"FIXED_LEN_BYTE_ARRAY", "0001feff", "0001fefe", "0001fe"},
	} {
		column := "a." + test[0]
		if got, _, err := inspect.RowGroups(f, column, test[1]); err != nil || len(got) != 1 || got[0] != 0 {
			t.Errorf("%s, %q: %v, %v", column, test[1], got, err)
		}
		if got, _, err := inspect.RowGroups(f, column, test[2]); err != nil || len(got) != 0 {
			t.Errorf("%s, %q: %v, %v", column, test[2], got, err)
		}
		if got, note, err := inspect.RowGroups(f, column, test[3]); test[0] != "BYTE_ARRAY" && err == nil && (note == "" || len(got) > 0) {
			t.Errorf("%s, %q: %v, no error", column, test[3], got)
		}
	}
	for _, column := range []string{"a.BOOLEAN", "a", "b"} {
		if _, _, err := inspect.RowGroups(f, column, "1"); err == nil {
			t.Errorf("%s: no error", column)
		}
	}
	var out bytes.Buffer
	if err := inspect.WriteRowGroups(&out, f, "a.INT32", []string{"-5", "6"}); err != nil || out.String() != "-5: may be in 1 of 2 row groups: [0]\n6: may be in 0 of 2 row groups: []\n" {
		t.Errorf("%q, %v", &out, err)
	}
	f, err := opened([]byte("PAR1"), []parquet.Column{{Path: []string{"id"}, Type: "INT32"}}, [][]int{{0}, {0}})
	if err != nil {
		t.Fatal(err)
	}
	const without = "-5: may be in 2 of 2 row groups: [0 1]\n2 of 2 row groups have no usable filter: they may have any value\n"
	out.Reset()
	if err := inspect.WriteRowGroups(&out, f, "id", []string{"-5"}); err != nil || out.String() != without {
		t.Errorf("%q, %v", &out, err)
	}
}

func TestColumns(t *testing.T) {
	ids := make([]int64, 10000)
	for i := range ids {
		ids[i] = int64(i)
	}
	f := file(t, map[string][]uint64{"INT64": parquet.AppendHashes(nil, ids)})
	columns, err := inspect.Columns(f, 0.0001)
	if err != nil {
		t.Fatal(err)
	}
	c := columns[slices.Index(types, "INT64")]
	if c.Filters != 2 || c.SizeBytes != 16384+32 || c.Better != 65536+32 || c.Keys < 4900 || c.Keys > 5100 || c.FPR > 0.01 || c.FPR < 0.0001 || c.Fill > 0.3 || c.Fill < 0.1 {
		t.Errorf("%+v", c)
	}
	if c := columns[slices.Index(types, "BOOLEAN")]; c.Filters != 0 || c.SizeBytes != 0 || c.Fill != 0 || c.Keys != 0 || c.FPR != 0 {
		t.Errorf("%+v", c)
	}
	var out bytes.Buffer
	if err := inspect.Write(&out, f, 0.0001); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 10 || !strings.Contains(lines[0], "bytes for 0.01 %") || !strings.Contains(lines[3], "2 of 2") || !strings.Contains(lines[1], "0 of 2") {
		t.Error(&out)
	}
	if n := strings.Count(lines[1], "  -"); n != 5 || !strings.HasSuffix(lines[1], "  -") {
		t.Errorf("%d dashes in %q", n, lines[1])
	}
	for _, line := range lines[1:9] { // also of columns without filters
		if at := strings.Index(lines[0], "bits set"); line[at-1] != ' ' || line[at] == ' ' {
			t.Errorf("%q is not below the head %q", line, lines[0])
		}
	}
}

// TestWriteShowsAll: two columns with the same name, and a filter that cannot be used.
func TestWriteShowsAll(t *testing.T) {
	filter, err := parquet.NewFilter(parquet.AppendHashes(nil, []int64{17}), 0.01)
	if err != nil {
		t.Fatal(err)
	}
	data := append(append(splitblock.AppendHeader([]byte("PAR1"), filter.SizeBytes()), filter.Bytes()...), make([]byte, 100)...)
	columns := []parquet.Column{
		{Path: []string{"a", "b"}, Type: "INT64"}, {Path: []string{"a.b"}, Type: "INT64"}, {Path: []string{"c"}, Type: "INT64"},
	}
	chunks := [][]int{{0, 4, 4}, {0, 0, len(data) - 50}}
	f, err := opened(data, columns, chunks)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := inspect.Write(&out, f, 0.01); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	for i, words := range map[int][]string{1: {`"a"."b" `, "0 of 2"}, 2: {`"a.b" `, "1 of 2"}, 3: {"c ", "1 of 2"}, 4: {"not used: row group 1", `"c"`}} {
		for _, word := range words {
			if !strings.Contains(lines[i], word) {
				t.Errorf("%q is not in %q", word, lines[i])
			}
		}
	}
	if _, _, err := inspect.RowGroups(f, "a.b", "17"); err == nil || !strings.Contains(err.Error(), "two columns") {
		t.Error(err)
	}
}

// tooNarrow are values that another type has, such as the one that a column was widened to. No row group of the test's
// has them.
var tooNarrow = append(strings.Fields("4294967005 9223372036854775808 128 -1 -291 4294967296 18446744073709551616 5.001 12345678 1.00001 "+
	"123456789012345 99999999999 0.05 65520 0aff 1e999 1e39 01:02:03.0041 2000-01-01T00:00:00.0001Z 2300-01-01"), "1969-12-31 23:59:59.9999991")

// TestTooNarrow: the note says why there is no row group, and text that is no number is an error.
func TestTooNarrow(t *testing.T) {
	columns := []parquet.Column{
		{Path: []string{"a"}, Type: "INT32"},
		{Path: []string{"b"}, Type: "FLOAT"},
		{Path: []string{"t"}, Type: "INT32", Logical: "TIME(MILLIS,UTC)"},
		{Path: []string{"utc"}, Type: "INT64", Logical: "TIMESTAMP(MICROS,UTC)"},
		{Path: []string{"local"}, Type: "INT64", Logical: "TIMESTAMP(NANOS,local)"},
		{Path: []string{"half"}, Type: "FIXED_LEN_BYTE_ARRAY", Length: 2, Logical: "FLOAT16"},
	}
	f, err := opened([]byte("PAR1"), columns, [][]int{make([]int, 6), make([]int, 6)}) // without filters: it may have any value of its type
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ column, value, note, err string }{
		{"a", "5000000000", "INT32 cannot have it", ""},
		{"a", "-5000000000", "INT32 cannot have it", ""},
		{"b", "1e300", "FLOAT cannot have it", ""},
		{"a", "1.50", "INT32 cannot have it", ""},
		{"a", "-99999999999999999999.0", "INT32 cannot have it", ""},
		{"a", "x.5", "", "write decimal digits"},
		{"a", "1.", "", "write decimal digits"},
		{"a", "5e9", "", "write decimal digits"},
		{"a", "", "", "write"},
		{"b", "one", "", "write"},
		{"t", "noon", "", "at most 3 digits"},
		{"utc", "noon", "", "at most 6 digits behind the seconds, in UTC or with a zone"},
		{"local", "noon", "", "at most 9 digits behind the seconds, and no zone"},
	} {
		got, note, err := inspect.RowGroups(f, c.column, c.value)
		if len(got) > 0 || note != c.note || (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%+v: %v, %q, %v", c, got, note, err)
		}
	}
	var out bytes.Buffer
	if err := inspect.WriteRowGroups(&out, f, "a", []string{"5000000000"}); err != nil || !strings.HasPrefix(out.String(), "5000000000: may be in 0 of 2 row groups: [] (INT32 cannot have it)\n") {
		t.Errorf("%q, %v", out.String(), err)
	}
	if got, note, err := inspect.RowGroups(f, "half", "nan"); !slices.Equal(got, []int{0, 1}) || note != "" || err != nil {
		t.Errorf("NaN: %v, %q, %v", got, note, err)
	}
}

// TestLogicalTypes: values as people write them, by the logical type.
func TestLogicalTypes(t *testing.T) {
	decimal := func(precision, scale int) string { return fmt.Sprintf("DECIMAL(%d,%d)", precision, scale) }
	integer := func(bits int, unsigned bool) string {
		return map[bool]string{false: "INT", true: "UINT"}[unsigned] + fmt.Sprintf("(%d)", bits)
	}
	at := func(kind string, perSecond int, utc bool) string {
		unit := map[int]string{1e3: "MILLIS", 1e6: "MICROS", 1e9: "NANOS"}[perSecond]
		return fmt.Sprintf("%s(%s,%s)", kind, unit, map[bool]string{true: "UTC", false: "local"}[utc])
	}
	i32 := func(v int32) []uint64 { return parquet.AppendHashes(nil, []int32{v}) }
	i64 := func(v int64) []uint64 { return parquet.AppendHashes(nil, []int64{v}) }
	text := func(v string) []uint64 { return parquet.AppendHashes(nil, []string{v}) }
	const byteArray, fixed = "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"
	for _, test := range []struct {
		of      string
		length  int
		logical string
		stored  []uint64 // hash
		is      []string // how it can be written
		isNot   []string // other values
		cannot  []string
	}{
		{"INT32", 0, "", i32(1005), []string{"01005", "1005", "+1005", "1005.0"}, []string{"517"}, []string{"0x3ed", "1_005", "4294967005", "", " 1005"}},
		{"INT64", 0, "", i64(-7), []string{"-7", "-07"}, []string{"7"}, []string{"9223372036854775808", "0b111"}},
		{"INT32", 0, integer(8, false), i32(-128), []string{"-128"}, []string{"127", "128", "-129"}, nil},
		{"INT32", 0, integer(16, true), i32(65535), []string{"65535", "+65535"}, []string{"0", "65536"}, []string{"-1", "1a"}},
		{"INT32", 0, integer(32, true), i32(-291), []string{"4294967005"}, []string{"5"}, []string{"-291", "4294967296"}},
		{"INT64", 0, integer(64, true), i64(-1), []string{"18446744073709551615"}, []string{"1"}, []string{"-1", "18446744073709551616"}},
		{"INT32", 0, decimal(9, 2), i32(500), []string{"5", "5.00", "5.0", "05.000", "00000000005", "+5"}, []string{"500", "-5", "0.05"}, []string{"5.001", "12345678", "5e0", "5.", "", "--5", "."}},
		{"INT64", 0, decimal(18, 4), i64(-10001), []string{"-1.0001", "-1.00010"}, []string{"1.0001"}, []string{"1.00001", "123456789012345"}},
		{"INT32", 0, decimal(12, 0), i32(7), []string{"7"}, nil, []string{"99999999999"}},
		{fixed, 5, decimal(10, 2), text("\xff\xff\xff\xfe\x0c"), []string{"-5.00", "-5"}, []string{"5"}, []string{"5.001"}},
		{fixed, 1, decimal(3, 0), text("\x7f"), []string{"127"}, []string{"-128"}, []string{"128"}},
		{fixed, 1 << 30, decimal(3, 0), text(""), nil, nil, []string{"1"}},
		{byteArray, 0, decimal(30, 1), text("\x01\xf4"), []string{"50", "50.0"}, []string{"5"}, []string{"0.05"}},
		{byteArray, 0, decimal(30, 1), text("\x00\x00\x01\xf4"), []string{"50"}, []string{"5"}, nil}, // longer than it must be
		{byteArray, 0, decimal(30, 0), text("\x80"), []string{"-128"}, []string{"128"}, nil},
		{byteArray, 0, decimal(30, 0), text("\xff\x7f"), []string{"-129"}, []string{"127"}, nil},
		{byteArray, 0, decimal(30, 0), text("\x00"), []string{"0", "-0", "000"}, []string{"1"}, nil},
		{byteArray, 0, decimal(80, 0), text("\x7f" + strings.Repeat("\xff", 32)), []string{"14821387422376473014217086081112052205218558037201992197050570753012880593911807"}, []string{"10000000000000000000000000000000000000000000000000000000000000000000000000000000"}, nil},
		{"INT32", 0, decimal(3, 5), i32(1), nil, nil, []string{"1", "0"}},
		{"INT32", 0, decimal(3, -1), i32(1), nil, nil, []string{"1", "0"}},
		{"INT32", 0, "DATE", i32(10957), []string{"2000-01-01"}, []string{"2000-01-02"}, []string{"10957", "2000-02-30", "1.1.2000", "2000-01-01T00:00"}},
		{"INT32", 0, "DATE", i32(-1), []string{"1969-12-31"}, []string{"1970-01-01"}, nil},
		{"INT32", 0, at("TIME", 1e3, true), i32(3723004), []string{"01:02:03.004", "01:02:03.004Z"}, []string{"01:02:03"}, []string{"01:02:03.0041", "24:00:00", "3723004", "01:02:03.00400000001"}},
		{"INT64", 0, at("TIME", 1e6, false), i64(3720000000), []string{"01:02", "01:02:00.000000"}, []string{"01:03"}, []string{"01:02Z"}},
		{"INT64", 0, at("TIME", 1e9, false), i64(1), []string{"00:00:00.000000001"}, []string{"00:00"}, []string{"00:00:00.0000000011"}},
		{"INT64", 0, at("TIMESTAMP", 1e3, true), i64(946684800000), []string{"2000-01-01", "2000-01-01T00:00:00Z", "2000-01-01 02:00:00+02:00", "2000-01-01 00:00", "2000-01-01T00:00:00.000", "2000-01-01T00:00:00 UTC"}, []string{"2000-01-01 00:00:00+02:00"}, []string{"946684800000", "2000-01-01T00:00:00.0001Z"}},
		{"INT64", 0, at("TIMESTAMP", 1e6, false), i64(-1), []string{"1969-12-31 23:59:59.999999"}, []string{"1970-01-01"}, []string{"1969-12-31 23:59:59.999999Z", "1969-12-31 23:59:59.9999991"}},
		{"INT64", 0, at("TIMESTAMP", 1e9, true), i64(1), []string{"1970-01-01T00:00:00.000000001"}, []string{"1970-01-01"}, []string{"2300-01-01", "1970-01-01T00:00:00.0000000011"}},
		{"INT96", 0, "", parquet.AppendHashes(nil, [][12]byte{{1, 0, 0, 0, 0, 0, 0, 0, 0x8c, 0x3d, 0x25, 0}}), []string{"1970-01-01 00:00:00.000000001", "1970-01-01T02:00:00.000000001+02:00", "01000000000000008C3D2500"}, []string{"1970-01-01"}, []string{"1970", "0100"}},
		{"INT96", 0, "", parquet.AppendHashes(nil, [][12]byte{{0, 0xca, 0x9a, 0x3b, 0, 0, 0, 0, 0x8b, 0x3d, 0x25, 0}}), []string{"1969-12-31 00:00:01"}, []string{"1970-01-01 00:00:01"}, nil},
		{fixed, 16, "UUID", text("\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff"), []string{"00112233-4455-6677-8899-aabbccddeeff", "00112233445566778899AABBCCDDEEFF"}, []string{"00112233-4455-6677-8899-aabbccddeefe"}, []string{"0011223344556677-8899-aabbccddeeff", "0011", "00112233-4455-6677-8899-aabbccddeefg"}},
		{fixed, 2, "FLOAT16", text("\x66\x2e"), []string{"0.1", "0.09998"}, []string{"0.2", "-0.1"}, []string{"65520", "x", "0x1p3"}},
		{fixed, 2, "FLOAT16", text("\x00\x80"), []string{"0", "-0", "nan"}, []string{"1"}, nil},
		{fixed, 2, "FLOAT16", text("\xff\xfb"), []string{"-65504", "-65519"}, []string{"65504", "-inf"}, nil},
		{fixed, 2, "FLOAT16", text("\x01\x00"), []string{"5.9604645e-8"}, []string{"1.2e-7"}, nil},
		{fixed, 2, "FLOAT16", text("\x00\x3c"), []string{"1", "0.99999"}, []string{"2"}, nil},
		{fixed, 2, "FLOAT16", text("\x00\xbc"), []string{"-1"}, []string{"1"}, nil},
		{fixed, 2, "FLOAT16", text("\x00\x7c"), []string{"inf", "+Inf"}, []string{"-inf"}, []string{"65520"}},
		{fixed, 2, "FLOAT16", text("\x00\xfc"), []string{"-inf"}, []string{"inf"}, nil},
		{fixed, 3, "", text("\x0a\xff\x00"), []string{"0aff00", "0x0AFF00"}, []string{"0aff01"}, []string{"0aff", "abc"}},
		{byteArray, 0, "", text("\x0a"), []string{"0x0a"}, []string{"0a"}, nil},
		{byteArray, 0, "", text("0x0a"), []string{"0x0a"}, []string{"\n"}, nil},
		{byteArray, 0, "BSON", text("\x05\x00\x00\x00\x00"), []string{"0500000000", "0x0500000000"}, []string{"05", "x"}, nil},
		{byteArray, 0, "BSON", text("05"), []string{"05"}, []string{"50"}, nil},
		{byteArray, 0, "STRING", text("0x0a"), []string{"0x0a"}, []string{"\n", " 0x0a"}, nil},
		{byteArray, 0, "ENUM", text("RED"), []string{"RED"}, []string{"red"}, nil},
		{byteArray, 0, "JSON", text(`{"a":1}`), []string{`{"a":1}`}, []string{`{"a": 1}`}, nil},
		{"DOUBLE", 0, "", parquet.AppendHashes(nil, []float64{0.5}), []string{"0.5", "5e-1", ".5", "nan"}, []string{"5"}, []string{"0x1p-1", "1_0.5", "1e999", "half"}},
		{"FLOAT", 0, "", parquet.AppendHashes(nil, []float32{0.1}), []string{"0.1"}, []string{"0.2"}, []string{"1e39"}},
		{"BOOLEAN", 0, "", i32(1), nil, nil, []string{"true", "1"}},
	} {
		filter, err := parquet.NewFilter(test.stored, 0.0001)
		if err != nil {
			t.Fatal(err)
		}
		data := append(splitblock.AppendHeader([]byte("PAR1"), filter.SizeBytes()), filter.Bytes()...)
		column := parquet.Column{Path: []string{"c"}, Type: test.of, Length: test.length, Logical: test.logical}
		f, err := opened(data, []parquet.Column{column}, [][]int{{4}})
		if err != nil {
			t.Fatal(err)
		}
		for want, values := range map[int][]string{1: test.is, 0: test.isNot} {
			for _, v := range values {
				if got, _, err := inspect.RowGroups(f, "c", v); err != nil || len(got) != want {
					t.Errorf("%v %v, %q: row groups %v, want %d, %v", test.of, test.logical, v, got, want, err)
				}
			}
		}
		for _, v := range test.cannot {
			got, note, err := inspect.RowGroups(f, "c", v)
			if slices.Contains(tooNarrow, v) {
				if err != nil || len(got) > 0 || note == "" {
					t.Errorf("%v %v, %q, for which it is too narrow: %v, %q, %v", test.of, test.logical, v, got, note, err)
				}
			} else if err == nil {
				t.Errorf("%v %v, %q: %v, and no error", test.of, test.logical, v, got)
			} else if test.of != "BOOLEAN" && !strings.Contains(err.Error(), "write ") && !strings.Contains(err.Error(), "it has more") && !strings.Contains(err.Error(), "no number") {
				t.Errorf("%v %v, %q: %v does not say how values are written", test.of, test.logical, v, err)
			}
		}
	}
}

// TestTypesInWords: how a type is named where it cannot have a value.
func TestTypesInWords(t *testing.T) {
	f := file(t, nil)
	for column, want := range map[string]string{"a.FIXED_LEN_BYTE_ARRAY": "FIXED_LEN_BYTE_ARRAY(4) cannot have it", "a.INT32": ""} {
		if got, note, err := inspect.RowGroups(f, column, "0001"); err != nil || len(got) > 0 || note != want {
			t.Errorf("%s: %v, %q, %v", column, got, note, err)
		}
	}
}
