// Command lake writes the files of a table whose columns changed, and looks up every key of every file in all files:
//
//	go -C bench/parquet run ./lake
//
// A third of the files is by parquet-go, a third by arrow-go, and a third by parquet-go without filters, to which
// simdbloom adds them. Of each third, the first files have the columns id (INT32) and mail, the next ones id (INT64)
// and mail with NULLs, and the last ones mail by another name, email, and a column more. A key is lost if the row
// group that has it is left out: the exit status is 1.
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	adapter "github.com/simdbloom/simdbloom/adapters/parquet/parquetgo"
)

const rowGroups = 4 // of a file

// The table's three schemas.
type (
	first struct {
		ID   int32  `parquet:"id"`
		Mail string `parquet:"mail"`
	}
	wider struct {
		ID   int64   `parquet:"id"`
		Mail *string `parquet:"mail,optional"`
	}
	renamed struct {
		ID      int64   `parquet:"id"`
		Mail    *string `parquet:"email,optional"`
		Country string  `parquet:"country,dict"`
	}
)

// key is a row: no mail is NULL.
type key struct {
	id   int64
	mail string
}

// keyOf returns a row of a file.
func keyOf(file, row int, schema int) key {
	id := int64(file)<<16 | int64(row)
	k := key{id, fmt.Sprintf("user%d@example.com", id)}
	if schema > 0 {
		k.id |= 1 << 40 // which INT32 cannot have
		if row%3 == 0 {
			k.mail = ""
		}
	}
	return k
}

func main() {
	files := flag.Int("files", 300, "the number of files, a multiple of 3")
	rows := flag.Int("rows", 4000, "the number of rows of a file")
	flag.Parse()
	folder, err := os.MkdirTemp("", "lake")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	begun := time.Now()
	paths, schemas := make([]string, *files), make([]int, *files)
	for i := range paths {
		paths[i], schemas[i] = filepath.Join(folder, fmt.Sprint(i)), i/3*3/max(*files/3, 1)
		schemas[i] = min(schemas[i], 2)
		if err := write(paths[i], i, schemas[i], *rows); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Printf("%d files of %d rows and %d row groups, written in %v\n", *files, *rows, rowGroups, time.Since(begun).Round(time.Millisecond))
	begun = time.Now()
	lost, left, all := 0, 0, 0
	for i, path := range paths {
		l, kept, of, err := lookUp(path, i, schemas, *rows)
		if err != nil {
			log.Fatalf("%s: %v", path, err)
		}
		lost, left, all = lost+l, left+kept, all+of
	}
	fmt.Printf("%d lookups in %v: %d keys lost, %d of %d row groups left to read\n", all/rowGroups, time.Since(begun).Round(time.Millisecond), lost, left, all)
	if lost > 0 {
		os.Exit(1)
	}
}

// write writes a file by the writer whose turn it is.
func write(path string, file, schema, rows int) error {
	options := []parquetgo.WriterOption{parquetgo.MaxRowsPerRowGroup(int64((rows + rowGroups - 1) / rowGroups))}
	mail := "mail"
	if schema == 2 {
		mail = "email"
	}
	switch file % 3 {
	case 0:
		options = append(options, parquetgo.BloomFilters(parquetgo.SplitBlockFilter(16, "id"), parquetgo.SplitBlockFilter(16, mail)))
	case 1:
		return writeArrow(path, file, schema, rows, mail)
	}
	var err error
	switch schema {
	case 0:
		err = writeRows(path, rows, options, func(i int) first {
			k := keyOf(file, i, schema)
			return first{int32(k.id), k.mail}
		})
	case 1:
		err = writeRows(path, rows, options, func(i int) wider {
			k := keyOf(file, i, schema)
			return wider{k.id, mailOf(k)}
		})
	default:
		err = writeRows(path, rows, options, func(i int) renamed {
			k := keyOf(file, i, schema)
			return renamed{k.id, mailOf(k), "NL"}
		})
	}
	if err != nil || file%3 == 0 {
		return err
	}
	r, err := os.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return err
	}
	f, err := parquetgo.OpenFile(r, info.Size())
	if err != nil {
		return err
	}
	filters, err := adapter.Build(f, 0.001, "id", mail)
	if err != nil {
		return err
	}
	if err := r.Close(); err != nil {
		return err
	}
	return parquet.AddFilters(path, path, filters)
}

func mailOf(k key) *string {
	if k.mail == "" {
		return nil
	}
	return &k.mail
}

func writeRows[T any](path string, rows int, options []parquetgo.WriterOption, row func(i int) T) error {
	all := make([]T, rows)
	for i := range all {
		all[i] = row(i)
	}
	return parquetgo.WriteFile(path, all, options...)
}

// lookUp looks up, in one file, its own keys and those of the file that is a third of the table away, which has
// another schema.
func lookUp(path string, file int, schemas []int, rows int) (lost, left, all int, err error) {
	r, err := os.Open(path)
	if err != nil {
		return 0, 0, 0, err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return 0, 0, 0, err
	}
	f, err := parquet.Open(r, info.Size())
	if err != nil {
		return 0, 0, 0, err
	}
	perGroup := (rows + rowGroups - 1) / rowGroups
	for _, other := range []int{file, (file + len(schemas)/3) % len(schemas)} {
		for i := range rows {
			k := keyOf(other, i, schemas[other])
			found, err := rowGroupsOf(f, k)
			if err != nil {
				return 0, 0, 0, err
			}
			for _, groups := range found {
				all, left = all+rowGroups, left+len(groups)
				if other == file && !slices.Contains(groups, i/perGroup) {
					lost++
				}
			}
		}
	}
	return lost, left, all, nil
}

// rowGroupsOf returns the row groups that may have a key's id and its mail. This is what a program does with changed
// schemas.
func rowGroupsOf(f *parquet.File, k key) (found [][]int, err error) {
	id, err := f.Column("id")
	if err != nil {
		return nil, err
	}
	var groups []int
	switch {
	case f.Columns()[id].Type == "INT64":
		groups, err = parquet.Prune(f, "id", []int64{k.id})
	case k.id == int64(int32(k.id)):
		groups, err = parquet.Prune(f, "id", []int32{int32(k.id)})
	case k.id < math.MinInt32 || k.id > math.MaxInt32: // none
	}
	if err != nil {
		return nil, err
	}
	found = append(found, groups)
	if k.mail == "" { // NULLs are in no filter
		return found, nil
	}
	mail := "mail"
	if _, err := f.Column(mail); err != nil {
		mail = "email"
	}
	if groups, err = parquet.Prune(f, mail, []string{k.mail}); err != nil {
		return nil, err
	}
	return append(found, groups), nil
}
