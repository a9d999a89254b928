package parquetfilters_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"path/filepath"
	"strings"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/parquetfilters"
)

type row struct {
	ID    int64   `parquet:"id"`
	Price int32   `parquet:"price,decimal(2:9)"`
	Day   int32   `parquet:"day,date"`
	Ratio float64 `parquet:"ratio"`
	Dots  string  `parquet:"a.b,lz4"`
}

// run runs the command, and returns what it printed.
func run(t *testing.T, args ...string) (out, errs string, failed int) {
	t.Helper()
	var c parquetfilters.Command
	flags := flag.NewFlagSet("parquet", flag.ContinueOnError)
	c.AddTo(flags)
	names := []string{}
	for rest := args; len(rest) > 0; { // as the program does, flags may be behind names
		if !strings.HasPrefix(rest[0], "-") {
			names, rest = append(names, rest[0]), rest[1:]
			continue
		}
		if err := flags.Parse(rest); err != nil {
			t.Fatal(err)
		}
		rest = flags.Args()
	}
	if err := c.Check(names); err != nil {
		return "", err.Error(), -1
	}
	var stdout, stderr bytes.Buffer
	failed = c.Run(names, &stdout, &stderr)
	return stdout.String(), stderr.String(), failed
}

func TestAddAndJSON(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	rows := make([]row, 3000)
	for i := range rows {
		rows[i] = row{int64(i) * 3, int32(i) * 50, int32(i), float64(i), strings.Repeat("x", i%50)}
	}
	if err := parquetgo.WriteFile(path, rows, parquetgo.MaxRowsPerRowGroup(1000)); err != nil {
		t.Fatal(err)
	}
	added := filepath.Join(filepath.Dir(path), "added.parquet")
	if out, errs, failed := run(t, "add", path, "-column=id", "-column=price", "-column=a.b", "-column=day", "-rate=0.0001", "-o", added); failed != 0 || !strings.Contains(out, "id: ") {
		t.Fatal(out, errs)
	}
	for _, test := range []struct {
		column, value string
		rowGroups     []int
	}{{"id", "03003", []int{1}}, {"id", "1", []int{}}, {"price", "500", []int{1}}, {"price", "500.5", []int{1}}, {"price", "0.01", []int{}}, {"a.b", "xx", []int{0, 1, 2}}, {"day", "1970-01-02", []int{0}}} {
		out, errs, _ := run(t, "-json", "-column", test.column, "-value", test.value, added)
		var got struct {
			RowGroups int `json:"row_groups"`
			Values    []struct {
				Value     string `json:"value"`
				RowGroups []int  `json:"row_groups"`
			} `json:"values"`
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil || got.RowGroups != 3 || len(got.Values) != 1 || got.Values[0].Value != test.value {
			t.Fatalf("%s, %v, %s", out, err, errs)
		}
		if is := got.Values[0].RowGroups; len(is) != len(test.rowGroups) || len(is) > 0 && is[0] != test.rowGroups[0] {
			t.Errorf("%s=%s: %v, want %v", test.column, test.value, is, test.rowGroups)
		}
	}
	out, errs, _ := run(t, "-json", added)
	var file struct {
		Columns []struct {
			Name    string   `json:"name"`
			Path    []string `json:"path"`
			Logical string   `json:"logical_type"`
			Filters int      `json:"filters"`
			Bytes   int      `json:"bytes"`
		} `json:"columns"`
	}
	if err := json.Unmarshal([]byte(out), &file); err != nil || len(file.Columns) != 5 {
		t.Fatalf("%s, %v, %s", out, err, errs)
	}
	if c := file.Columns[1]; c.Name != "price" || c.Logical != "DECIMAL(9,2)" || c.Filters != 3 || c.Bytes == 0 {
		t.Errorf("%+v", c)
	}
	if c := file.Columns[4]; c.Name != "a.b" || len(c.Path) != 1 {
		t.Errorf("%+v", c)
	}
	if out, _, _ := run(t, added); !strings.Contains(out, "INT32 DECIMAL(9,2)") || !strings.Contains(out, "INT32 DATE") {
		t.Errorf("the table has no logical types: %s", out)
	}
	// The same file again, and a type that is refused.
	if _, errs, failed := run(t, "add", added, "-column=ratio", "-o", added); failed != 1 || !strings.Contains(errs, "DuckDB") || !strings.Contains(errs, "-any-type") {
		t.Errorf("DOUBLE: %s", errs)
	}
	if _, errs, failed := run(t, "add", added, "-column=ratio", "-any-type", "-o", added); failed != 0 {
		t.Error(errs)
	}
	if out, _, _ := run(t, "-column=ratio", "-value=1e3", added); !strings.Contains(out, ": [1]") {
		t.Errorf("%s", out)
	}
}

func TestArguments(t *testing.T) {
	for args, says := range map[string]string{
		"":                                 "no file",
		"add":                              "no file",
		"verify a -json":                   "neither",
		"verify a -value=1":                "neither",
		"verify a -any-writer":             "takes no -any-writer",
		"add a b -column=c -in-place -o=d": "exclude",
		"a -in-place":                      "only",
		"add a b -column=c -o=d":           "one file",
		"add a -o=d":                       "missing -column",
		"add a -column=c":                  "missing -o",
		"add a -column=c -o=d -value=1":    "neither",
		"a -o=d":                           "only",
		"a -any-type":                      "only",
		"a -column=b -column=c -value=1":   "one column",
		"a -rate=1":                        "between 0 and 1",
		"a -rate=0":                        "between 0 and 1",
		"add a -column=c -o=d -json=true":  "neither",
	} {
		if _, errs, failed := run(t, strings.Fields(args)...); failed != -1 || !strings.Contains(errs, says) {
			t.Errorf("%q: %q", args, errs)
		}
	}
}
