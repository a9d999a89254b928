//go:build duckdb

package duckdb

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	adapter "github.com/simdbloom/simdbloom/adapters/parquet/parquetgo"
)

// TestTypes compares DuckDB's counts in files with our filters and without, for each type that DuckDB writes. Filters
// of the types that WithAnyType allows may lead to wrong counts, and no others: docs/parquet.md has the results.
func TestTypes(t *testing.T) {
	db := database(t)
	for _, test := range []struct {
		name, of string // an expression of i
		present  string // a value of row 3
		refused  bool   // by AddFilters
	}{
		{"TINYINT", "(i * 2)::tinyint", "6::tinyint", false},
		{"SMALLINT", "(i * 2)::smallint", "6::smallint", false},
		{"INTEGER", "(i * 2)::integer", "6", false},
		{"BIGINT", "(i * 2)::bigint", "6::bigint", false},
		{"UTINYINT", "(i * 2)::utinyint", "6::utinyint", false},
		{"USMALLINT", "(i * 2)::usmallint", "6::usmallint", false},
		{"UINTEGER", "(i * 2 + 3000000000)::uinteger", "3000000006::uinteger", false},
		{"UBIGINT", "(i * 2)::ubigint", "6::ubigint", false},
		{"DECIMAL(9,2)", "(i * 0.5)::decimal(9,2)", "1.5::decimal(9,2)", false},
		{"DECIMAL(18,4)", "(i * 0.5)::decimal(18,4)", "1.5::decimal(18,4)", false},
		{"DECIMAL(30,4)", "(i * 0.5)::decimal(30,4)", "1.5::decimal(30,4)", false},
		{"DATE", "date '2000-01-01' + (i * 2)::integer", "date '2000-01-07'", false},
		{"TIME", "time '00:00:00' + to_seconds(i * 2)", "time '00:00:06'", false},
		{"TIMESTAMP", "timestamp '2000-01-01' + to_seconds(i * 2)", "timestamp '2000-01-01 00:00:06'", false},
		{"TIMESTAMP_MS", "(timestamp '2000-01-01' + to_seconds(i * 2))::timestamp_ms", "timestamp_ms '2000-01-01 00:00:06'", false},
		{"TIMESTAMP_NS", "(timestamp '2000-01-01' + to_seconds(i * 2))::timestamp_ns", "timestamp_ns '2000-01-01 00:00:06'", false},
		{"TIMESTAMPTZ", "(timestamp '2000-01-01' + to_seconds(i * 2))::timestamptz", "(timestamp '2000-01-01 00:00:06')::timestamptz", false},
		{"UUID", "('00000000-0000-0000-0000-0000000000' || lpad((i * 2)::varchar, 2, '0'))::uuid", "uuid '00000000-0000-0000-0000-000000000006'", false},
		{"VARCHAR", "'text ' || i * 2", "'text 6'", false},
		{"ENUM", "(case when i % 2 = 0 then 'a' else 'c' end)::enum('a', 'b', 'c')", "'c'", false},
		{"JSON", "('{\"a\":' || i * 2 || '}')::json", "'{\"a\":6}'::json", false},
		{"BLOB", "('text ' || i * 2)::blob", "'text 6'::blob", true},
		{"BLOB, not ASCII", "('\\xFF' || i * 2)::blob", "'\\xFF6'::blob", true},
		{"FLOAT", "(i * 0.5)::float", "1.5::float", true},
		{"DOUBLE", "(i * 0.5)::double", "1.5::double", true},
		{"FLOAT, -0", "case when i = 3 then '-0'::float else (i + 1)::float end", "0::float", true},
		{"DOUBLE, -0", "case when i = 3 then '-0'::double else (i + 1)::double end", "0::double", true},
		{"DOUBLE, NaN", "case when i = 3 then 'nan'::double else i::double end", "'nan'::double", true},
	} {
		path := filepath.Join(t.TempDir(), "a.parquet")
		run(t, db, fmt.Sprintf("copy (select %s as v from range(50) t(i)) to '%s' (format parquet, write_bloom_filter false)", test.of, path))
		added := filepath.Join(filepath.Dir(path), "added.parquet")
		filters := filtersOf(t, path)
		err := parquet.AddFilters(added, path, filters)
		if (err != nil) != test.refused {
			t.Errorf("%s: %v", test.name, err)
		}
		if err := parquet.AddFilters(added, path, filters, parquet.WithAnyType()); err != nil {
			t.Fatal(err)
		}
		counts := [2]string{}
		for i, name := range []string{path, added} {
			counts[i] = rows(t, db, fmt.Sprintf("select count(*) from '%s' where v = %s", name, test.present))[0]
		}
		if counts[0] == "0" {
			t.Errorf("%s: %s is not there", test.name, test.present)
		}
		result := "right"
		if counts[0] != counts[1] {
			result = "wrong"
			if !test.refused {
				t.Errorf("%s: %s without filters, and %s with them", test.name, counts[0], counts[1])
			}
		}
		excluded := rows(t, db, fmt.Sprintf("select bloom_filter_excludes from parquet_bloom_probe('%s', 'v', %s)", added, test.present))
		t.Logf("%-14s %s; with its value %v", test.name, result, excluded)
	}
}

// filtersOf returns filters of column v.
func filtersOf(t *testing.T, path string) parquet.Filters {
	t.Helper()
	r, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquetgo.OpenFile(r, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	filters, err := adapter.Build(f, 0.001, "v")
	if err != nil {
		t.Fatal(err)
	}
	return filters
}
