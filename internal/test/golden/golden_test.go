package golden_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
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
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/golden"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/sliced"
)

const root = "../../../testdata/golden"

// The most that a version's folder takes.
const (
	mostBytes       = 1_000_000
	mostBytesInFile = 200_000
)

// TestGolden opens the filters of every version. In the release, it writes this version's.
func TestGolden(t *testing.T) {
	if folder := golden.Folder(root); folder != "" {
		write(t, folder)
		return
	}
	golden.Test(t, root, golden.Filters, open)
}

// foreign is a hash that package keyhash does not have.
var foreign = keyhash.New("example.com/FNV-1a", func(key []byte) uint64 {
	h := fnv.New64a()
	h.Write(key)
	return h.Sum64()
})

// open opens a row's file in every way that reads it.
func open(_ *testing.T, path string, data []byte, r golden.Row) (golden.Row, []golden.Queries) {
	hash := foreign
	if r.Hash != foreign.Name() {
		hash = keyhash.ForName(r.Hash)
	}
	words := strings.Split(r.OpenedAs, ",")
	var f filter
	var ways []golden.Queries
	switch words[0] {
	case "file":
		file := contract.Must(filterfile.OpenBytes(data, filterfile.WithHash(hash)))
		lazy := contract.Must(filterfile.Open(path, filterfile.WithHash(hash), filterfile.WithLazyCheck()))
		g := contract.Must(simdbloom.Open(simdbloom.FastLocal, nil, hash)) // it takes any format, by its own hash
		golden.Check(g.UnmarshalBinary(data))
		info := file.Info()
		r.Name, r.Hash, r.Keys = info.Format, info.Hash, int(info.Keys)
		f, ways = file, append(ways, golden.Of(lazy), golden.Of(g))
	case "set":
		set := contract.Must(filterset.Open(path))
		golden.Check(set.Verify(context.Background(), nil))
		info := set.Info()
		r.Name, r.Hash, r.Keys = info.Format, info.Hash, int(info.Keys())
		f = set
	case "sliced":
		r.Format = "-"
		s := contract.Must(sliced.OpenBytes(data, filterfile.WithHash(hash)))
		lazy := contract.Must(sliced.Open(path, filterfile.WithHash(hash), filterfile.WithLazyCheck()))
		info := contract.Must(filterfile.ReadInfo(bytes.NewReader(data)))
		r.Name, r.Hash = info.Format, info.Hash
		return r, []golden.Queries{inAny("OpenBytes", s), inAny("Open", lazy)}
	case "text":
		g := new(simdbloom.Filter)
		golden.Check(g.UnmarshalText(data))
		f = g
	case "raw":
		f = contract.Must(simdbloom.OpenNamed(r.Name, data, hash))
		if p, err := policy.ForName(r.Name); err == nil {
			ways = append(ways, golden.Queries{Name: "Policy", One: func(key []byte) bool { return p.MayContain(data, key) }})
		}
	case "blocks":
		f = contract.Must(blobloom.OpenBlocks(data, contract.Must(strconv.Atoi(words[1])), hash))
	case "mutable":
		m := new(simdbloom.Mutable)
		if filterfile.IsFilterFile(data) {
			golden.Check(m.UnmarshalBinary(data))
		} else {
			m = contract.Must(simdbloom.OpenMutable(formatOf(r.Name, data), data, hash))
		}
		f = m
	case "concurrent":
		c := new(simdbloom.Concurrent)
		if filterfile.IsFilterFile(data) {
			golden.Check(c.UnmarshalBinary(data))
		} else {
			c = contract.Must(simdbloom.OpenConcurrent(formatOf(r.Name, data), data, hash))
		}
		f = c
	case "bitsandblooms":
		r.Format = "-"
		return r, []golden.Queries{
			golden.Of(contract.Must(bitsandblooms.Open(data))),
			{Name: "MayContain", One: func(key []byte) bool { return bitsandblooms.MayContain(data, key) }},
		}
	default:
		return openBlock(path, data, r, words)
	}
	r.Format = f.Format().String()
	return r, append(ways, golden.Of(f))
}

// inAny are queries whether any of the filters may contain a key.
func inAny(name string, s *sliced.Filters) golden.Queries {
	return golden.Queries{Name: name, One: func(key []byte) bool { return len(s.AppendKeyHits(nil, key)) > 0 }}
}

type filter interface {
	golden.Filter
	Format() simdbloom.Format
}

// formatOf returns the format of a filter.
func formatOf(name string, data []byte) simdbloom.Format {
	return contract.Must(simdbloom.OpenNamed(name, data, keyhash.XX64)).Format()
}

// openBlock opens a table's filter.
func openBlock(path string, data []byte, r golden.Row, words []string) (golden.Row, []golden.Queries) {
	p := contract.Must(policy.ForName(r.Name))
	r.Format = p.Format().String()
	o, prefixes := readOptions(words[1:])
	o.OnError = func(h filterblock.Handle, err error) { panic(fmt.Sprint(h, err)) }
	var reader *filterblock.Reader
	if words[0] == "block" {
		reader = contract.Must(filterblock.Open(p, data, o))
	} else {
		partitions := contract.Must(os.ReadFile(strings.TrimSuffix(path, ".index") + ".partitions"))
		reader = contract.Must(filterblock.OpenPartitioned(p, data[:len(data)-len(partitions)], func(h filterblock.Handle) ([]byte, error) {
			return partitions[h.Offset:][:h.Size], nil
		}, o))
	}
	if !prefixes {
		return r, []golden.Queries{{Name: "MayContain", One: reader.MayContain, Many: reader.MayContainKeys}}
	}
	prefix := func(key []byte) []byte {
		prefix, _ := o.Prefix.Prefix(key)
		return prefix
	}
	return r, []golden.Queries{{
		Name: "MayContainPrefix",
		One:  func(key []byte) bool { return reader.MayContainPrefix(prefix(key)) },
		Many: func(keys [][]byte, hits []bool) {
			all := make([][]byte, len(keys))
			for i, key := range keys {
				all[i] = prefix(key)
			}
			reader.MayContainPrefixes(all, hits)
		},
	}}
}

// readOptions returns what a reader must know of a table, and whether prefixes are looked up.
func readOptions(words []string) (o filterblock.ReadOptions, prefixes bool) {
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
			o.Prefix = contract.Must(filterblock.ParseExtractor(word))
		}
	}
	return o, prefixes
}

// TestListed: every file of a version is in a list, and all are small.
func TestListed(t *testing.T) {
	for _, folder := range golden.Versions(t, root) {
		listed := []string{golden.Filters, golden.Tables, golden.Names}
		for _, r := range append(golden.Rows(folder, golden.Filters), golden.Rows(folder, golden.Tables)...) {
			listed = append(listed, r.Files(folder)...)
		}
		sum := int64(0)
		for _, file := range golden.FilesIn(folder, ".") {
			size := contract.Must(os.Stat(filepath.Join(folder, file))).Size()
			if sum += size; !slices.Contains(listed, file) || size > mostBytesInFile || sum > mostBytes {
				t.Errorf("%s/%s: not in a list, or more than %d bytes, or %d in all", folder, file, mostBytesInFile, mostBytes)
			}
		}
	}
}

// TestNames parses the names of every version.
func TestNames(t *testing.T) {
	for _, folder := range golden.Versions(t, root) {
		_, lines, _ := strings.Cut(string(contract.Must(os.ReadFile(filepath.Join(folder, golden.Names)))), "\n")
		for line := range strings.Lines(lines) {
			want := strings.Fields(line)
			if got := strings.Fields(parsed(want[0])); !slices.Equal(got, want) {
				t.Errorf("the name %s: %q, want %q", want[0], got, want)
			}
		}
	}
}

// parsed returns a line of names.txt.
func parsed(text string) string {
	p, err := policy.Parse(text)
	if err != nil {
		return err.Error()
	}
	if q, err := policy.ForName(p.Name()); err != nil || q.Name() != p.Name() || q.Hash() != p.Hash() {
		return "there is no policy for the name " + p.Name()
	}
	return fmt.Sprintf("%s\t%s\t%v\t%s\t%v", text, p.Name(), p.Format(), p.Hash().Name(), p.BitsPerKey())
}

// TestBytes: under the names of other programs, this version writes what earlier ones did. Under the library's own, a
// builder may come to write other bytes, which is logged. It is no matter which files this version does not write.
func TestBytes(t *testing.T) {
	now := builtNow()
	for _, folder := range golden.Versions(t, root) {
		same := 0
		for _, b := range now {
			for file, data := range b.files {
				old, err := os.ReadFile(filepath.Join(folder, file))
				switch {
				case errors.Is(err, fs.ErrNotExist):
				case err != nil:
					t.Error(err)
				case bytes.Equal(old, data):
					same++
				case b.promised:
					t.Errorf("%s: other bytes are written today, under a name whose bytes are promised (CONTRIBUTING.md, Versions)", file)
				default:
					t.Logf("%s: other bytes are written today, which is allowed", file)
				}
			}
		}
		t.Logf("%s: %d files are written with the same bytes today", filepath.Base(folder), same)
	}
}
