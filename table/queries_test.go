package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
)

// opened opens a table in memory.
func opened(t testing.TB, data []byte, options ...Option) *Table {
	t.Helper()
	read, err := open(data, options...)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func answersFor(t *Table, keys [][]byte) ([]Answer, error) {
	var queries []Query
	for _, key := range keys {
		queries = append(queries, Query{Key: key})
	}
	return t.Answers(queries)
}

// tableKeys are the keys of most tables.
func tableKeys(n int) (keys [][]byte) {
	for i := range n {
		keys = append(keys, fmt.Appendf(nil, "key%05d", i))
	}
	return keys
}

// absentKeys are keys of no table.
func absentKeys(n int) (keys [][]byte) {
	for i := range n {
		keys = append(keys, fmt.Appendf(nil, "absent%d", i))
	}
	return keys
}

// presentIn returns the keys of one of the tables in testdata.
func presentIn(name string, read *Table) [][]byte {
	if strings.HasSuffix(name, ".ldb") {
		keys := tableKeys(1000)
		for i := range 1000 {
			keys = append(keys, binary.BigEndian.AppendUint32(nil, 0x80ff0000+uint32(i)*101))
		}
		return keys
	}
	return tableKeys(int(read.Properties.NumEntries))
}

// TestFilterBlocks compares answers of LevelDB's filters with those of package leveldb for a
// data block.
func TestFilterBlocks(t *testing.T) {
	either := []keyhash.Hash{keyhash.LevelDB32, keyhash.LevelDB32Signed}
	for name, hashes := range map[string][]keyhash.Hash{
		"leveldb.ldb": either[:1], "goleveldb.ldb": either, "goleveldb-snappy.ldb": either, "block-based.sst": either[1:],
	} {
		read := opened(t, testTable(t, name), WithOrder(Bytewise))
		stored, err := read.readBlockFilters()
		if err != nil {
			t.Fatal(err)
		}
		var blocks []*leveldb.Block
		if f, err := read.OpenFilter([]byte{6}); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%s: a filter of one byte: %v, %v", name, f, err)
		}
		for _, hash := range hashes {
			block, err := leveldb.OpenBlock(stored.data, hash)
			if err != nil {
				t.Fatal(err)
			}
			blocks = append(blocks, block)
		}
		var keys [][]byte
		for i := range 5000 {
			keys = append(keys, binary.BigEndian.AppendUint32(nil, 0x80ff0000+uint32(i)), fmt.Appendf(nil, "key%06d", 137*i))
		}
		answers, err := answersFor(read, keys)
		if err != nil {
			t.Fatal(err)
		}
		none := 0
		for i, key := range keys {
			want := false
			if offsets := stored.offsetsOf(key); len(offsets) > 0 {
				want = slices.ContainsFunc(blocks, func(b *leveldb.Block) bool { return b.MayContain(offsets[0], key) })
			} else if none++; !strings.Contains(answers[i].Why, "above all keys") {
				t.Errorf("%s: %x: %v", name, key, answers[i])
			}
			if answers[i].MayContain != want {
				t.Fatalf("%s: %x: %v, want %v", name, key, answers[i], want)
			}
		}
		if none == len(keys) {
			t.Errorf("%s: no key is in the range of the table", name)
		}
	}
}

// TestEitherHash opens filters of both kinds without knowing which. They differ for keys whose last bytes, behind
// whole words of 4, are above 127.
func TestEitherHash(t *testing.T) {
	var keys, absent [][]byte
	for i := range 3000 {
		keys = append(keys, binary.LittleEndian.AppendUint32([]byte{1}, 0x80ff0000+uint32(i)*101), fmt.Appendf(nil, "key%05d", i))
		absent = append(absent, binary.LittleEndian.AppendUint32([]byte{1}, 0xc0ff0000+uint32(i)*101), fmt.Appendf(nil, "absent%05d", i))
	}
	all := slices.Concat(keys, absent)
	for _, hash := range []keyhash.Hash{keyhash.LevelDB32, keyhash.LevelDB32Signed} {
		b, err := leveldb.NewBuilder(10, hash)
		if err != nil {
			t.Fatal(err)
		}
		b.AddKeys(keys)
		f, err := openerOf(layoutBlockBased, oldLevelDBName)(finished(t, b))
		if err != nil {
			t.Fatal(err)
		}
		hits := make([]bool, len(all))
		f.containsKeys(all, hits)
		found := 0
		for i, key := range all {
			if hits[i] != f.contains(key) || i < len(keys) && !hits[i] {
				t.Fatalf("%s: %x: %v", hash.Name(), key, hits[i])
			}
			if i >= len(keys) && hits[i] {
				found++
			}
		}
		if found == 0 || found > len(absent)/20 || f.alwaysTrue() {
			t.Errorf("%s: %d of %d absent keys are found", hash.Name(), found, len(absent))
		}
	}
}

// TestDamagedTables: an error, or the answer "may contain", but no key is lost, as far as
// checksums tell. Changes of the footer may make another format of it.
func TestDamagedTables(t *testing.T) {
	step := 11
	if testing.Short() {
		step = 37
	}
	for _, name := range []string{
		"legacy-2.sst", "partitioned-3.sst", "partitioned-prefixes.sst", "partitioned-descending.sst", "ribbon.sst",
		"leveldb.ldb", "block-based.sst", "goleveldb-paired.ldb",
	} {
		data := testTable(t, name)
		keys := presentIn(name, opened(t, data))
		for at := len(data) - 6000; at < len(data)-48; at += step {
			if at < 0 {
				continue
			}
			changed := bytes.Clone(data)
			changed[at] ^= 1 << (at % 8)
			read, err := Open(bytes.NewReader(changed), int64(len(changed)))
			if err != nil {
				continue
			}
			var queries []Query
			for _, key := range keys {
				queries = append(queries, Query{Key: key}, Query{Key: key, Prefix: true})
			}
			answers, err := read.Answers(queries)
			for i, a := range answers {
				if err == nil && !a.MayContain {
					t.Fatalf("%s: byte %d was changed, and %+v is lost", name, at, queries[i])
				}
			}
		}
	}
}

// TestAllFilters: with a comparator that is unknown, a key may be in any filter.
func TestAllFilters(t *testing.T) {
	blockBased := opened(t, testTable(t, "block-based.sst"))
	blockBased.Properties.Comparator = "another's"
	// This table has no checksums.
	partitioned := testTable(t, "partitioned-restarts.sst")
	partitioned = bytes.ReplaceAll(partitioned, []byte("leveldb.BytewiseComparator"), []byte("leveldb.BytewiseComparison"))
	for name, read := range map[string]*Table{"block-based": blockBased, "partitioned": opened(t, partitioned)} {
		keys := tableKeys(1000)
		for i := range 1000 {
			keys = append(keys, fmt.Appendf(nil, "absent %d", i))
		}
		answers, err := answersFor(read, keys)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for i, a := range answers {
			switch {
			case i < 1000 && !a.MayContain || a.MayContain != strings.Contains(a.Why, "is unknown, so any of the table"):
				t.Fatalf("%s: key %d: %v", name, i, a)
			case i >= 1000 && a.MayContain:
				found++
			}
		}
		if found == 0 || found > 300 { // about one in 100 for each filter
			t.Errorf("%s: %d absent keys of 1000 are found", name, found)
		}
	}
}
