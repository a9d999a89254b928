package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/policy"
)

// rows returns n rows with keys in order, ten of each prefix of 3 bytes. Keys of a multiple of 7 are missing.
func rows(n int) (all []row) {
	for i := range n {
		if i%7 != 0 {
			all = append(all, row{rowKey(i), fmt.Appendf(nil, "value %d", i)})
		}
	}
	return all
}

func rowKey(i int) []byte { return fmt.Appendf(nil, "%03d-%d", i/10, i%10) }

func extractor(t testing.TB, text string) *filterblock.Extractor {
	t.Helper()
	e, err := filterblock.ParseExtractor(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func parse(t testing.TB, name string) *policy.Policy {
	t.Helper()
	p, err := policy.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func write(t testing.TB, p *policy.Policy, all []row, o filterblock.Options) []byte {
	t.Helper()
	return writeNamed(t, p, p.Name(), all, o)
}

// writeNamed records another name of the policy.
func writeNamed(t testing.TB, p *policy.Policy, name string, all []row, o filterblock.Options) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := newWriter(&file, p, o)
	if err != nil {
		t.Fatal(err)
	}
	w.properties.policy = name
	for _, r := range all {
		if err := w.add(r.key, r.value); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.finish(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func open(data []byte, o filterblock.ReadOptions) (*table, error) {
	return openTable(bytes.NewReader(data), int64(len(data)), o)
}

// check looks up keys that are there and keys that are not, one by one, together and by prefix.
func check(t *table, all []row, n int) error {
	var keys [][]byte
	want := make(map[string][]byte)
	for _, r := range all {
		want[string(r.key)] = r.value
	}
	for i := range n + 20 {
		keys = append(keys, rowKey(i))
	}
	values := make([][]byte, len(keys))
	if err := t.getMany(keys, values); err != nil {
		return err
	}
	for i, key := range keys {
		value, ok, err := t.get(key)
		if err != nil {
			return err
		}
		if ok != (want[string(key)] != nil) || !bytes.Equal(value, want[string(key)]) || !bytes.Equal(value, values[i]) {
			return fmt.Errorf("%s: got %q, in a batch %q, want %q", key, value, values[i], want[string(key)])
		}
	}
	for i := 0; i < n+20; i += 10 {
		from := rowKey(i)[:3]
		if i%20 == 0 {
			from = rowKey(i + 5)
		}
		var got, rows []string
		for r, err := range t.seek(from) {
			if err != nil {
				return err
			}
			got = append(got, string(r.key))
		}
		prefix, bounded := t.prefix.Prefix(from)
		for _, r := range all {
			if p, _ := t.prefix.Prefix(r.key); bytes.Compare(r.key, from) >= 0 && (!bounded || bytes.Equal(p, prefix)) {
				rows = append(rows, string(r.key))
			}
		}
		if !slices.Equal(got, rows) {
			return fmt.Errorf("from %s: got %q, want %q", from, got, rows)
		}
	}
	return nil
}

func TestLookups(t *testing.T) {
	const n = 500
	for _, name := range []string{"simdbloom.FastLocal:10", "simdbloom.Linear:12", "ribbonfilter:10:2", "simdbloom.Paired:16"} {
		for _, text := range []string{"", "fixed:3", "capped:4"} {
			for _, wholeKeys := range []bool{true, false} {
				if !wholeKeys && text == "" {
					continue // no filter of nothing is written
				}
				for _, n := range []int{0, 1, 2, n} {
					all := rows(n)
					data := write(t, parse(t, name), all, filterblock.Options{
						WholeKeys: wholeKeys, Prefix: extractor(t, text), PartitionBytes: 256,
					})
					for _, now := range []string{"", "fixed:3", "fixed:4"} { // the extractor may have changed since
						table, err := open(data, filterblock.ReadOptions{Prefix: extractor(t, now), Cache: newCache(1000)})
						if err == nil {
							err = check(table, all, n)
						}
						if err != nil {
							t.Errorf("%s, prefixes %q, now %q, whole keys %v, %d keys: %v", name, text, now, wholeKeys, n, err)
						}
					}
				}
			}
		}
	}
}

// TestReads counts blocks that are read for keys and prefixes that the filter excludes.
func TestReads(t *testing.T) {
	all := rows(5000)
	data := write(t, policy.Linear(31), all, filterblock.Options{WholeKeys: true, Prefix: extractor(t, "fixed:3")})
	counters := new(filterblock.Counters)
	table, err := open(data, filterblock.ReadOptions{Prefix: extractor(t, "fixed:3"), Counters: counters})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 700 {
		if _, ok, err := table.get(rowKey(7 * i)); ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	for i := range 100 {
		for r, err := range table.seek(fmt.Appendf(nil, "x%02d", i)) {
			t.Fatal(r, err)
		}
	}
	if data, partitions := table.dataReads.Load(), table.partitionReads.Load(); data != 0 || partitions != 800 {
		t.Errorf("%d data blocks and %d partitions were read, want 0 and 800", data, partitions)
	}
	if _, ok, err := table.get(rowKey(8)); !ok || err != nil {
		t.Fatal(ok, err)
	}
	for _, err := range table.seek([]byte("008")) {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := filterblock.Counts{
		Useful: 700, Positives: 1, TruePositives: 1,
		SeekFiltered: 100, SeekMatches: 1, SeekTruePositives: 1,
	}
	if got := counters.Read(); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}

// TestAnotherPolicy reads a table whose filter nobody knows.
func TestAnotherPolicy(t *testing.T) {
	all := rows(300)
	data := writeNamed(t, policy.FastLocal(10), "of the future", all, filterblock.Options{WholeKeys: true})
	table, err := open(data, filterblock.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := check(table, all, 300); err != nil {
		t.Error(err)
	}
	if reads := table.partitionReads.Load(); reads > 0 {
		t.Errorf("%d partitions were read", reads)
	}
}

func TestKeysMustBeInOrder(t *testing.T) {
	for _, second := range []string{"a", "b"} {
		w, err := newWriter(new(bytes.Buffer), policy.FastLocal(10), filterblock.Options{WholeKeys: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.add([]byte("b"), nil); err != nil {
			t.Fatal(err)
		}
		if w.add([]byte(second), nil) == nil {
			t.Errorf("%q was added after %q", second, "b")
		}
	}
}

// full is a disk with room for a number of bytes.
type full struct{ room int }

var errFull = errors.New("the disk is full")

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestEveryErrorOfWritingIsReported(t *testing.T) {
	all := rows(1000)
	o := filterblock.Options{WholeKeys: true, PartitionBytes: 512}
	size := len(write(t, policy.FastLocal(10), all, o))
	for room := 0; room < size; room += 97 {
		w, err := newWriter(&full{room}, policy.FastLocal(10), o)
		for i := 0; err == nil && i < len(all); i++ {
			err = w.add(all[i].key, all[i].value)
		}
		if err == nil {
			err = w.finish()
		}
		if !errors.Is(err, errFull) {
			t.Fatalf("room for %d bytes of %d: %v", room, size, err)
		}
	}
}
