package golden

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bitsandblooms"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

const (
	root        = "../../../testdata/golden"
	filtersFile = "filters.txt"
	namesFile   = "names.txt"
)

// Keys up to mostKeys are in filters. Those of numbers from firstAbsent on are in none.
const (
	mostKeys    = 300
	firstAbsent = 1000
	numAbsent   = 1000
)

// key returns the key of a number: its own four digits and a slash, again and again, in 5 to 304 bytes. It
// never changes.
func key(i int) []byte {
	unit := fmt.Sprintf("%04x/", uint16(i*0x9e37)) // odd: all of 65,536 differ
	length := 5 + i%300
	return []byte(strings.Repeat(unit, length/len(unit)+1)[:length])
}

// keysFrom returns the keys of n numbers.
func keysFrom(from, n int) (keys [][]byte) {
	for i := range n {
		keys = append(keys, key(from+i))
	}
	return keys
}

// foreign is a hash that package keyhash does not have.
var foreign = keyhash.New("example.com/FNV-1a", func(key []byte) uint64 {
	h := fnv.New64a()
	h.Write(key)
	return h.Sum64()
})

func hashNamed(name string) keyhash.Hash {
	if name == foreign.Name() {
		return foreign
	}
	return keyhash.ForName(name)
}

// row is a line of filters.txt.
type row struct {
	file, openedAs, name, format, hash string
	keys, hits                         int
	answers, bytes                     string
}

func (r row) fields() []string {
	return []string{r.file, r.openedAs, r.name, r.format, r.hash, strconv.Itoa(r.keys), strconv.Itoa(r.hits), r.answers, r.bytes}
}

var rowHeads = []string{"# file", "opened as", "name", "format", "hash", "keys", "hits", "answers", "bytes"}

// digest is enough of one to tell that something has changed.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// queries are a way to look up keys in an opened filter.
type queries struct {
	name string
	one  func(key []byte) bool
	many func(keys [][]byte, hits []bool) // or nil
}

func queriesOf(name string, f interface {
	Contains(key []byte) bool
	ContainsKeys(keys [][]byte, hits []bool)
},
) queries {
	return queries{name, f.Contains, f.ContainsKeys}
}

// opened is what a file is.
type opened struct {
	format  string
	ways    []queries
	prefix  *filterblock.Extractor // if prefixes are looked up
	content []byte                 // of all files
	files   []string               // in the folder
}

// open opens a row's file in every way that reads it.
func open(folder string, r row) (opened, error) {
	o, err := contentOf(folder, r.file)
	if err != nil {
		return o, err
	}
	data, hash := o.content, hashNamed(r.hash)
	use := func(format simdbloom.Format, ways ...queries) (opened, error) {
		o.format, o.ways = format.String(), ways
		return o, nil
	}
	words := strings.Split(r.openedAs, ",")
	switch words[0] {
	case "file":
		f, err := filterfile.OpenBytes(data, filterfile.WithHash(hash))
		if err != nil {
			return o, err
		}
		lazy, err := filterfile.Open(filepath.Join(folder, filepath.FromSlash(r.file)), filterfile.WithHash(hash), filterfile.WithLazyCheck())
		if err != nil {
			return o, err
		}
		g, err := simdbloom.Open(simdbloom.FastLocal, nil, hash) // it takes any format, by its own hash
		if err == nil {
			err = g.UnmarshalBinary(data)
		}
		if info := f.Info(); err == nil && (info.Format != r.name || info.Hash != r.hash || info.Keys != int64(r.keys)) {
			err = fmt.Errorf("the file says %+v", info)
		}
		if err != nil {
			return o, err
		}
		return use(f.Format(), queriesOf("filterfile.OpenBytes", f), queriesOf("filterfile.Open", lazy), queriesOf("UnmarshalBinary", g))
	case "text":
		var f simdbloom.Filter
		if err := f.UnmarshalText(data); err != nil {
			return o, err
		}
		return use(f.Format(), queriesOf("UnmarshalText", &f))
	case "raw":
		f, err := simdbloom.OpenNamed(r.name, data, hash)
		if err != nil {
			return o, err
		}
		ways := []queries{queriesOf("OpenNamed", f)}
		if p, err := policy.ForName(r.name); err == nil {
			ways = append(ways, queries{name: "Policy.MayContain", one: func(key []byte) bool { return p.MayContain(data, key) }})
		}
		return use(f.Format(), ways...)
	case "blocks":
		k, err := strconv.Atoi(words[1])
		if err != nil {
			return o, err
		}
		f, err := blobloom.OpenBlocks(data, k, hash)
		if err != nil {
			return o, err
		}
		return use(f.Format(), queriesOf("OpenBlocks", f))
	case "mutable":
		m := new(simdbloom.Mutable)
		if filterfile.IsFilterFile(data) {
			err = m.UnmarshalBinary(data)
		} else {
			m, err = simdbloom.OpenMutable(formatNamed(r.format), data, hash)
		}
		if err != nil {
			return o, err
		}
		return use(m.Format(), queriesOf("Mutable", m))
	case "concurrent":
		c := new(simdbloom.Concurrent)
		if filterfile.IsFilterFile(data) {
			err = c.UnmarshalBinary(data)
		} else {
			c, err = simdbloom.OpenConcurrent(formatNamed(r.format), data, hash)
		}
		if err != nil {
			return o, err
		}
		return use(c.Format(), queriesOf("Concurrent", c))
	case "set":
		set, err := filterfile.OpenSet(filepath.Join(folder, filepath.FromSlash(r.file)))
		if err == nil {
			err = set.Verify(context.Background(), nil)
		}
		if err != nil {
			return o, err
		}
		if info := set.Info(); info.Format != r.name || info.Hash != r.hash || info.Keys() != int64(r.keys) {
			return o, fmt.Errorf("the manifest says %s, %s, %d keys", info.Format, info.Hash, info.Keys())
		}
		return use(set.Format(), queriesOf("OpenSet", set))
	case "bitsandblooms":
		f, err := bitsandblooms.Open(data)
		if err != nil {
			return o, err
		}
		o.format = "-"
		o.ways = []queries{
			queriesOf("bitsandblooms.Open", f),
			{name: "bitsandblooms.MayContain", one: func(key []byte) bool { return bitsandblooms.MayContain(data, key) }},
		}
		return o, nil
	case "block", "partitions":
		return o, o.openBlock(folder, r, words)
	}
	return o, fmt.Errorf("unknown way to open: %q", r.openedAs)
}

// openBlock opens a table's filter.
func (o *opened) openBlock(folder string, r row, words []string) error {
	p, err := policy.ForName(r.name)
	if err != nil {
		return err
	}
	options, ask, err := blockOptions(words[1:])
	if err != nil {
		return err
	}
	o.format = p.Format().String()
	options.OnError = func(h filterblock.Handle, err error) { panic(fmt.Sprint(r.file, h, err)) }
	var reader *filterblock.Reader
	if words[0] == "block" {
		reader, err = filterblock.Open(p, o.content, options)
	} else {
		var index, partitions []byte
		if index, err = read(folder, o.files[0]); err == nil {
			partitions, err = read(folder, o.files[1])
		}
		if err != nil {
			return err
		}
		reader, err = filterblock.OpenPartitioned(p, index, func(h filterblock.Handle) ([]byte, error) {
			if size := uint64(len(partitions)); h.Offset > size || h.Size > size-h.Offset {
				return nil, errors.New("a partition beyond the end of the file")
			}
			return partitions[h.Offset : h.Offset+h.Size], nil
		}, options)
	}
	if err != nil {
		return err
	}
	o.ways = []queries{{"MayContain", reader.MayContain, reader.MayContainKeys}}
	if ask {
		o.prefix = options.Prefix
		o.ways = []queries{{"MayContainPrefix", reader.MayContainPrefix, reader.MayContainPrefixes}}
	}
	return nil
}

// blockOptions returns what a reader must know of a table, and whether prefixes are looked up.
func blockOptions(words []string) (o filterblock.ReadOptions, prefixes bool, err error) {
	for _, word := range words {
		switch word {
		case "whole":
			o.WholeKeys = true
		case "prefixes":
			prefixes = true
		case "fullhandles":
			o.Index.FullHandles = true
		case "internalkeys":
			o.Index.InternalKeys = true
		default:
			if o.Prefix, err = filterblock.ParseExtractor(word); err != nil {
				return o, false, err
			}
		}
	}
	return o, prefixes, nil
}

func formatNamed(name string) simdbloom.Format {
	for f := range simdbloom.Format(255) {
		if f.String() == name {
			return f
		}
	}
	return 255
}

func read(folder, file string) ([]byte, error) {
	return os.ReadFile(filepath.Join(folder, filepath.FromSlash(file)))
}

// contentOf reads a file, or all files of what is more than one: partitions and their index, and a set.
func contentOf(folder, file string) (o opened, err error) {
	o.files = []string{file}
	if base, ok := strings.CutSuffix(file, ".index"); ok {
		o.files = append(o.files, base+".partitions")
	}
	if path.Ext(file) == ".set" {
		if o.files, err = filesIn(folder, file); err != nil {
			return o, err
		}
	}
	o.content = []byte{} // not nil, if the file is empty
	for _, one := range o.files {
		data, err := read(folder, one)
		if err != nil {
			return o, err
		}
		o.content = append(o.content, data...)
	}
	return o, nil
}

// filesIn returns the files in a folder's folder, in lexical order.
func filesIn(folder, under string) (files []string, err error) {
	err = fs.WalkDir(os.DirFS(folder), under, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, file)
		}
		return err
	})
	return files, err
}

var (
	presentKeys = keysFrom(0, mostKeys)
	absentKeys  = keysFrom(firstAbsent, numAbsent)
)

// answers looks up a row's keys and the absent ones in every way, and returns how many absent ones hit, and
// which.
func (o *opened) answers(t *testing.T, r row) (hits int, which string) {
	t.Helper()
	for i, q := range o.ways {
		for k, has := range o.ask(t, q, presentKeys[:r.keys]) {
			if !has {
				t.Errorf("%s as %s, %s: key %d is lost", r.file, r.openedAs, q.name, k)
				break
			}
		}
		var text strings.Builder
		n := 0
		for k, has := range o.ask(t, q, absentKeys) {
			if has {
				n++
				fmt.Fprintln(&text, firstAbsent+k)
			}
		}
		if sum := digest([]byte(text.String())); i == 0 {
			hits, which = n, sum
		} else if sum != which {
			t.Errorf("%s as %s: %s answers otherwise than %s", r.file, r.openedAs, q.name, o.ways[0].name)
		}
	}
	return hits, which
}

// ask looks up keys, or their prefixes, one by one and in batches.
func (o *opened) ask(t *testing.T, q queries, keys [][]byte) []bool {
	t.Helper()
	if o.prefix != nil {
		keys = slices.Clone(keys)
		for i := range keys {
			keys[i], _ = o.prefix.Prefix(keys[i])
		}
	}
	hits := make([]bool, len(keys))
	for i, key := range keys {
		hits[i] = q.one(key)
	}
	if q.many != nil {
		batch := make([]bool, len(keys))
		q.many(keys, batch)
		if !slices.Equal(batch, hits) {
			t.Errorf("%s: a batch answers otherwise than one key", q.name)
		}
	}
	return hits
}

// table returns the fields of a text's lines. Fields are apart by two spaces or more.
func table(t *testing.T, folder, file string, columns int) (rows [][]string) {
	t.Helper()
	text, err := read(folder, file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != columns || !strings.HasSuffix(line, "\n") {
			t.Fatalf("%s/%s: unexpected line %q", folder, file, line)
		}
		rows = append(rows, fields)
	}
	return rows
}

func rows(t *testing.T, folder string) (all []row) {
	t.Helper()
	for _, f := range table(t, folder, filtersFile, len(rowHeads)) {
		keys, err := strconv.Atoi(f[5])
		hits, err2 := strconv.Atoi(f[6])
		if err := errors.Join(err, err2); err != nil || keys < 0 || keys > mostKeys {
			t.Fatalf("%s/%s: %q: %v", folder, filtersFile, f, err)
		}
		all = append(all, row{f[0], f[1], f[2], f[3], f[4], keys, hits, f[7], f[8]})
	}
	return all
}

// versions returns the versions' folders.
func versions(t *testing.T) []string {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(root, "v*"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("%s has no version's folder: %v", root, err)
	}
	return folders
}

// TestGolden opens what every version stored.
func TestGolden(t *testing.T) {
	if *update != "" {
		write(t, *update)
	}
	for _, folder := range versions(t) {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			listed := map[string]bool{filtersFile: true, namesFile: true}
			all := rows(t, folder)
			for _, want := range all {
				o, err := open(folder, want)
				for _, file := range o.files {
					listed[file] = true
				}
				got := want
				if o.content != nil {
					got.bytes = digest(o.content)
				}
				if err == nil && got.bytes == want.bytes {
					got.format = o.format
					got.hits, got.answers = o.answers(t, want)
				}
				switch {
				case got.bytes != want.bytes:
					t.Errorf("%s: other bytes than %s lists: did git, or a copy, change line ends?", want.file, filtersFile)
				case err != nil:
					t.Errorf("%s as %s: %v", want.file, want.openedAs, err)
				case got != want:
					t.Errorf("%s as %s:\n%q, want\n%q", want.file, want.openedAs, got.fields(), want.fields())
				}
			}
			files, err := filesIn(folder, ".")
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				if !listed[file] {
					t.Errorf("%s is not listed in %s", file, filtersFile)
				}
			}
			testNames(t, folder)
			t.Logf("%d ways to open %d files", len(all), len(files)-2)
		})
	}
}

// testNames parses the names of a version.
func testNames(t *testing.T, folder string) {
	for _, want := range table(t, folder, namesFile, len(nameHeads)) {
		got, err := parsed(want[0])
		if err != nil {
			t.Error(err)
		} else if !slices.Equal(got, want) {
			t.Errorf("the name %s: %q, want %q", want[0], got[1:], want[1:])
		}
	}
}

var nameHeads = []string{"# text", "name", "format", "hash", "bits"}

// parsed returns a line of names.txt.
func parsed(text string) ([]string, error) {
	p, err := policy.Parse(text)
	if err != nil {
		return nil, err
	}
	if q, err := policy.ForName(p.Name()); err != nil || q.Name() != p.Name() || q.Hash() != p.Hash() {
		return nil, fmt.Errorf("%s: no policy for its name %s: %w", text, p.Name(), err)
	}
	return []string{text, p.Name(), p.Format().String(), p.Hash().Name(), strconv.FormatFloat(p.BitsPerKey(), 'f', -1, 64)}, nil
}

// TestBytes logs which files this version would write with other bytes. A builder may come to do so, except under
// the names of other programs, whose bytes package vectors has. It is no matter which files this version does
// not write.
func TestBytes(t *testing.T) {
	now := builtNow(t)
	for _, folder := range versions(t) {
		t.Logf("%s: %d files are written with the same bytes today", filepath.Base(folder), logOtherBytes(t, folder, now))
	}
}

// logOtherBytes returns how many files are written with the same bytes.
func logOtherBytes(t *testing.T, folder string, now []built) (same int) {
	for _, b := range now {
		for file, data := range b.files {
			old, err := read(folder, file)
			switch {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil:
				t.Error(err)
			case bytes.Equal(old, data):
				same++
			case b.promised:
				t.Logf("%s: other bytes are written today, UNDER A NAME WHOSE BYTES ARE PROMISED (CONTRIBUTING.md, Versions)", file)
			default:
				t.Logf("%s: other bytes are written today, which is allowed", file)
			}
		}
	}
	return same
}
