//go:build duckdb

package duckdb

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"
	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	adapter "github.com/simdbloom/simdbloom/adapters/parquet/parquetgo"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

const rowGroups, perGroup = 20, 20480 // DuckDB's row groups are multiples of 2,048 rows

// database opens a database in memory, with one thread: threads make the order of rows differ.
func database(t testing.TB) *sql.DB {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	run(t, db, "set threads = 1")
	return db
}

func run(t testing.TB, db *sql.DB, query string) {
	t.Helper()
	if _, err := db.Exec(query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// rows returns what a query answers, a text for each row.
func rows(t testing.TB, db *sql.DB, query string) (all []string) {
	t.Helper()
	r, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer r.Close()
	names, _ := r.Columns()
	for r.Next() {
		values := make([]any, len(names))
		for i := range values {
			values[i] = new(any)
		}
		if err := r.Scan(values...); err != nil {
			t.Fatal(err)
		}
		var row []string
		for _, v := range values {
			row = append(row, fmt.Sprint(*v.(*any)))
		}
		all = append(all, strings.Join(row, " "))
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return all
}

// written returns a file of DuckDB without filters. Its row groups have the same smallest and largest values,
// so that statistics exclude none of them.
func written(t testing.TB, db *sql.DB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.parquet")
	run(t, db, fmt.Sprintf(`copy (
		select ((i * 7919) %% 1000003 * 10)::bigint as id, ((i * 7919) %% 1000003)::integer as number,
			'name ' || (i * 7919) %% 1000003 as name, ((i * 7919) %% 1000003)::double / 8 as ratio, i as row
		from range(%d) t(i)) to '%s' (format parquet, row_group_size %d, write_bloom_filter false)`, rowGroups*perGroup, path, perGroup))
	return path
}

var columns = []string{"id", "number", "name", "ratio"}

// withFilters writes the file again with filters, and returns its path.
func withFilters(t testing.TB, path string, change func(parquet.Filters)) string {
	t.Helper()
	data, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	info, _ := data.Stat()
	file, err := parquetgo.OpenFile(data, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(file.RowGroups()); n != rowGroups {
		t.Fatalf("%d row groups", n)
	}
	filters, err := adapter.Build(file, 0.01, columns...)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(filters)
	}
	added := filepath.Join(t.TempDir(), "added.parquet")
	if err := parquet.AddFilters(added, path, filters, parquet.WithAnyType()); err != nil {
		t.Fatal(err)
	}
	return added
}

func open(t testing.TB, path string) *parquet.File {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// probed returns the row groups that DuckDB does not exclude by a filter.
func probed(t testing.TB, db *sql.DB, path, column, value string) (may []int) {
	t.Helper()
	for g, excludes := range rows(t, db, fmt.Sprintf("select bloom_filter_excludes from parquet_bloom_probe('%s', '%s', %s) order by row_group_id", path, column, value)) {
		if excludes != "true" {
			may = append(may, g)
		}
	}
	return may
}

func TestDuckDBReadsOurs(t *testing.T) {
	db := database(t)
	path := written(t, db)
	if may := probed(t, db, path, "id", "10"); len(may) != rowGroups {
		t.Fatalf("without filters, DuckDB excludes row groups: %v are left", may)
	}
	for name, change := range map[string]func(parquet.Filters){
		"powers of two": nil,
		"other sizes": func(filters parquet.Filters) {
			for g := range filters["id"] {
				var ids []int64
				for i := g * perGroup; i < (g+1)*perGroup; i++ {
					ids = append(ids, int64(i)*7919%1000003*10)
				}
				b, err := splitblock.NewBuilder(11.3, keyhash.XX64)
				if err != nil {
					t.Fatal(err)
				}
				b.AddHashes(parquet.AppendHashes(nil, ids))
				if filters["id"][g], err = b.Filter(); err != nil {
					t.Fatal(err)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			added := withFilters(t, path, change)
			f := open(t, added)
			for g := range rowGroups {
				i := int64(g*perGroup+g) * 7919 % 1000003
				agree(t, db, f, added, "id", g, i*10, fmt.Sprint(i*10))
				agree(t, db, f, added, "number", g, int32(i), fmt.Sprint(i))
				agree(t, db, f, added, "name", g, fmt.Sprint("name ", i), fmt.Sprintf("'name %d'", i))
				agree(t, db, f, added, "ratio", g, float64(i)/8, fmt.Sprintf("%v::double", float64(i)/8))
				agree(t, db, f, added, "id", -1, i*10+5, fmt.Sprint(i*10+5))
			}
			metadata := rows(t, db, fmt.Sprintf("select row_group_id, bloom_filter_length from parquet_metadata('%s') where path_in_schema = 'id' order by row_group_id", added))
			ids, err := f.Filters("id")
			if err != nil {
				t.Fatal(err)
			}
			for g, row := range metadata {
				size := ids[g].SizeBytes()
				if want := fmt.Sprint(g, len(splitblock.AppendHeader(nil, size))+size); row != want {
					t.Errorf("DuckDB has %s, and we %s", row, want)
				}
			}
		})
	}
}

// agree compares DuckDB's answer with ours, in which row group g, if there is any, must be.
func agree[T parquet.Value](t *testing.T, db *sql.DB, f *parquet.File, path, column string, g int, value T, text string) {
	t.Helper()
	ours, err := parquet.Prune(f, column, []T{value})
	if err != nil {
		t.Fatal(err)
	}
	if theirs := probed(t, db, path, column, text); !slices.Equal(ours, theirs) {
		t.Errorf("column %s, %v: row groups %v, and DuckDB says %v", column, value, ours, theirs)
	}
	if g >= 0 && !slices.Contains(ours, g) {
		t.Errorf("column %s, %v: it is not in row group %d", column, value, g)
	}
}

// TestQueries asks 1,000 queries of the file with filters and without: the answers are the same, and DuckDB
// reads fewer bytes.
func TestQueries(t *testing.T) {
	db := database(t)
	path := written(t, db)
	added := withFilters(t, path, nil)
	if a, b := rows(t, db, fmt.Sprintf("select * from '%s'", path)), rows(t, db, fmt.Sprintf("select * from '%s'", added)); !slices.Equal(a, b) || len(a) != rowGroups*perGroup {
		t.Fatal("the files differ")
	}
	run(t, db, "set enable_external_file_cache = false")
	rng := rand.New(rand.NewPCG(3, 4))
	var read [2]uint64
	found := 0
	for q := range 1000 {
		i := rng.IntN(1000003)
		conditions := []string{
			fmt.Sprint("id = ", i*10), fmt.Sprint("id = ", i*10+5), fmt.Sprintf("name = 'name %d'", i),
			fmt.Sprint("number = ", i), fmt.Sprintf("ratio = %v::double", float64(i)/8),
		}
		var got [2][]string
		for file, name := range []string{path, added} {
			before := bytesRead(t)
			got[file] = rows(t, db, fmt.Sprintf("select * from '%s' where %s order by row", name, conditions[q%len(conditions)]))
			read[file] += bytesRead(t) - before
		}
		if !slices.Equal(got[0], got[1]) {
			t.Fatalf("%s: %v without filters, and %v with them", conditions[q%len(conditions)], got[0], got[1])
		}
		found += len(got[0])
	}
	t.Logf("DuckDB found %d rows; it read %d MB without filters, and %d MB with them", found, read[0]>>20, read[1]>>20)
	if found < 200 || read[1] > read[0]/2 {
		t.Error("it does not read less by filters")
	}
}

// bytesRead returns how many bytes this process has read from files.
func bytesRead(t testing.TB) (n uint64) {
	t.Helper()
	counters, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Skip("this system does not say how many bytes a process has read")
	}
	if _, err := fmt.Sscanf(string(counters), "rchar: %d", &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestReadsDuckDBs reads filters that DuckDB writes, which it does for columns with dictionaries.
func TestReadsDuckDBs(t *testing.T) {
	db := database(t)
	path := filepath.Join(t.TempDir(), "a.parquet")
	run(t, db, fmt.Sprintf(`copy (select ((i * 7919) %% 997 * 1000 + i // %d)::bigint as id, ((i * 7919) %% 997 * 1000 + i // %d)::integer as number,
		'name ' || (i * 7919) %% 997 * 1000 + i // %d as name, ((i * 7919) %% 997 * 1000 + i // %d)::double / 8 as ratio
		from range(%d) t(i)) to '%s' (format parquet, row_group_size %d)`, perGroup, perGroup, perGroup, perGroup, rowGroups*perGroup, path, perGroup))
	f := open(t, path)
	for _, column := range columns {
		filters, err := f.Filters(column)
		if err != nil || slices.Contains(filters, (*simdbloom.Filter)(nil)) {
			t.Fatalf("column %s: %v, %v", column, filters, err)
		}
	}
	for g := range rowGroups {
		for n := range 50 {
			i := int64(n*1000 + g)
			agree(t, db, f, path, "id", g, i, fmt.Sprint(i))
			agree(t, db, f, path, "number", g, int32(i), fmt.Sprint(i))
			agree(t, db, f, path, "ratio", g, float64(i)/8, fmt.Sprintf("%v::double", float64(i)/8))
		}
	}
}
