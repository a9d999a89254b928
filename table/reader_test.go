package table

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
)

// TestReader: package filterblock's reader of a table answers as the table does.
func TestReader(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("testdata", "*.sst"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		name = filepath.Base(name)
		read := opened(t, testTable(t, name))
		r, err := read.Reader(filterblock.ReadOptions{OnError: func(h filterblock.Handle, err error) {
			t.Errorf("%s: %v: %v", name, h, err)
		}})
		if read.Layout != layoutFull && read.Layout != layoutPartitioned {
			if !errors.Is(err, ErrUnsupported) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		keys := tableKeys(3000)
		want, got := make([]bool, len(keys)), make([]bool, len(keys))
		if err := read.MayContainKeys(keys, want); err != nil {
			t.Fatal(err)
		}
		r.MayContainKeys(keys, got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: a batch gets other answers", name)
		}
		for i, key := range keys {
			if r.MayContain(key) != want[i] {
				t.Fatalf("%s: %s: not %v", name, key, want[i])
			}
			// The reader does not look up prefixes in descending order.
			if prefix, byReader := key[:7], r.MayContainPrefix(key[:7]); read.Properties.Prefixes {
				always := read.Properties.Comparator == reverseBytewise && byReader
				if may, err := read.MayContainPrefix(prefix); err != nil || may != byReader && !always {
					t.Fatalf("%s: prefix %s: %v, %v", name, prefix, may, err)
				}
			}
		}
	}
}

// TestReaderOfOrders: descending keys are found, and those in an order that is unknown, in all partitions.
func TestReaderOfOrders(t *testing.T) {
	for _, wholeKeys := range []bool{false, true} {
		p := prefixTable{keys: tableKeys(500), comparator: reverseBytewise, extractor: "fixed:7", wholeKeys: wholeKeys}
		r, err := opened(t, p.write(t, 20)).Reader(filterblock.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range p.keys {
			if !r.MayContain(key) || !r.MayContainPrefix(key[:7]) || !r.MayContainSeek(key) {
				t.Fatalf("%s is lost", key)
			}
		}
		if r.MayContain([]byte("absent key")) {
			t.Error("an absent key is there")
		}
		p.comparator = "another's"
		if r, err = opened(t, p.write(t, 20)).Reader(filterblock.ReadOptions{}); err != nil {
			t.Fatal(err)
		}
		hits := make([]bool, 2*len(p.keys))
		r.MayContainKeys(slices.Concat(p.keys, absentKeys(len(p.keys))), hits)
		for i, key := range p.keys {
			if !hits[i] || !r.MayContain(key) || !r.MayContainPrefix(key[:7]) || !r.MayContainSeek(key) {
				t.Fatalf("%s is lost", key)
			}
		}
		if slices.Index(hits[len(p.keys):], false) < 0 {
			t.Error("no absent key gets a no")
		}
	}
}

// TestReaderWithOwnExtractor: prefixes of a program's own extractor are looked up if the table names it.
func TestReaderWithOwnExtractor(t *testing.T) {
	upToColon := func(key []byte) ([]byte, bool) {
		i := slices.Index(key, ':')
		return key[:max(i, 0)], i >= 0
	}
	read := opened(t, testTable(t, "keys-and-prefixes.sst"))
	for name, want := range map[string]bool{"colon": false, "another": true} {
		read.Properties.PrefixExtractor = "colon"
		r, err := read.Reader(filterblock.ReadOptions{Prefix: filterblock.NewExtractor(name, upToColon)})
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for i := range 100 {
			if r.MayContainSeek(fmt.Appendf(nil, "absent%d:", i)) {
				found++
			}
		}
		if want && found != 100 || !want && found > 20 {
			t.Errorf("%s: %d of 100", name, found)
		}
	}
}

// TestReaderOfUnknownFilters is an error of both kinds.
func TestReaderOfUnknownFilters(t *testing.T) {
	_, err := tableOf(t, fullFilter, "another's", make([]byte, 70)).Reader(filterblock.ReadOptions{})
	if !errors.Is(err, ErrUnsupported) || !errors.Is(err, simdbloom.ErrUnknown) || !strings.Contains(err.Error(), `"another's"`) {
		t.Error(err)
	}
}

// TestReaderOfDamagedTables: an index that cannot be read any more is an error, and no reader. A partition that cannot
// may contain every key.
func TestReaderOfDamagedTables(t *testing.T) {
	data := testTable(t, "partitioned.sst")
	read := opened(t, data)
	data[read.filter.offset] ^= 1
	if r, err := read.Reader(filterblock.ReadOptions{}); r != nil || !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Error(r, err)
	}
	data[read.filter.offset] ^= 1
	var failed error
	r, err := read.Reader(filterblock.ReadOptions{OnError: func(_ filterblock.Handle, err error) { failed = err }})
	data[read.filters.rows[0].handle.offset] ^= 1
	if err != nil || !r.MayContain([]byte("key00000")) || !r.MayContain([]byte("absent")) || !errors.Is(failed, simdbloom.ErrCorrupt) || !strings.Contains(failed.Error(), "the filter's partition 1 of ") {
		t.Error(failed, err)
	}
}

// TestReaderOfUnknownPrefixes: a filter of nothing but prefixes needs an extractor.
func TestReaderOfUnknownPrefixes(t *testing.T) {
	read := opened(t, testTable(t, "prefixes.sst"))
	read.Properties.PrefixExtractor = "half"
	if _, err := read.Reader(filterblock.ReadOptions{}); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), `prefixes by "half"`) {
		t.Errorf("without an extractor: %v", err)
	}
	half := func(key []byte) ([]byte, bool) { return key[:len(key)/2], true }
	for name, want := range map[string]bool{"half": false, "another": true} {
		r, err := read.Reader(filterblock.ReadOptions{Prefix: filterblock.NewExtractor(name, half)})
		if err != nil || r.MayContain([]byte("absent")) != want {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	read.Properties.Prefixes = false
	if _, err := read.Reader(filterblock.ReadOptions{}); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "neither keys nor prefixes") {
		t.Errorf("of nothing: %v", err)
	}
}
