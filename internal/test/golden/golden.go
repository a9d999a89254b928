package golden

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/simdbloom/simdbloom/internal/test/contract"
)

var update = flag.String("update-golden", "", "write what this new `version`, such as v0.2.0, stores")

// The lists of a version's folder.
const (
	Filters = "filters.txt"
	Tables  = "tables.txt"
	Names   = "names.txt"
)

const (
	MostKeys    = 300  // in filters
	firstAbsent = 1000 // the number of the first key that is in none
)

// Present are the keys that are in filters, or the first of them. Absent ones are in none.
var (
	Present = keysFrom(0, MostKeys)
	absent  = keysFrom(firstAbsent, 1000)
)

// keysFrom returns the keys of n numbers: each number's own four digits and a slash, again and again, in 5 to 304
// bytes. They never change.
func keysFrom(from, n int) (keys [][]byte) {
	for i := from; i < from+n; i++ {
		unit := fmt.Sprintf("%04x/", uint16(i*0x9e37)) // odd: all of 65,536 differ
		length := 5 + i%300
		keys = append(keys, []byte(strings.Repeat(unit, length/len(unit)+1)[:length]))
	}
	return keys
}

// TableKeys returns the keys of a table in their order: all that are present, and one behind all others, so that a
// store looks every absent key up in the table's filter.
func TableKeys() [][]byte {
	keys := append(slices.Clone(Present), []byte("~"))
	slices.SortFunc(keys, bytes.Compare)
	return keys
}

// IsPresent reports whether a key is in tables.
func IsPresent(key []byte) bool {
	return slices.ContainsFunc(Present, func(present []byte) bool { return bytes.Equal(present, key) })
}

// Row is a line of filters.txt or tables.txt.
type Row struct {
	File, OpenedAs, Name, Format, Hash string
	Keys, Hits                         int
	Answers, Bytes                     string
}

// String returns the row's fields with tabs between them.
func (r Row) String() string {
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%d\t%d\t%s\t%s", r.File, r.OpenedAs, r.Name, r.Format, r.Hash, r.Keys, r.Hits, r.Answers, r.Bytes)
}

// Rows reads a list. Like all here, it panics on errors, which Test reports.
func Rows(folder, list string) (rows []Row) {
	for line := range strings.Lines(string(contract.Must(os.ReadFile(filepath.Join(folder, list))))) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var r Row
		_, err := fmt.Sscan(line, &r.File, &r.OpenedAs, &r.Name, &r.Format, &r.Hash, &r.Keys, &r.Hits, &r.Answers, &r.Bytes)
		if err != nil || r.String() != strings.Join(strings.Fields(line), "\t") || r.Keys > MostKeys {
			panic(fmt.Sprintf("%s/%s: unexpected line %q: %v", folder, list, line, err))
		}
		rows = append(rows, r)
	}
	return rows
}

// WriteList writes a list in columns. Fields have tabs between them.
func WriteList(folder, list string, lines []string) {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(lines, "\n"))
	Check(w.Flush())
	Check(os.WriteFile(filepath.Join(folder, list), []byte(text.String()), 0o666))
}

// Check panics on an error.
func Check(err error) { contract.Must(0, err) }

// Queries are a way to look up keys.
type Queries struct {
	Name string
	One  func(key []byte) bool
	Many func(keys [][]byte, hits []bool) // or nil
}

// Filter is any filter.
type Filter interface {
	Contains(key []byte) bool
	ContainsKeys(keys [][]byte, hits []bool)
}

// Of returns the methods of a filter.
func Of(f Filter) Queries { return Queries{fmt.Sprintf("%T", f), f.Contains, f.ContainsKeys} }

// Opener opens a row's file. It returns the row with the facts in the file, and every way to look up keys, or
// none if the file is another test's.
type Opener func(t *testing.T, path string, data []byte, r Row) (Row, []Queries)

// Test opens every version's files, and compares the answers. root is testdata/golden.
func Test(t *testing.T, root, list string, open Opener) {
	t.Helper()
	opened := 0
	for _, folder := range Versions(t, root) {
		for _, want := range Rows(folder, list) {
			t.Run(filepath.Base(folder)+"/"+want.File+" as "+want.OpenedAs, func(t *testing.T) {
				defer func() {
					err := recover()
					if _, fault := err.(runtime.Error); fault {
						panic(err)
					} else if err != nil {
						t.Error(err)
					}
				}()
				if got, ok := want.answered(t, folder, open); ok {
					if opened++; got != want {
						t.Errorf("\n%q, want\n%q", got, want)
					}
				}
			})
		}
	}
	if opened == 0 && !t.Failed() {
		t.Error("no file was opened")
	}
}

// Versions returns the folders of versions.
func Versions(t *testing.T, root string) []string {
	t.Helper()
	folders := contract.Must(filepath.Glob(filepath.Join(root, "v*")))
	if len(folders) == 0 && os.Getenv("CI") == "" {
		t.Skip("only in a clone is there a folder ", root)
	}
	if len(folders) == 0 {
		t.Fatal("no version's folder in ", root)
	}
	return folders
}

// answered returns the row as it is today.
func (r Row) answered(t *testing.T, folder string, open Opener) (got Row, ok bool) {
	t.Helper()
	data := []byte{} // not nil, if the file is empty
	for _, file := range r.Files(folder) {
		data = append(data, contract.Must(os.ReadFile(filepath.Join(folder, file)))...)
	}
	sum := digest(data)
	if r.Bytes != "" && r.Bytes != sum {
		t.Fatal("other bytes than listed: did git, or a copy, change line ends?")
	}
	got, ways := open(t, filepath.Join(folder, r.File), data, r)
	got.Bytes = sum
	for i, q := range ways {
		if k := slices.Index(q.ask(t, Present[:r.Keys]), false); k >= 0 {
			t.Errorf("%s: key %d is lost", q.Name, k)
		}
		hits := 0
		var text strings.Builder
		for k, has := range q.ask(t, absent) {
			if has {
				hits++
				fmt.Fprintln(&text, firstAbsent+k)
			}
		}
		answers := digest([]byte(text.String()))
		if i > 0 && answers != got.Answers {
			t.Errorf("%s answers otherwise than %s", q.Name, ways[0].Name)
		}
		got.Hits, got.Answers = hits, answers
	}
	return got, ways != nil
}

// ask looks up keys one by one and in a batch.
func (q Queries) ask(t *testing.T, keys [][]byte) []bool {
	t.Helper()
	hits := make([]bool, len(keys))
	for i, key := range keys {
		hits[i] = q.One(key)
	}
	if q.Many != nil {
		batch := make([]bool, len(keys))
		if q.Many(keys, batch); !slices.Equal(batch, hits) {
			t.Errorf("%s: a batch answers otherwise than one key", q.Name)
		}
	}
	return hits
}

// Files returns the names of the row's files: of partitions and their index, and of all that are in a set.
func (r Row) Files(folder string) []string {
	switch path.Ext(r.File) {
	case ".index":
		return []string{r.File, strings.TrimSuffix(r.File, ".index") + ".partitions"}
	case ".set":
		return FilesIn(folder, r.File)
	}
	return []string{r.File}
}

// FilesIn returns the names of the files in a folder's folder, in lexical order.
func FilesIn(folder, under string) (files []string) {
	Check(fs.WalkDir(os.DirFS(folder), under, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, file)
		}
		return err
	}))
	return files
}

// digest is enough of one to tell that something has changed.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// Folder returns the folder of the version that -update-golden names, or "".
func Folder(root string) string {
	if *update == "" {
		return ""
	}
	if !regexp.MustCompile(`^v\d+\.\d+\.\d+$`).MatchString(*update) {
		panic("-update-golden must be a version such as v0.2.0, not " + *update)
	}
	return filepath.Join(root, *update)
}

// Store writes a file of a new version. None that is there is changed.
func Store(folder, file string, data []byte) {
	to := filepath.Join(folder, file)
	Check(os.MkdirAll(filepath.Dir(to), 0o777))
	f := contract.Must(os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666))
	contract.Must(f.Write(data))
	Check(f.Close())
}

// List adds rows to a list of a new version, with their files' answers.
func List(t *testing.T, folder, list string, rows []Row, open Opener) {
	lines := []string{"# file\topened as\tname\tformat\thash\tkeys\thits\tanswers\tbytes"}
	if _, err := os.Stat(filepath.Join(folder, list)); err == nil {
		for _, r := range Rows(folder, list) {
			lines = append(lines, r.String())
		}
	}
	for _, r := range rows {
		r, _ = r.answered(t, folder, open)
		lines = append(lines, r.String())
	}
	if !t.Failed() {
		WriteList(folder, list, lines)
	}
}
