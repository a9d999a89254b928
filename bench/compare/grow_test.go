package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/keyhash"
)

// tinyGrowth is a comparison of filters that grow that takes milliseconds. A pass fills the
// filters several times.
var tinyGrowth = []string{"-grow", "-sizes=4KiB", "-levels=generic", "-queries=5000", "-rounds=3", "-add=100"}

func TestEveryWayToGrowHasARow(t *testing.T) {
	want := []string{
		"generic mutable in turn", "generic mutable add", "generic mutable batch",
		"generic concurrent in turn", "generic concurrent add", "generic concurrent batch", "generic concurrent add, 2 goroutines",
		"parquet in turn", "parquet add", "parquet batch", "blobloom in turn", "blobloom add",
		"bits-and-blooms in turn", "bits-and-blooms add",
		"blobloom sync in turn", "blobloom sync add", "blobloom sync add, 2 goroutines",
		"holiman in turn", "holiman add", "holiman add, 2 goroutines",
	}
	got := figures(t, tinyGrowth...)
	if len(got.Filters) != 4 {
		t.Fatalf("%d filters, not 4", len(got.Filters))
	}
	for i, f := range got.Filters {
		if f.Bytes != 4096 || f.BitsPerKey != []float64{10, 16}[i/2] || f.KeyBytes != []int{0, 16}[i%2] || f.Pages != "ordinary" || len(f.Tables) > 0 {
			t.Errorf("%+v", f)
		}
		table := f.Growing
		if table.Keys != 5000 || table.Add != 100 || table.Rounds != 3 {
			t.Errorf("%+v", table)
		}
		var names []string
		for _, r := range table.Rows {
			names = append(names, r.Name)
			checkGrownRow(t, f, r)
		}
		if !slices.Equal(names, want) {
			t.Errorf("%q", names)
		}
	}
}

func checkGrownRow(t *testing.T, f *filters, r *grownRow) {
	t.Helper()
	if len(r.NS) != 3 || !(0 < r.MinNS && r.MinNS <= r.QuarterNS && r.QuarterNS <= r.MedianNS && r.MedianNS <= r.MaxNS) {
		t.Errorf("%+v", r)
	}
	if r.Bytes < f.Bytes || r.Bytes > f.Bytes+5 || r.BitsPerKey != 8*float64(r.Bytes)/float64(f.Keys) {
		t.Errorf("%s: %d bytes, %v bits/key", r.Name, r.Bytes, r.BitsPerKey)
	}
	least, most := 0.006, 0.02
	if f.BitsPerKey == 16 {
		least, most = 0.0001, 0.004
	}
	if rate := float64(r.FalsePositives) / float64(r.Absent); r.Absent != 15000 || rate < least || rate > most {
		t.Errorf("%s: %d false positives of %d", r.Name, r.FalsePositives, r.Absent)
	}
	if r.ToReference <= 0 || r.ToStandard <= 0 || r.ToPeer <= 0 || r.FastestPeer == "" {
		t.Errorf("%+v", r)
	}
	if single := r.Way == inTurn || r.Way == oneKey && r.Goroutines == 1; single != (r.ToAdd == 0) {
		t.Errorf("%s takes %v of its own add row's time", r.Name, r.ToAdd)
	}
	shared := strings.Contains(r.Name, "concurrent") || strings.Contains(r.Name, "sync") || strings.Contains(r.Name, "holiman")
	if peer := strings.Contains(r.FastestPeer, "sync") || strings.Contains(r.FastestPeer, "holiman"); peer != shared {
		t.Errorf("%s is compared with %s", r.Name, r.FastestPeer)
	}
}

func TestTextOfGrowing(t *testing.T) {
	text := succeed(t, append(tinyGrowth, "-concurrency=1,3", "-rows=mutable|parquet|sync")...)
	squeezed := strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' }), " ")
	for _, part := range []string{
		"\n== 4 KiB at 16 bits/key: 2048 keys of 16 bytes. Pages of all but simdbloom's: ordinary.\n",
		"\nBatches of up to 100 keys, 3 rounds of 5000 keys:\n", " generic mutable in turn 4101 6 ", " parquet batch 4096 8 ",
		" blobloom sync add, 3 goroutines 4096 5 ", "\nLegend:\n", "holiman/bloomfilter/v2 v2",
	} {
		if !strings.Contains(squeezed, part) {
			t.Errorf("no %q in the text", part)
		}
	}
	for _, part := range []string{"NaN", "Inf", "%!", "concurrent add"} {
		if strings.Contains(text, part) {
			t.Errorf("%q in the text", part)
		}
	}
}

// TestGrowingFiltersAreEqual compares with what NewBuilder gives, at every level.
func TestGrowingFiltersAreEqual(t *testing.T) {
	for _, keyBytes := range []string{"0", "24"} {
		s := settingsOf(t, "-grow", "-key_bytes="+keyBytes)
		fill := newFilling(8<<10, 10, s.keyBytes.values[0])
		b, err := bloom.NewBuilder(10, keyhash.XX64)
		if err != nil {
			t.Fatal(err)
		}
		for hashes := range fill.hashes(s.seed, func(int) {}) {
			b.AddHashes(hashes)
		}
		want, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		for _, level := range s.levels.values {
			m, c := new(mutable), new(concurrent)
			for _, l := range []loops{m, c} {
				g := newGrown(s, fill, level, l)
				if _, _, err := g.build(nil, fill, fill.hashes(s.seed, func(int) {})); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(m.Bytes(), want) || !bytes.Equal(c.Bytes(), want) {
				t.Errorf("level %s, keys of %s bytes: other bytes than a Builder's", level, keyBytes)
			}
		}
	}
}

// listing is a filter that keeps hashes, or some of them.
type listing struct {
	lock   sync.Mutex
	hashes []uint64
	every  int
}

func (*listing) name() string { return "listing" }

func (*listing) place([]byte, filling) (bytes int, has chosen, err error) {
	return 4096, chosen{}, nil
}

func (l *listing) save() (restore func()) {
	n := len(l.hashes)
	return func() { l.hashes = l.hashes[:n] }
}

func (l *listing) addHashes(hashes []uint64) {
	l.lock.Lock()
	defer l.lock.Unlock()
	for i := 0; i < len(hashes); i += l.every {
		l.hashes = append(l.hashes, hashes[i])
	}
}

func (l *listing) addKeys([][]byte) {}

func (l *listing) turnHashes(_, asked []uint64) (found int) {
	for _, hash := range asked {
		if slices.Contains(l.hashes, hash) {
			found++
		}
	}
	return found
}

func (l *listing) turnKeys(_, _ [][]byte) int { return 0 }

// TestAPassAddsEveryKey restores a full filter, and shares keys among goroutines.
func TestAPassAddsEveryKey(t *testing.T) {
	s := settingsOf(t, "-grow")
	fill := newFilling(4096, 10, 0)
	for _, goroutines := range []int{1, 2, 5} {
		for _, every := range []int{1, 2} {
			l := &listing{every: every}
			g := newGrown(s, fill, cpu.Generic, l)
			if _, _, err := g.build(nil, fill, fill.firstKeys().hashes(0, func(int) {})); err != nil {
				t.Fatal(err)
			}
			known := len(l.hashes)
			const keys = 4000
			a := &adding{newQueries(keys, 0, 0), newQueries(keys, 0, 0), newQueries(keys, 0, 0), newQueries(1, 0, 0)}
			a.added.number(1, 0, keys)
			r := &grownRow{times: times{row: &row{grow: &growth{oneKey, goroutines, g.add}}, entrant: &entrant{contestant: g}}}
			err := r.pass(a)
			if every > 1 {
				if err == nil || !strings.Contains(err.Error(), "FALSE NEGATIVE") {
					t.Errorf("lost keys: %v", err)
				}
				continue
			}
			room := int(fill.keys - fill.firstKeys().keys)
			last := slices.Sorted(slices.Values(l.hashes[known:]))
			want := slices.Sorted(slices.Values(a.added.hashes[keys/room*room:]))
			if err != nil || len(r.NS) != 1 || r.NS[0] <= 0 || fmt.Sprint(last) != fmt.Sprint(want) {
				t.Errorf("%d goroutines: %v, %v ns, %d keys in the end, not %d", goroutines, err, r.NS, len(last), len(want))
			}
		}
	}
}
