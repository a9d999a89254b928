package inspect_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/inspect"
	"github.com/simdbloom/simdbloom/splitblock"
)

// file returns a file with a column of each type, of which all but the first have a filter in each of two row groups: of
// the hashes, and of no value.
func file(t *testing.T, hashes map[parquet.Type][]uint64) *parquet.File {
	t.Helper()
	data := []byte("PAR1")
	var columns []parquet.Column
	groups := make([][]parquet.Chunk, 2)
	for of := parquet.Boolean; of <= parquet.FixedLenByteArray; of++ {
		columns = append(columns, parquet.Column{Path: []string{"a", of.String()}, Type: of, Length: 4})
		for g := range groups {
			var chunk parquet.Chunk
			if of != parquet.Boolean {
				f, err := parquet.NewFilter(hashes[of][:len(hashes[of])*(1-g)], 0.01)
				if err != nil {
					t.Fatal(err)
				}
				chunk.FilterOffset = int64(len(data))
				data = append(splitblock.AppendHeader(data, f.SizeBytes()), f.Bytes()...)
			}
			groups[g] = append(groups[g], chunk)
		}
	}
	f, err := parquet.New(bytes.NewReader(data), int64(len(data)), columns, groups)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestRowGroups(t *testing.T) {
	f := file(t, map[parquet.Type][]uint64{
		parquet.Int32:             parquet.AppendHashes(nil, []int32{-5}),
		parquet.Int64:             parquet.AppendHashes(nil, []int64{1 << 40}),
		parquet.Int96:             parquet.AppendHashes(nil, [][12]byte{{1, 2, 255}}),
		parquet.Float:             parquet.AppendHashes(nil, []float32{0.1}),
		parquet.Double:            parquet.AppendHashes(nil, []float64{0.1}),
		parquet.ByteArray:         parquet.AppendHashes(nil, []string{"a b"}),
		parquet.FixedLenByteArray: parquet.AppendHashes(nil, []string{"\x00\x01\xfe\xff"}),
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
		if got, err := inspect.RowGroups(f, column, test[1]); err != nil || len(got) != 1 || got[0] != 0 {
			t.Errorf("%s, %q: %v, %v", column, test[1], got, err)
		}
		if got, err := inspect.RowGroups(f, column, test[2]); err != nil || len(got) != 0 {
			t.Errorf("%s, %q: %v, %v", column, test[2], got, err)
		}
		if got, err := inspect.RowGroups(f, column, test[3]); test[0] != "BYTE_ARRAY" && err == nil {
			t.Errorf("%s, %q: %v, no error", column, test[3], got)
		}
	}
	for _, column := range []string{"a.BOOLEAN", "a", "b"} {
		if _, err := inspect.RowGroups(f, column, "1"); err == nil {
			t.Errorf("%s: no error", column)
		}
	}
	var out bytes.Buffer
	if err := inspect.WriteRowGroups(&out, f, "a.INT32", []string{"-5", "6"}); err != nil || out.String() != "-5: may be in 1 of 2 row groups: [0]\n6: may be in 0 of 2 row groups: []\n" {
		t.Errorf("%q, %v", &out, err)
	}
}

func TestColumns(t *testing.T) {
	ids := make([]int64, 10000)
	for i := range ids {
		ids[i] = int64(i)
	}
	f := file(t, map[parquet.Type][]uint64{parquet.Int64: parquet.AppendHashes(nil, ids)})
	columns, err := inspect.Columns(f, 0.0001)
	if err != nil {
		t.Fatal(err)
	}
	c := columns[parquet.Int64]
	if c.Filters != 2 || c.SizeBytes != 16384+32 || c.Better != 65536+32 || c.Keys < 4900 || c.Keys > 5100 || c.FPR > 0.01 || c.FPR < 0.0001 || c.Fill > 0.3 || c.Fill < 0.1 {
		t.Errorf("%+v", c)
	}
	if c := columns[parquet.Boolean]; c.Filters != 0 || c.SizeBytes != 0 {
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
}

// TestWriteShowsAll: two columns with the same name, and a filter that cannot be used.
func TestWriteShowsAll(t *testing.T) {
	filter, err := parquet.NewFilter(parquet.AppendHashes(nil, []int64{17}), 0.01)
	if err != nil {
		t.Fatal(err)
	}
	data := append(append(splitblock.AppendHeader([]byte("PAR1"), filter.SizeBytes()), filter.Bytes()...), make([]byte, 100)...)
	columns := []parquet.Column{
		{Path: []string{"a", "b"}, Type: parquet.Int64}, {Path: []string{"a.b"}, Type: parquet.Int64}, {Path: []string{"c"}, Type: parquet.Int64},
	}
	chunks := [][]parquet.Chunk{{{}, {FilterOffset: 4}, {FilterOffset: 4}}, {{}, {}, {FilterOffset: int64(len(data)) - 50}}}
	f, err := parquet.New(bytes.NewReader(data), int64(len(data)), columns, chunks)
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
	if _, err := inspect.RowGroups(f, "a.b", "17"); err == nil || !strings.Contains(err.Error(), "two columns") {
		t.Error(err)
	}
}
